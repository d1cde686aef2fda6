/** Why comparables are left out of an estimate, and which of them a person wants to see. */
import {
  type Candidate,
  type Choice,
  type ValuationContext,
  type WeightedComparables,
  weighPlausible,
} from './candidates.ts'
import { comparablesMax } from './similarity.ts'

/** The most telling first. */
export const exclusionReasons = [
  'excluded_by_request',
  // It is the subject itself, as far as anybody can tell: its own price says nothing.
  'same_property',
  'implausible_price',
  // A person chose others.
  'not_chosen',
  'less_similar',
] as const

export type ExclusionReason = (typeof exclusionReasons)[number]

export interface Exclusion {
  candidate: Candidate
  reason: ExclusionReason
}

/** So many are shown, or more: every one of a reason that tells something of it, and enough of the others to choose from. */
const shownMin = 30
const otherShownMin = comparablesMax

/** The most telling reasons first; of each the likest. */
export function toExclusions(
  appraisal: ValuationContext,
  weighed: WeightedComparables,
  choice: Choice,
): Exclusion[] {
  const { candidates, subjectListings } = appraisal
  const { included, excluded } = choice
  const used = new Set(weighed.chosen.map(({ comparable }) => comparable))
  const withoutChoice =
    included.size > 0 ? weighPlausible(appraisal, { included: new Set(), excluded }) : weighed
  const ranks = new Map(withoutChoice?.mostSimilar.map((comparable, rank) => [comparable, rank]))
  const getRank = ({ comparable }: Candidate) => ranks.get(comparable) ?? ranks.size
  const getReason = ({ comparable }: Candidate): ExclusionReason => {
    if (excluded.has(comparable.id)) return 'excluded_by_request'
    if (subjectListings.has(comparable)) return 'same_property'
    if (withoutChoice?.implausible.has(comparable)) return 'implausible_price'
    return included.size > 0 ? 'not_chosen' : 'less_similar'
  }
  return candidates
    .filter(({ comparable }) => !used.has(comparable))
    .map(candidate => ({ candidate, reason: getReason(candidate) }))
    .sort(
      (one, other) =>
        exclusionReasons.indexOf(one.reason) - exclusionReasons.indexOf(other.reason) ||
        getRank(one.candidate) - getRank(other.candidate) ||
        one.candidate.penalty - other.candidate.penalty,
    )
}

/** What is to be shown of them. */
export function selectShown(exclusions: Exclusion[]): Exclusion[] {
  const otherCount = exclusions.filter(
    ({ reason }) => reason === 'not_chosen' || reason === 'less_similar',
  ).length
  return exclusions.slice(0, Math.max(shownMin, exclusions.length - otherCount + otherShownMin))
}

export function countByReason(exclusions: Exclusion[]): Partial<Record<ExclusionReason, number>> {
  const counts: Partial<Record<ExclusionReason, number>> = {}
  for (const { reason } of exclusions) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}
