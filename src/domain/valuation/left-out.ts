/** Why comparables are left out of an estimate, and which of them a person wants to see. */
import { type Appraisal, type Candidate, type Choice, type Weighed, weighLikely } from './candidates.ts'
import { comparablesMax } from './likeness.ts'

/** The most telling first. */
export const exclusionReasons = [
  'excluded_by_request',
  // It is the subject itself, as far as anybody can tell: its own price says nothing.
  'same_property',
  'unlikely_price',
  // A person chose others.
  'not_chosen',
  'less_alike',
] as const

export type ExclusionReason = (typeof exclusionReasons)[number]

export interface LeftOut {
  candidate: Candidate
  reason: ExclusionReason
}

/** So many are shown, or more: every one of a reason that tells something of it, and enough of the others to choose from. */
const shownMin = 30
const othersShownMin = comparablesMax

/** The most telling reasons first; of each the likest. */
export function leftOutOf(appraisal: Appraisal, weighed: Weighed, choice: Choice): LeftOut[] {
  const { candidates, same } = appraisal
  const { included, excluded } = choice
  const used = new Set(weighed.chosen.map(({ comparable }) => comparable))
  const withoutChoice =
    included.size > 0 ? weighLikely(appraisal, { included: new Set(), excluded }) : weighed
  const ranks = new Map(withoutChoice?.likest.map((comparable, rank) => [comparable, rank]))
  const rankOf = ({ comparable }: Candidate) => ranks.get(comparable) ?? ranks.size
  const reasonOf = ({ comparable }: Candidate): ExclusionReason => {
    if (excluded.has(comparable.id)) return 'excluded_by_request'
    if (same.has(comparable)) return 'same_property'
    if (withoutChoice?.unlikely.has(comparable)) return 'unlikely_price'
    return included.size > 0 ? 'not_chosen' : 'less_alike'
  }
  return candidates
    .filter(({ comparable }) => !used.has(comparable))
    .map(candidate => ({ candidate, reason: reasonOf(candidate) }))
    .sort(
      (one, other) =>
        exclusionReasons.indexOf(one.reason) - exclusionReasons.indexOf(other.reason) ||
        rankOf(one.candidate) - rankOf(other.candidate) ||
        one.candidate.penalty - other.candidate.penalty,
    )
}

/** What is to be shown of them. */
export function tellingOf(leftOut: LeftOut[]): LeftOut[] {
  const others = leftOut.filter(({ reason }) => reason === 'not_chosen' || reason === 'less_alike').length
  return leftOut.slice(0, Math.max(shownMin, leftOut.length - others + othersShownMin))
}

export function countByReason(leftOut: LeftOut[]): Partial<Record<ExclusionReason, number>> {
  const counts: Partial<Record<ExclusionReason, number>> = {}
  for (const { reason } of leftOut) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}
