/** What a subject can be compared with, and how much each of it weighs. */

import { metersBetween } from '../geo.ts'
import {
  chosenComparablesMin,
  comparablesMin,
  differenceCount,
  factPenalty,
  shortlistOf,
  weigh,
  writeDifferences,
} from './likeness.ts'
import type { MarketModel } from './market-model.ts'
import { upperMedianOf } from './median.ts'
import { type Expectation, expectationsOf, type Gap, gapsOf, type Outlook, outlookOf } from './outlook.ts'
import { agree, type Comparable, type Subject } from './property.ts'
import { filledFrom } from './unknown.ts'

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
/** As logarithms. Where a model was learnt, the middle of the eighty likest was never more than 0.1 off; that of few may be by chance. */
const misjudgedFrom = { ofMany: 0.2, ofOne: 0.5 }

export interface Candidate {
  comparable: Comparable
  meters: number
  /** How unlike the subject it is by its facts: 0 if it is the same in all ways. */
  penalty: number
}

/** In the order of the comparables. */
export function candidatesOf({ characteristics, asOf }: Subject, comparables: Comparable[]): Candidate[] {
  return comparables.map(comparable => {
    const meters = metersBetween(characteristics, comparable)
    const ms = asOf.epochMilliseconds - comparable.seenAt.epochMilliseconds
    const filled = filledFrom(characteristics, comparable)
    return { comparable, meters, penalty: factPenalty(filled, comparable, { meters, ms }) }
  })
}

/** What an estimate is made from. */
export interface Appraisal {
  subject: Subject
  candidates: Candidate[]
  /** Those that are the subject itself. */
  same: ReadonlySet<Comparable>
  outlook: Outlook
  model: MarketModel
  /** What was asked of the model of comparables so far. */
  known: Map<Comparable, { expectation: Expectation; gap: Gap }>
}

/** `candidates` are of the subject. */
export function appraisalOf(subject: Subject, candidates: Candidate[], model: MarketModel): Appraisal {
  const same = new Set(subjectsAmong(subject, candidates))
  const moment = { property: subject.characteristics, at: subject.asOf }
  const outlook = outlookOf(model.prices, moment, same.size > 0)
  return { subject, candidates, same, outlook, model, known: new Map() }
}

/**
 * Whether a model has learnt what is paid here. Where the middle of the likest is far from what it expects, as in a town that
 * became known since, it would only mislead.
 */
export function isLearntHere(appraisal: Appraisal): boolean {
  if (appraisal.model.prices.folds.length === 0) return true
  const { candidates, same } = appraisal
  const others = candidates.filter(({ comparable }) => !same.has(comparable))
  if (others.length === 0) return true
  const residuals = askedOf(appraisal, shortlistOf(others)).map(({ expectation }) => expectation.residual)
  const { ofMany, ofOne } = misjudgedFrom
  return Math.abs(upperMedianOf(residuals)) <= ofMany + ofOne / Math.sqrt(residuals.length)
}

/** With what a model has to say of it. */
export interface WeighedCandidate extends Candidate {
  expectation: Expectation
  gap: Gap
}

export interface Weighed {
  /** All that could have been weighed, the likest first. */
  likest: Comparable[]
  /** The likest first. */
  chosen: WeighedCandidate[]
  shares: number[]
  /** The shares to four digits; they still add up to 1. */
  weights: number[]
  /** How much of their residuals is passed on, 0 to 1. */
  credibility: number
  unlikely: ReadonlySet<Comparable>
}

/** Weighs the likest; those of an unlikely price make room for others, unless a person chose them. Null: they are too few. */
export function weighLikely(appraisal: Appraisal, { included, excluded }: Choice): Weighed | null {
  const { candidates, same, model } = appraisal
  const isChosen = included.size > 0
  const unlikely = new Set<Comparable>()
  let eligible = candidates.filter(({ comparable }) => {
    const { id } = comparable
    return !excluded.has(id) && (isChosen ? included.has(id) : !same.has(comparable))
  })
  for (;;) {
    if (eligible.length < (isChosen ? chosenComparablesMin : comparablesMin)) return null
    const shortlist = isChosen ? eligible : shortlistOf(eligible)
    const { chosen, ...weights } = weighed(shortlist, appraisal)
    const residuals = chosen.map(({ expectation }) => expectation.residual)
    // Where nothing was learnt, the residuals are the level of the place.
    const level = model.prices.folds.length > 0 ? 0 : upperMedianOf(residuals)
    const odd = chosen.filter((_, nth) => Math.abs(residuals[nth]! - level) > unlikelyFrom)
    if (odd.length === 0 || isChosen)
      return { chosen, ...weights, weights: toFourDigits(weights.shares), unlikely }
    for (const { comparable } of odd) unlikely.add(comparable)
    eligible = eligible.filter(({ comparable }) => !unlikely.has(comparable))
  }
}

function weighed(
  candidates: Candidate[],
  appraisal: Appraisal,
): Pick<Weighed, 'likest' | 'chosen' | 'shares' | 'credibility'> {
  const { asOf } = appraisal.subject
  const asked = askedOf(appraisal, candidates)
  const differences = new Float64Array(asked.length * differenceCount)
  for (const [at, { comparable, meters, expectation, gap }] of asked.entries()) {
    const ms = asOf.epochMilliseconds - comparable.seenAt.epochMilliseconds
    const apart = { meters, ms, ...gap, residual: expectation.residual }
    writeDifferences(differences, at * differenceCount, gap.subject, comparable, apart)
  }
  const { likest, chosen, ...weights } = weigh(appraisal.model.likeness, differences, asked.length)
  return {
    likest: likest.map(at => candidates[at]!.comparable),
    chosen: chosen.map(at => asked[at]!),
    ...weights,
  }
}

/** With what the model says of each; it is asked of those alone of which it was not yet. */
function askedOf({ subject, outlook, model, known }: Appraisal, candidates: Candidate[]): WeighedCandidate[] {
  const others = candidates.map(({ comparable }) => comparable).filter(comparable => !known.has(comparable))
  const moment = { property: subject.characteristics, at: subject.asOf }
  const expected = expectationsOf(model.prices, others).map((expectation, at) => ({
    comparable: others[at]!,
    expectation,
  }))
  for (const [at, gap] of gapsOf(model.prices, moment, outlook, expected).entries())
    known.set(others[at]!, { expectation: expected[at]!.expectation, gap })
  return candidates.map(candidate => ({ ...candidate, ...known.get(candidate.comparable)! }))
}

/** Those that are the subject itself. Where no rooms are told, several would be garages of one basement. */
function subjectsAmong(subject: Subject, candidates: Candidate[]): Comparable[] {
  const same = candidates
    .filter(candidate => isSubject(subject, candidate))
    .map(({ comparable }) => comparable)
  const roomless = same.filter(({ bedrooms }) => bedrooms === null)
  const areOthers = subject.characteristics.bedrooms === null && roomless.length > 1
  return areOthers ? same.filter(one => !roomless.includes(one)) : same
}

/** Not told by the price, which may be another by now. */
function isSubject({ characteristics }: Subject, { comparable, meters }: Candidate): boolean {
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
