/** What a subject can be compared with, and how much each of it weighs. */

import { metersBetween } from '../geo.ts'
import type { MarketModel } from './market-model.ts'
import { upperMedian } from './median.ts'
import {
  computePredictionGaps,
  type Prediction,
  type PredictionGap,
  predictComparables,
  predictSubject,
  type SubjectPrediction,
} from './predictions.ts'
import { agreeIfKnown, type Comparable, type Subject } from './property.ts'
import {
  chosenComparablesMin,
  comparablesMin,
  computeFactPenalty,
  differenceCount,
  selectShortlist,
  weigh,
  writeDifferences,
} from './similarity.ts'
import { fillUnknowns } from './unstated.ts'

/** Ids of comparables that a person chose. */
export interface Choice {
  /** If there are any, these alone are weighed. */
  included: ReadonlySet<string>
  excluded: ReadonlySet<string>
}

/** Portals move pins; where no floor is told, flats of one building are told apart by less. */
const samePinMetersMax = 60
const nearbyPinMetersMax = 20
/** Beyond what is expected, as a logarithm: such a price is a mistake, or of something else. */
const implausibleThreshold = 0.9
/** As logarithms. Where a model was learnt, the middle of the eighty likest was never more than 0.1 off; that of few may be by chance. */
const misjudgedThreshold = { pluralLabel: 0.2, singularLabel: 0.5 }

export interface Candidate {
  comparable: Comparable
  meters: number
  /** How unlike the subject it is by its facts: 0 if it is the same in all ways. */
  penalty: number
}

/** In the order of the comparables. */
export function toCandidates({ characteristics, asOf }: Subject, comparables: Comparable[]): Candidate[] {
  return comparables.map(comparable => {
    const meters = metersBetween(characteristics, comparable)
    const ms = asOf.epochMilliseconds - comparable.seenAt.epochMilliseconds
    const filled = fillUnknowns(characteristics, comparable)
    return { comparable, meters, penalty: computeFactPenalty(filled, comparable, { meters, ms }) }
  })
}

/** What an estimate is made from. */
export interface ValuationContext {
  subject: Subject
  candidates: Candidate[]
  /** Those that are the subject itself. */
  subjectListings: ReadonlySet<Comparable>
  subjectPrediction: SubjectPrediction
  model: MarketModel
  /** What was asked of the model of comparables so far. */
  known: Map<Comparable, { prediction: Prediction; gap: PredictionGap }>
}

/** `candidates` are of the subject. */
export function createValuationContext(
  subject: Subject,
  candidates: Candidate[],
  model: MarketModel,
): ValuationContext {
  const subjectListings = new Set(findSubjectListings(subject, candidates))
  const subjectAtTime = { property: subject.characteristics, at: subject.asOf }
  const subjectPrediction = predictSubject(model.prices, subjectAtTime, subjectListings.size > 0)
  return { subject, candidates, subjectListings, subjectPrediction, model, known: new Map() }
}

/**
 * Whether a model has learnt what is paid here. Where the middle of the likest is far from what it expects, as in a town that
 * became known since, it would only mislead.
 */
export function isModelApplicable(context: ValuationContext): boolean {
  if (context.model.prices.folds.length === 0) return true
  const { candidates, subjectListings } = context
  const otherCandidates = candidates.filter(({ comparable }) => !subjectListings.has(comparable))
  if (otherCandidates.length === 0) return true
  const residuals = addPredictions(context, selectShortlist(otherCandidates)).map(
    ({ prediction }) => prediction.residual,
  )
  const { pluralLabel, singularLabel } = misjudgedThreshold
  return Math.abs(upperMedian(residuals)) <= pluralLabel + singularLabel / Math.sqrt(residuals.length)
}

/** With what a model has to say of it. */
export interface WeightedCandidate extends Candidate {
  prediction: Prediction
  gap: PredictionGap
}

export interface WeightedComparables {
  /** All that could have been weighed, the likest first. */
  mostSimilar: Comparable[]
  /** The likest first. */
  chosen: WeightedCandidate[]
  shares: number[]
  /** The shares to four digits; they still add up to 1. */
  weights: number[]
  /** How much of their residuals is passed on, 0 to 1. */
  credibility: number
  implausible: ReadonlySet<Comparable>
}

/** Weighs the likest; those of an unlikely price make room for others, unless a person chose them. Null: they are too few. */
export function weighPlausible(
  context: ValuationContext,
  { included, excluded }: Choice,
): WeightedComparables | null {
  const { candidates, subjectListings, model } = context
  const isChosen = included.size > 0
  const implausible = new Set<Comparable>()
  let eligible = candidates.filter(({ comparable }) => {
    const { id } = comparable
    return !excluded.has(id) && (isChosen ? included.has(id) : !subjectListings.has(comparable))
  })
  for (;;) {
    if (eligible.length < (isChosen ? chosenComparablesMin : comparablesMin)) return null
    const shortlist = isChosen ? eligible : selectShortlist(eligible)
    const { chosen, ...weights } = weighShortlist(shortlist, context)
    const residuals = chosen.map(({ prediction }) => prediction.residual)
    // Where nothing was learnt, the residuals are the level of the place.
    const level = model.prices.folds.length > 0 ? 0 : upperMedian(residuals)
    const outliers = chosen.filter((_, nth) => Math.abs(residuals[nth]! - level) > implausibleThreshold)
    if (outliers.length === 0 || isChosen)
      return { chosen, ...weights, weights: toFourDigits(weights.shares), implausible }
    for (const { comparable } of outliers) implausible.add(comparable)
    eligible = eligible.filter(({ comparable }) => !implausible.has(comparable))
  }
}

function weighShortlist(
  candidates: Candidate[],
  context: ValuationContext,
): Pick<WeightedComparables, 'mostSimilar' | 'chosen' | 'shares' | 'credibility'> {
  const { asOf } = context.subject
  const predicted = addPredictions(context, candidates)
  const differences = new Float64Array(predicted.length * differenceCount)
  for (const [index, { comparable, meters, prediction, gap }] of predicted.entries()) {
    const ms = asOf.epochMilliseconds - comparable.seenAt.epochMilliseconds
    const difference = { meters, ms, ...gap, residual: prediction.residual }
    writeDifferences(differences, index * differenceCount, gap.subject, comparable, difference)
  }
  const { mostSimilar, chosen, ...weights } = weigh(context.model.similarity, differences, predicted.length)
  return {
    mostSimilar: mostSimilar.map(index => candidates[index]!.comparable),
    chosen: chosen.map(index => predicted[index]!),
    ...weights,
  }
}

/** With what the model says of each; it is asked of those alone of which it was not yet. */
function addPredictions(
  { subject, subjectPrediction, model, known }: ValuationContext,
  candidates: Candidate[],
): WeightedCandidate[] {
  const otherCandidates = candidates
    .map(({ comparable }) => comparable)
    .filter(comparable => !known.has(comparable))
  const subjectAtTime = { property: subject.characteristics, at: subject.asOf }
  const expected = predictComparables(model.prices, otherCandidates).map((prediction, index) => ({
    comparable: otherCandidates[index]!,
    prediction,
  }))
  for (const [index, gap] of computePredictionGaps(
    model.prices,
    subjectAtTime,
    subjectPrediction,
    expected,
  ).entries())
    known.set(otherCandidates[index]!, { prediction: expected[index]!.prediction, gap })
  return candidates.map(candidate => ({ ...candidate, ...known.get(candidate.comparable)! }))
}

/** Those that are the subject itself. Where no rooms are told, several would be garages of one basement. */
function findSubjectListings(subject: Subject, candidates: Candidate[]): Comparable[] {
  const subjectListings = candidates
    .filter(candidate => isSubject(subject, candidate))
    .map(({ comparable }) => comparable)
  const roomless = subjectListings.filter(({ bedrooms }) => bedrooms === null)
  const areOthers = subject.characteristics.bedrooms === null && roomless.length > 1
  return areOthers ? subjectListings.filter(one => !roomless.includes(one)) : subjectListings
}

/** Not told by the price, which may be another by now. */
function isSubject({ characteristics }: Subject, { comparable, meters }: Candidate): boolean {
  const isKnownFloor = characteristics.floor !== null && comparable.floor !== null
  return (
    meters <= (isKnownFloor ? samePinMetersMax : nearbyPinMetersMax) &&
    Math.abs(characteristics.squareMeters - comparable.squareMeters) < 1 &&
    agreeIfKnown(characteristics.bedrooms, comparable.bedrooms) &&
    agreeIfKnown(characteristics.bathrooms, comparable.bathrooms) &&
    agreeIfKnown(characteristics.floor, comparable.floor) &&
    agreeIfKnown(characteristics.yearBuilt, comparable.yearBuilt)
  )
}

/** What rounding takes is given to those that lost most by it. */
function toFourDigits(shares: number[]): number[] {
  const whole = shares.map(share => Math.floor(share * 10_000))
  const missing = 10_000 - whole.reduce((sum, count) => sum + count, 0)
  const indexesByLoss = [...shares.keys()].sort(
    (a, b) => shares[b]! * 10_000 - whole[b]! - (shares[a]! * 10_000 - whole[a]!),
  )
  for (const index of indexesByLoss.slice(0, missing)) whole[index]!++
  return whole.map(count => count / 10_000)
}
