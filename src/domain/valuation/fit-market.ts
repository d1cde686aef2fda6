/** Learns a market from its properties, and tries out how good its estimates are. */
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

/** Fewer are too few to learn from: the usual model is better. */
export const fittedComparablesMin = 500
/** Properties held back at a time, to be valued by what the others teach: a fifth, and no more than this. */
const holdoutShare = 0.2
const holdoutMax = 10_000
/** Others are held back until so many were, or all. */
const holdoutTarget = 6000
/** Of ten properties valued so many teach likeness, then errors; on the rest it is seen how good that is. */
const tenths = { similarity: 5, errors: 3 }

export interface FittedMarket {
  model: MarketModel
  /** On properties that nothing was learnt from, each valued as if neither it nor what may be it were known. */
  accuracy: Accuracy
}

/**
 * Null: fewer than `fittedComparablesMin`, or most of them may be one and the same. The same comparables in the same order give the same model.
 *
 * A part of the properties is held back, with all that may be the same: what the rest teaches of prices is what likeness and errors
 * are learnt on. So they are learnt on estimates such as are made later, of properties that nobody knew. Then prices are learnt
 * from all.
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
  // Of thousands, so few figures as likeness has learn hardly anything by heart: those that taught it tell of errors too.
  const errorSamples = cases.filter(one => one.role !== 'trial')
  const errors = fitErrorModel(errorSamples.map(one => estimateCase(one, similarity)))
  const backtestResults = pickRole('trial').map(one => toBacktestResult(one, similarity, errors))
  const prices = fitPriceModel(comparables)
  return { model: { version, prices, similarity, errors }, accuracy: computeAccuracy(backtestResults)! }
}

type Role = 'similarity' | 'errors' | 'trial'

interface TrainingCase extends Example {
  role: Role
  /** As it was described. */
  subject: Comparable
  /** What all folds of a model expect of it that has not seen the price, as a logarithm. */
  expected: number
  /** Of those on the shortlist, and of all. */
  meters: Float64Array
  candidateMeters: Float64Array
  /** By how much more is expected of the subject, as a logarithm. */
  expectedGaps: Float64Array
}

/** The held ones as subjects, each among its neighbours but for what may be itself; none if too few are left to learn from. */
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
  const predictionsByProperty = new Map(comparables.map((property, at) => [property, predictions[at]!]))
  const random = createRandom(7)
  return holdout
    .flatMap((subject, at) => {
      const role =
        at % 10 < tenths.similarity
          ? 'similarity'
          : at % 10 < tenths.similarity + tenths.errors
            ? 'errors'
            : 'trial'
      const statedFacts = role === 'errors' ? [subject, dropFacts(subject, random)] : [subject]
      return statedFacts.map(
        one => ({ role, ...toTrainingCase(one, neighbours[at]!, prices, predictionsByProperty) }) as const,
      )
    })
    .filter(({ meters }) => meters.length >= comparablesMin)
}

/** As people describe a property who do not know or say all of it: how sure an estimate is then has to be learnt too. */
function dropFacts(property: Comparable, random: Random): Comparable {
  const keeps = () => random() < 0.5
  const { floor, yearBuilt } = property
  return {
    ...property,
    subtype: null,
    isPartiallyDescribed: true,
    floor: keeps() ? floor : null,
    yearBuilt: keeps() ? yearBuilt : null,
    ...(keeps() ? {} : { condition: null, plotSquareMeters: null }),
    ...(keeps() ? {} : { amenities: null }),
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
  for (const [at, { comparable, prediction, meters, ms }] of shortlist.entries()) {
    const difference = { meters, ms, ...gaps[at]!, residual: prediction.residual }
    writeDifferences(differences, at * differenceCount, gaps[at]!.subject, comparable, difference)
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
      ({ baseline, correction }, at) => baseline + correction + gaps[at]!.expected,
    ),
    correctionGaps: Float64Array.from(gaps, ({ correction }) => correction),
    expectedGaps: Float64Array.from(gaps, ({ expected }) => expected),
    foldOffsets: Float64Array.from(gaps, ({ foldOffset }) => foldOffset),
    meters: Float64Array.from(shortlist, ({ meters }) => meters),
    candidateMeters: Float64Array.from(near, ({ meters }) => meters),
  }
}

/**
 * A wider rule than that by which the market store takes two adverts for one property: it is better that a neighbour teaches
 * nothing than that a copy of the subject flatters the method.
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

/** What `estimateValue` would say, without the rounding, and with prices that it would leave out as unlikely. */
function estimateCase(one: TrainingCase, similarity: SimilarityModel): CaseEstimate {
  const { subject, price, expected, differences, residuals, expectedGaps, meters, candidateMeters } = one
  const { chosen, shares, credibility } = weigh(similarity, differences, residuals.length)
  const adjusted = chosen.map(at => computeAdjustedPrice(one, similarity, at, credibility))
  const value = Math.log(shares.reduce((sum, share, nth) => sum + share * adjusted[nth]!, 0))
  const signals = collectSignals({
    subject,
    expected,
    shares,
    credibility,
    value,
    residuals: chosen.map(at => residuals[at]!),
    gaps: chosen.map(at => expectedGaps[at]!),
    meters: chosen.map(at => meters[at]!),
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
    .map(item => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
