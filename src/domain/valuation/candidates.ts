/** What a subject can be compared with, and how much each of it weighs. */
import {
  chosenComparablesMin,
  comparablesMin,
  differenceCount,
  penaltyOf,
  weigh,
  writeDifferences,
} from './likeness.ts'
import type { MarketModel } from './market-model.ts'
import { metersBetween } from './place-cells.ts'
import { type Expectation, expectationsOf, gapOf, type Outlook } from './price-model.ts'
import type { Comparable, Subject } from './property.ts'

/** Ids of comparables that a person chose. */
export interface Choice {
  /** If there are any, these alone are weighed. */
  included: ReadonlySet<string>
  excluded: ReadonlySet<string>
}

/** Portals move pins; where no floor is told, flats of one building are told apart by less. */
const samePinMeters = 60
const nearlySamePinMeters = 20
/** Beyond what is expected, as a logarithm: such a price is a mistake, or of something else. */
const unlikelyFrom = 0.9

export interface Candidate {
  comparable: Comparable
  meters: number
  expectation: Expectation
  /** By how much more is expected of the subject, as a logarithm. */
  expectedGap: number
  differences: Float64Array
  /** How unlike the subject it is: 0 if it is the same in all ways. */
  penalty: number
}

/** In the order of the comparables. */
export function candidatesOf(
  { characteristics, asOf }: Subject,
  comparables: Comparable[],
  outlook: Outlook,
  { prices, likeness }: MarketModel,
): Candidate[] {
  const expectations = expectationsOf(prices, comparables)
  return comparables.map((comparable, at) => {
    const expectation = expectations[at]!
    const meters = metersBetween(characteristics, comparable)
    const ms = asOf.epochMilliseconds - comparable.seenAt.epochMilliseconds
    const gap = gapOf(outlook, expectation)
    const differences = new Float64Array(differenceCount)
    writeDifferences(differences, 0, characteristics, comparable, { meters, ms, ...gap })
    const penalty = penaltyOf(likeness.penalties, differences)
    return { comparable, meters, expectation, expectedGap: gap.expected, differences, penalty }
  })
}

export interface Weighed {
  /** The likest first. */
  chosen: Candidate[]
  shares: number[]
  /** The shares to four digits; they still add up to 1. */
  weights: number[]
  /** How much of their residuals is passed on, 0 to 1. */
  credibility: number
  unlikely: ReadonlySet<Comparable>
}

/** Weighs the likest; those of an unlikely price make room for others, unless a person chose them. */
export function weighLikely(
  candidates: Candidate[],
  same: ReadonlySet<Comparable>,
  { likeness, prices }: MarketModel,
  { included, excluded }: Choice,
): Weighed | null {
  const isChosen = included.size > 0
  const unlikely = new Set<Comparable>()
  let eligible = candidates.filter(({ comparable }) => {
    const { id } = comparable
    return !excluded.has(id) && (isChosen ? included.has(id) : !same.has(comparable))
  })
  for (;;) {
    if (eligible.length < (isChosen ? chosenComparablesMin : comparablesMin)) return null
    const { chosen: places, shares, credibility } = weigh(likeness, joined(eligible), eligible.length)
    const chosen = places.map(at => eligible[at]!)
    const residuals = chosen.map(({ expectation }) => expectation.residual)
    // Where nothing was learnt, the residuals are the level of the place.
    const level = prices.folds.length > 0 ? 0 : medianOf(residuals)
    const odd = chosen.filter((_, nth) => Math.abs(residuals[nth]! - level) > unlikelyFrom)
    if (odd.length === 0 || isChosen)
      return { chosen, shares, weights: toFourDigits(shares), credibility, unlikely }
    for (const { comparable } of odd) unlikely.add(comparable)
    eligible = eligible.filter(({ comparable }) => !unlikely.has(comparable))
  }
}

/** Not told by the price, which may be another by now. */
export function isSubject({ characteristics }: Subject, { comparable, meters }: Candidate): boolean {
  const isKnownFloor = characteristics.floor !== null && comparable.floor !== null
  return (
    meters <= (isKnownFloor ? samePinMeters : nearlySamePinMeters) &&
    Math.abs(characteristics.squareMeters - comparable.squareMeters) < 1 &&
    agree(characteristics.bedrooms, comparable.bedrooms) &&
    agree(characteristics.bathrooms, comparable.bathrooms) &&
    agree(characteristics.floor, comparable.floor) &&
    agree(characteristics.yearBuilt, comparable.yearBuilt)
  )
}

function agree(one: number | null, other: number | null): boolean {
  return one === null || other === null || one === other
}

function joined(candidates: Candidate[]): Float64Array {
  const all = new Float64Array(candidates.length * differenceCount)
  for (const [at, { differences }] of candidates.entries()) all.set(differences, at * differenceCount)
  return all
}

/** What rounding takes is given to those that lost most by it. */
function toFourDigits(shares: number[]): number[] {
  const whole = shares.map(share => Math.floor(share * 10_000))
  const missing = 10_000 - whole.reduce((sum, count) => sum + count, 0)
  const byLoss = [...shares.keys()].sort(
    (a, b) => shares[b]! * 10_000 - whole[b]! - (shares[a]! * 10_000 - whole[a]!),
  )
  for (const at of byLoss.slice(0, missing)) whole[at]!++
  return whole.map(count => count / 10_000)
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}
