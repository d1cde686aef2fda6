/** Lists the comparables that an estimate omits, with the reason. */
import {
  type Candidate,
  type Choice,
  type ValuationContext,
  type WeightedComparables,
  weighPlausible,
} from './candidates.ts'
import { comparablesMax } from './similarity.ts'

/** In order of importance. */
export const exclusionReasons = [
  'excluded_by_request',
  // Probably the subject itself: its own price is no evidence.
  'same_property',
  'implausible_price',
  // The user chose others.
  'not_chosen',
  'less_similar',
] as const

export type ExclusionReason = (typeof exclusionReasons)[number]

export interface Exclusion {
  candidate: Candidate
  reason: ExclusionReason
}

/**
 * Minimum number of listed exclusions. All with a specific reason are listed, and at least 20 others to choose from.
 */
const shownMin = 30
const otherShownMin = comparablesMax

/** Sorted by the importance of the reason, then by similarity. */
export function toExclusions(
  context: ValuationContext,
  weighted: WeightedComparables,
  choice: Choice,
): Exclusion[] {
  const { candidates, subjectListings } = context
  const { included, excluded } = choice
  const used = new Set(weighted.chosen.map(({ comparable }) => comparable))
  const withoutChoice =
    included.size > 0 ? weighPlausible(context, { included: new Set(), excluded }) : weighted
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

/** Returns the exclusions that the reply lists. */
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
