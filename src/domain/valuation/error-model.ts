/**
 * The error of an estimate: trees learn the usual size of the error from the signals of the estimate. The range is as
 * wide as needed to contain the `coverage` share of unseen prices (split conformal prediction with normalised scores:
 * Lei et al., "Distribution-free predictive inference for regression", 2018).
 */
import { type BoostedTrees, predictTrees } from './boosted-trees.ts'
import { defaultBoosting, fitTrees } from './fit-trees.ts'
import type { Characteristics } from './property.ts'
import { getUnstatedAmenities } from './unstated.ts'

/** Share of prices that lie in the range. */
export const coverage = 0.8

export interface ErrorModel {
  trees: BoostedTrees | null
  /** Half the range as a multiple of the usual error size; `incompleteWidth` applies to partly described subjects. */
  width: number
  incompleteWidth: number
}

/** Properties of an estimate that predict its error. */
export interface EstimateSignals {
  /** Weighted standard deviation of the residuals, as a logarithm. */
  spread: number
  credibility: number
  /** Weighted mean of the absolute expected price differences, as a logarithm. */
  gap: number
  /** Absolute difference between the estimate and the prediction of the price model, as a logarithm. */
  dissent: number
  /** Number of comparables that are weighed. */
  count: number
  /** Kish's effective sample size: 1 / sum of squared weights. */
  effectiveCount: number
  meanKilometers: number
  nearestKilometers: number
  /** Distance of the fiftieth candidate, or the last: a measure of how thin the market is. */
  reachKilometers: number
  squareMeters: number
  expectedPerSquareMeter: number
  /** True if the subject states the fact. */
  isFloorKnown: boolean
  isYearKnown: boolean
  isConditionKnown: boolean
  areAmenitiesKnown: boolean
  isIncomplete: boolean
}

/** Chosen so that the range holds on the five listing data sets with the default model. */
export const defaultErrorModel: ErrorModel = { trees: null, width: 1.15, incompleteWidth: 1.15 }
/** Minimum error size without fitted trees, also where the prices are all alike. */
const predictedErrorMin = 0.12
const errorFloor = 0.01
/** A rule of thumb: most markets change less in most years. */
const driftPerYear = 0.06
/** The errors that the model learns from include the change of the market within this time. */
export const observedYearsMax = 1
/** The same for distance: far away, prices may be those of another town. */
const driftPerKilometer = 0.015
const observedKilometersMax = 5

/** Errors are learnt from estimates with about this many comparables; a mean of fewer is less certain. */
const typicalCount = 20

/** `residuals`, `gaps`, `shares` and `meters` are those of the weighed comparables, the most similar first. */
export function collectSignals(input: {
  subject: Characteristics
  /** Logarithms of the estimate and of the prediction of the price model. */
  value: number
  expected: number
  residuals: number[]
  /** Expected price differences, as logarithms. */
  gaps: number[]
  shares: number[]
  meters: number[]
  credibility: number
  /** Distances of all candidates. */
  candidateMeters: ArrayLike<number>
}): EstimateSignals {
  const { subject, value, expected, residuals, gaps, shares, meters, credibility, candidateMeters } = input
  const weighted = (value: (nth: number) => number) =>
    shares.reduce((sum, share, nth) => sum + share * value(nth), 0)
  const mean = weighted(nth => residuals[nth]!)
  const reach = Float64Array.from(candidateMeters).sort()[Math.min(49, candidateMeters.length - 1)]!
  const isFloorKnown = subject.floor !== null
  const isYearKnown = subject.yearBuilt !== null
  const isConditionKnown = subject.condition !== null
  const areAmenitiesKnown = getUnstatedAmenities(subject) === 0
  const isFullyDescribed = isFloorKnown && isYearKnown && isConditionKnown && areAmenitiesKnown
  return {
    spread: Math.sqrt(weighted(nth => (residuals[nth]! - mean) ** 2)),
    credibility,
    gap: weighted(nth => Math.abs(gaps[nth]!)),
    dissent: Math.abs(value - expected),
    count: shares.length,
    effectiveCount: 1 / shares.reduce((sum, share) => sum + share ** 2, 0),
    meanKilometers: weighted(nth => meters[nth]!) / 1000,
    nearestKilometers: Math.min(...meters) / 1000,
    reachKilometers: reach / 1000,
    squareMeters: subject.squareMeters,
    expectedPerSquareMeter: Math.exp(expected) / subject.squareMeters,
    isFloorKnown,
    isYearKnown,
    isConditionKnown,
    areAmenitiesKnown,
    isIncomplete: subject.isPartiallyDescribed === true && !isFullyDescribed,
  }
}

/**
 * Half the range, as a logarithm: the range is value / exp(half) to value × exp(half). `ageYears` is the weighted mean
 * age of the prices. Market changes since then, and price levels far from the comparables, were not observed: both
 * widen the range.
 */
export function computeHalfRange(model: ErrorModel, signals: EstimateSignals, ageYears: number): number {
  const drift = driftPerYear * Math.max(0, ageYears - observedYearsMax)
  const remoteness = driftPerKilometer * Math.max(0, signals.meanKilometers - observedKilometersMax)
  const scarcity = Math.sqrt((1 + 1 / signals.count) / (1 + 1 / typicalCount))
  const width = signals.isIncomplete ? model.incompleteWidth : model.width
  const half = Math.hypot(scarcity * width * predictErrorSize(model.trees, signals), drift, remoteness)
  return Math.max(0.02, Math.min(1.5, half))
}

function predictErrorSize(trees: BoostedTrees | null, signals: EstimateSignals): number {
  if (!trees) return Math.hypot(predictedErrorMin, signals.spread, 0.5 / (1 + signals.effectiveCount))
  return Math.exp(predictTrees(trees, toFeatureVector(signals)))
}

export interface ErrorSample {
  signals: EstimateSignals
  /** Estimate minus price, as logarithms. */
  error: number
}

/** With fewer samples, trees would overfit: the default error size is scaled instead. */
const errorSamplesMin = 1000

/** Fits the model to estimates whose error is known. */
export function fitErrorModel(known: ErrorSample[]): ErrorModel {
  if (known.length < errorSamplesMin) return { trees: null, ...computeWidths(known, () => null) }
  // The samples of one property stay in one half, except for one pair in the middle.
  const middle = known.length >> 1
  const halves = [known.slice(0, middle), known.slice(middle)] as const
  const otherHalves = halves.map((_, index) => fitErrorSizes(halves[1 - index]!))
  return {
    trees: fitErrorSizes(known),
    ...computeWidths(known, index => otherHalves[index < middle ? 0 : 1]!),
  }
}

/** Widths such that `coverage` of the errors lie in the range, each predicted by trees that have not seen it. */
function computeWidths(
  known: ErrorSample[],
  getTrees: (index: number) => BoostedTrees | null,
): Omit<ErrorModel, 'trees'> {
  const scores = known.map(
    ({ signals, error }, index) => Math.abs(error) / predictErrorSize(getTrees(index), signals),
  )
  const computeWidth = (isIncomplete: boolean) => {
    const ownScores = scores.filter((_, index) => known[index]!.signals.isIncomplete === isIncomplete)
    return computeQuantile(ownScores.length > 0 ? ownScores : scores)
  }
  return { width: computeWidth(false), incompleteWidth: computeWidth(true) }
}

/** The conformal quantile: the next score is at most this large in at least `coverage` of cases. */
function computeQuantile(scores: number[]): number {
  const sorted = scores.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(coverage * (sorted.length + 1)) - 1)]!
}

function fitErrorSizes(known: ErrorSample[]): BoostedTrees {
  const rows = known.map(({ signals }) => toFeatureVector(signals))
  const columns = rows[0]!.map((_, feature) => Float64Array.from(rows, row => row[feature]!))
  const sizes = Float64Array.from(known, ({ error }) => Math.log(Math.abs(error) + errorFloor))
  return fitTrees(columns, sizes, {
    ...defaultBoosting,
    trees: 150,
    leavesMax: 6,
    rowsPerLeafMin: Math.max(20, Math.ceil(known.length / 60)),
    outlierFrom: 3,
  })
}

function toFeatureVector(signals: EstimateSignals): number[] {
  return [
    Math.log(signals.spread + 0.01),
    signals.credibility,
    signals.gap,
    signals.dissent,
    signals.effectiveCount,
    signals.meanKilometers,
    signals.nearestKilometers,
    signals.reachKilometers,
    Math.log(signals.squareMeters),
    Math.log(signals.expectedPerSquareMeter),
    Number(signals.isFloorKnown),
    Number(signals.isYearKnown),
    Number(signals.isConditionKnown),
    Number(signals.areAmenitiesKnown),
  ]
}
