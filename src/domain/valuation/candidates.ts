/** Selects the comparables of a subject, and weighs them. */
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

/** Ids of comparables that a user chose or excluded. */
export interface Choice {
  /** If not empty, only these are weighed. */
  included: ReadonlySet<string>
  excluded: ReadonlySet<string>
}

/** Portals move pins. Without a known floor, flats of one building are distinguished by the smaller distance. */
const samePinMetersMax = 60
const nearbyPinMetersMax = 20
/** Residual, as a logarithm, beyond which a price is a mistake or belongs to something else. */
const implausibleThreshold = 0.9
/**
 * Limit of the median residual of the shortlist, as a logarithm: `base + samplingError / √n`. Where a model was fitted,
 * the median of 80 comparables was never more than 0.1 off; that of a few may be off by chance.
 */
const misjudgedThreshold = { base: 0.2, samplingError: 0.5 }

export interface Candidate {
  comparable: Comparable
  meters: number
  /** Dissimilarity to the subject by facts: 0 if they are the same in every respect. */
  penalty: number
}

/** Returns the candidates in the order of the comparables. */
export function toCandidates({ characteristics, asOf }: Subject, comparables: Comparable[]): Candidate[] {
  return comparables.map(comparable => {
    const meters = metersBetween(characteristics, comparable)
    const ms = asOf.epochMilliseconds - comparable.seenAt.epochMilliseconds
    const filled = fillUnknowns(characteristics, comparable)
    return { comparable, meters, penalty: computeFactPenalty(filled, comparable, { meters, ms }) }
  })
}

/** The input of an estimate. */
export interface ValuationContext {
  subject: Subject
  candidates: Candidate[]
  /** Listings of the subject itself. */
  subjectListings: ReadonlySet<Comparable>
  subjectPrediction: SubjectPrediction
  model: MarketModel
  /** Predictions computed so far, by comparable. */
  predictions: Map<Comparable, { prediction: Prediction; gap: PredictionGap }>
}

/** `candidates` must be those of `subject`. */
export function createValuationContext(
  subject: Subject,
  candidates: Candidate[],
  model: MarketModel,
): ValuationContext {
  const subjectListings = new Set(findSubjectListings(subject, candidates))
  const subjectAtTime = { property: subject.characteristics, at: subject.asOf }
  const subjectPrediction = predictSubject(model.prices, subjectAtTime, subjectListings.size > 0)
  return { subject, candidates, subjectListings, subjectPrediction, model, predictions: new Map() }
}

/**
 * Returns true if the model fits this place. If the median residual of the most similar comparables is large, the model
 * has not learnt the place (for example, a town whose listings arrived after the fit) and would mislead.
 */
export function isModelApplicable(context: ValuationContext): boolean {
  if (context.model.prices.folds.length === 0) return true
  const { candidates, subjectListings } = context
  const otherCandidates = candidates.filter(({ comparable }) => !subjectListings.has(comparable))
  if (otherCandidates.length === 0) return true
  const residuals = addPredictions(context, selectShortlist(otherCandidates)).map(
    ({ prediction }) => prediction.residual,
  )
  const { base, samplingError } = misjudgedThreshold
  return Math.abs(upperMedian(residuals)) <= base + samplingError / Math.sqrt(residuals.length)
}

/** A candidate with the predictions of the model. */
export interface WeightedCandidate extends Candidate {
  prediction: Prediction
  gap: PredictionGap
}

export interface WeightedComparables {
  /** All eligible comparables, the most similar first. */
  mostSimilar: Comparable[]
  /** The weighed comparables, the most similar first. */
  chosen: WeightedCandidate[]
  shares: number[]
  /** The shares rounded to four digits; they still add up to 1. */
  weights: number[]
  /** The share of the residuals that is applied to the subject, 0 to 1. */
  credibility: number
  implausible: ReadonlySet<Comparable>
}

/**
 * Weighs the most similar candidates. Candidates with an implausible price are replaced by the next ones, unless the
 * user chose them. Returns null if there are too few candidates.
 */
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
    // Without a fitted model, the median residual is the price level of the place.
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

/** Adds the predictions of the model, and computes those that are missing. */
function addPredictions(
  { subject, subjectPrediction, model, predictions }: ValuationContext,
  candidates: Candidate[],
): WeightedCandidate[] {
  const unpredicted = candidates
    .map(({ comparable }) => comparable)
    .filter(comparable => !predictions.has(comparable))
  const subjectAtTime = { property: subject.characteristics, at: subject.asOf }
  const predicted = predictComparables(model.prices, unpredicted).map((prediction, index) => ({
    comparable: unpredicted[index]!,
    prediction,
  }))
  for (const [index, gap] of computePredictionGaps(
    model.prices,
    subjectAtTime,
    subjectPrediction,
    predicted,
  ).entries())
    predictions.set(unpredicted[index]!, { prediction: predicted[index]!.prediction, gap })
  return candidates.map(candidate => ({ ...candidate, ...predictions.get(candidate.comparable)! }))
}

/**
 * Listings of the subject itself. Without bedrooms, several matches are separate garages of one basement, so none
 * counts.
 */
function findSubjectListings(subject: Subject, candidates: Candidate[]): Comparable[] {
  const subjectListings = candidates
    .filter(candidate => isSubject(subject, candidate))
    .map(({ comparable }) => comparable)
  const roomless = subjectListings.filter(({ bedrooms }) => bedrooms === null)
  const areSeparate = subject.characteristics.bedrooms === null && roomless.length > 1
  return areSeparate ? subjectListings.filter(one => !roomless.includes(one)) : subjectListings
}

/** Ignores the price, which may have changed. */
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

/** Rounds to four digits; the remainder goes to the shares that lost most by rounding. */
function toFourDigits(shares: number[]): number[] {
  const whole = shares.map(share => Math.floor(share * 10_000))
  const missing = 10_000 - whole.reduce((sum, count) => sum + count, 0)
  const indexesByLoss = [...shares.keys()].sort(
    (a, b) => shares[b]! * 10_000 - whole[b]! - (shares[a]! * 10_000 - whole[a]!),
  )
  for (const index of indexesByLoss.slice(0, missing)) whole[index]!++
  return whole.map(count => count / 10_000)
}
