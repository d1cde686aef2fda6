/** Fits a market model to the properties of a market, and measures its accuracy. */
import { createRandom, type Random } from '../random.ts'
import { type Accuracy, type BacktestResult, computeAccuracy } from './accuracy.ts'
import {
  collectSignals,
  computeHalfRange,
  type ErrorModel,
  type EstimateSignals,
  fitErrorModel,
} from './error-model.ts'
import { computeAdjustedPrice, type Example, fitSimilarity } from './fit-similarity.ts'
import type { MarketModel } from './market-model.ts'
import { createNearestFinder, type Neighbour } from './nearest.ts'
import { computePredictionGaps, type Prediction, predictComparables, predictSubject } from './predictions.ts'
import { fitPriceModel, type PriceModel } from './price-model.ts'
import { agreeIfKnown, type Characteristics, type Comparable } from './property.ts'
import {
  candidatesMax,
  comparablesMin,
  computeFactPenalty,
  differenceCount,
  type SimilarityModel,
  selectShortlist,
  weigh,
  writeDifferences,
} from './similarity.ts'
import { fillUnknowns } from './unstated.ts'

/** With fewer comparables, the default model is better. */
export const fittedComparablesMin = 500
/** Properties held out at a time and valued by a model of the rest: a fifth, and no more than `holdoutMax`. */
const holdoutShare = 0.2
const holdoutMax = 10_000
/** Sets are held out one after another until they contain this many properties, or all of them. */
const holdoutTarget = 6000
/** Five in ten cases are used to fit similarity and three to fit errors; the rest test the result. */
const tenths = { similarity: 5, errors: 3 }

export interface FittedMarket {
  model: MarketModel
  /** On properties that were not fitted on, each valued without itself and without possible duplicates of it. */
  accuracy: Accuracy
}

/**
 * Returns null if there are fewer than `fittedComparablesMin` comparables, or if most of them may be the same property.
 * The same comparables in the same order give the same model.
 *
 * A part of the properties is held out, with all possible duplicates. Prices are fitted on the rest, and similarity and
 * errors on the held-out part. So they are fitted on estimates of unseen properties, as in later use. Finally, prices
 * are fitted on all.
 */
export function fitMarket(comparables: Comparable[], version: string): FittedMarket | null {
  if (comparables.length < fittedComparablesMin) return null
  const nearest = createNearestFinder(comparables)
  const shuffledListings = shuffle(comparables)
  const size = Math.min(holdoutMax, Math.floor(comparables.length * holdoutShare))
  const cases: TrainingCase[] = []
  for (let from = 0; from + size <= comparables.length && from < holdoutTarget; from += size)
    cases.push(...toTrainingCases(shuffledListings.slice(from, from + size), comparables, nearest))
  if (cases.length < fittedComparablesMin / 4) return null
  const pickRole = (role: Role) => cases.filter(one => one.role === role)
  const similarity = fitSimilarity(pickRole('similarity'))
  // Too few parameters to overfit thousands of cases, so the similarity cases serve the error model too.
  const errorSamples = cases.filter(one => one.role !== 'test')
  const errors = fitErrorModel(errorSamples.map(one => estimateCase(one, similarity)))
  const backtestResults = pickRole('test').map(one => toBacktestResult(one, similarity, errors))
  const prices = fitPriceModel(comparables)
  return { model: { version, prices, similarity, errors }, accuracy: computeAccuracy(backtestResults)! }
}

type Role = 'similarity' | 'errors' | 'test'

interface TrainingCase extends Example {
  role: Role
  /** The subject as it was described. */
  subject: Comparable
  /** Prediction of all folds of a model that has not seen the price, as a logarithm. */
  expected: number
  /** Distances of the shortlist, and of all candidates. */
  meters: Float64Array
  candidateMeters: Float64Array
  /** The predicted price of the subject relative to that of each comparable, as a logarithm. */
  expectedGaps: Float64Array
}

/**
 * The held-out properties as subjects, each without its possible duplicates. Empty if too few others are left to fit
 * on.
 */
function toTrainingCases(
  holdout: Comparable[],
  comparables: Comparable[],
  nearest: ReturnType<typeof createNearestFinder<Comparable>>,
): TrainingCase[] {
  const unseen = new Set(holdout)
  const neighbours = holdout.map(subject =>
    nearest(subject, candidatesMax, ({ property, meters }) => {
      if (property === subject) return false
      const isSame = mayBeSameProperty(subject, property, meters)
      if (isSame) unseen.add(property)
      return !isSame
    }),
  )
  const seenListings = comparables.filter(property => !unseen.has(property))
  if (seenListings.length < fittedComparablesMin / 4) return []
  const prices = fitPriceModel(seenListings)
  const predictions = predictComparables(prices, comparables)
  const predictionsByProperty = new Map(comparables.map((property, index) => [property, predictions[index]!]))
  const random = createRandom(7)
  return holdout
    .flatMap((subject, index) => {
      const role =
        index % 10 < tenths.similarity
          ? 'similarity'
          : index % 10 < tenths.similarity + tenths.errors
            ? 'errors'
            : 'test'
      const subjects = role === 'errors' ? [subject, dropFacts(subject, random)] : [subject]
      return subjects.map(
        one => ({ role, ...toTrainingCase(one, neighbours[index]!, prices, predictionsByProperty) }) as const,
      )
    })
    .filter(({ meters }) => meters.length >= comparablesMin)
}

/** Simulates a user who does not know or state all facts, so that the error model learns those cases too. */
function dropFacts(property: Comparable, random: Random): Comparable {
  const isKept = () => random() < 0.5
  const { floor, yearBuilt } = property
  return {
    ...property,
    subtype: null,
    isPartiallyDescribed: true,
    floor: isKept() ? floor : null,
    yearBuilt: isKept() ? yearBuilt : null,
    ...(isKept() ? {} : { condition: null, plotSquareMeters: null }),
    ...(isKept() ? {} : { amenities: null }),
  }
}

function toTrainingCase(
  subject: Comparable,
  near: Neighbour<Comparable>[],
  prices: PriceModel,
  predictionsByProperty: ReadonlyMap<Comparable, Prediction>,
): Omit<TrainingCase, 'role'> {
  const shortlist = selectShortlist(
    near.map(({ property, meters }) => {
      const ms = subject.seenAt.epochMilliseconds - property.seenAt.epochMilliseconds
      const penalty = computeFactPenalty(fillUnknowns(subject, property), property, { meters, ms })
      return { comparable: property, prediction: predictionsByProperty.get(property)!, meters, ms, penalty }
    }),
  )
  const subjectAtTime = { property: subject, at: subject.seenAt }
  const subjectPrediction = predictSubject(prices, subjectAtTime)
  const gaps = computePredictionGaps(prices, subjectAtTime, subjectPrediction, shortlist)
  const differences = new Float32Array(shortlist.length * differenceCount)
  for (const [index, { comparable, prediction, meters, ms }] of shortlist.entries()) {
    const difference = { meters, ms, ...gaps[index]!, residual: prediction.residual }
    writeDifferences(differences, index * differenceCount, gaps[index]!.subject, comparable, difference)
  }
  const comparablePredictions = shortlist.map(({ prediction }) => prediction)
  return {
    subject,
    price: Math.log(subject.price),
    expected: subjectPrediction.expected,
    differences,
    residuals: Float64Array.from(comparablePredictions, ({ residual }) => residual),
    expectedBy: Float64Array.from(
      comparablePredictions,
      ({ baseline, correction }, index) => baseline + correction + gaps[index]!.expected,
    ),
    correctionGaps: Float64Array.from(gaps, ({ correction }) => correction),
    expectedGaps: Float64Array.from(gaps, ({ expected }) => expected),
    foldOffsets: Float64Array.from(gaps, ({ foldOffset }) => foldOffset),
    meters: Float64Array.from(shortlist, ({ meters }) => meters),
    candidateMeters: Float64Array.from(near, ({ meters }) => meters),
  }
}

/**
 * A wider rule than that of the market store (`isSameProperty`): it is better to lose a neighbour than to let a
 * duplicate of the subject flatter the accuracy.
 */
function mayBeSameProperty(one: Characteristics, other: Characteristics, meters: number): boolean {
  return (
    meters <= 130 &&
    one.bedrooms === other.bedrooms &&
    Math.abs(one.squareMeters - other.squareMeters) <= 0.1 * one.squareMeters &&
    agreeIfKnown(one.floor, other.floor) &&
    agreeIfKnown(one.yearBuilt, other.yearBuilt)
  )
}

interface CaseEstimate {
  /** The logarithm of the estimate. */
  value: number
  signals: EstimateSignals
  error: number
}

/** The estimate of `estimateValue` without rounding, and including implausible prices. */
function estimateCase(one: TrainingCase, similarity: SimilarityModel): CaseEstimate {
  const { subject, price, expected, differences, residuals, expectedGaps, meters, candidateMeters } = one
  const { chosen, shares, credibility } = weigh(similarity, differences, residuals.length)
  const adjusted = chosen.map(index => computeAdjustedPrice(one, similarity, index, credibility))
  const value = Math.log(shares.reduce((sum, share, nth) => sum + share * adjusted[nth]!, 0))
  const signals = collectSignals({
    subject,
    expected,
    shares,
    credibility,
    value,
    residuals: chosen.map(index => residuals[index]!),
    gaps: chosen.map(index => expectedGaps[index]!),
    meters: chosen.map(index => meters[index]!),
    candidateMeters,
  })
  return { value, signals, error: value - price }
}

function toBacktestResult(
  one: TrainingCase,
  similarity: SimilarityModel,
  errors: ErrorModel,
): BacktestResult {
  const { value, signals } = estimateCase(one, similarity)
  const half = computeHalfRange(errors, signals, 0)
  const [low, middle, high] = [value - half, value, value + half].map(Math.exp) as [number, number, number]
  return { price: one.subject.price, low, value: middle, high }
}

function shuffle<T>(list: T[]): T[] {
  const random = createRandom(5)
  return list
    .map(item => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
