/**
 * How far an estimate may be off: trees learn the usual size of the error from what can be seen of an estimate, and the range
 * is set so wide that it held for the wanted share of properties that the trees have not seen (split conformal prediction with
 * normalised scores: Lei et al., "Distribution-free predictive inference for regression", 2018).
 */
import { type BoostedTrees, predictTrees } from './boosted-trees.ts'
import { defaultBoosting, fitTrees } from './fit-trees.ts'
import type { Characteristics } from './property.ts'
import { unstatedAmenities } from './unstated.ts'

/** Of cases in which the price lies in the range. */
export const coverage = 0.8

export interface ErrorModel {
  trees: BoostedTrees | null
  /** Half the range as a multiple of the usual size of the error; and where less is told of the subject than of others. */
  width: number
  incompleteWidth: number
}

/** What can be seen of an estimate that tells how sure it is. */
export interface EstimateSignals {
  /** Standard deviation of what prices have beyond what is expected of them, weighted; as a logarithm. */
  spread: number
  credibility: number
  /** Mean size of what is expected to be paid for the differences, weighted; as a logarithm. */
  gap: number
  /** How far the estimate is from what the price model expects, as a logarithm. */
  dissent: number
  /** Of the comparables that are weighed. */
  count: number
  /** The number of equally weighted comparables that would be as many: 1 / sum of squares. */
  effectiveCount: number
  meanKilometers: number
  nearestKilometers: number
  /** Of the fiftieth of the candidates, or the last: how thin the market is. */
  reachKilometers: number
  squareMeters: number
  expectedPerSquareMeter: number
  /** Whether these are known of the subject. */
  isFloorKnown: boolean
  isYearKnown: boolean
  isConditionKnown: boolean
  areAmenitiesKnown: boolean
  isIncomplete: boolean
}

/** Set so that the range holds on the five sets of adverts with a usual model. */
export const defaultErrorModel: ErrorModel = { trees: null, width: 1.15, incompleteWidth: 1.15 }
/** Of prices among which nothing sets two properties apart. */
const predictedErrorMin = 0.12
const errorFloor = 0.01
/** A rule of thumb: most markets move less in most years. Up to a year the errors themselves tell. */
const driftPerYear = 0.06
export const ageKnownYears = 1
/** The same of another town's prices. */
const driftPerKilometer = 0.015
const kilometersKnown = 5

/** Errors are learnt from estimates of about as many comparables; the mean of fewer is less sure by itself. */
const typicalCount = 20

/** `residuals`, `gaps`, `shares` and `meters` are those of the comparables that are weighed, the likest first. */
export function collectSignals(seen: {
  subject: Characteristics
  /** Of the estimate, and of the price model; as logarithms. */
  value: number
  expected: number
  residuals: number[]
  /** What is expected to be paid for the differences, as logarithms. */
  gaps: number[]
  shares: number[]
  meters: number[]
  credibility: number
  /** Of all that could have been weighed. */
  candidateMeters: ArrayLike<number>
}): EstimateSignals {
  const { subject, value, expected, residuals, gaps, shares, meters, credibility, candidateMeters } = seen
  const weighted = (value: (nth: number) => number) =>
    shares.reduce((sum, share, nth) => sum + share * value(nth), 0)
  const mean = weighted(nth => residuals[nth]!)
  const reach = Float64Array.from(candidateMeters).sort()[Math.min(49, candidateMeters.length - 1)]!
  const isFloorKnown = subject.floor !== null
  const isYearKnown = subject.yearBuilt !== null
  const isConditionKnown = subject.condition !== null
  const areAmenitiesKnown = unstatedAmenities(subject) === 0
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
 * Half the range, as a logarithm: the price lies between the value divided and multiplied by its exponential. `ageYears`: how long
 * ago the prices stood, on average by weight. What the market did meanwhile nobody has seen, nor what is paid far from the
 * comparables: both widen the range.
 */
export function computeHalfRange(model: ErrorModel, signals: EstimateSignals, ageYears: number): number {
  const drift = driftPerYear * Math.max(0, ageYears - ageKnownYears)
  const remoteness = driftPerKilometer * Math.max(0, signals.meanKilometers - kilometersKnown)
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
  /** Estimate less price, as logarithms. */
  error: number
}

/** Of fewer errors trees would learn chance: the usual size of errors is stretched to fit them. */
const errorSamplesMin = 1000

/** Learns from estimates whose error is known. */
export function fitErrorModel(known: ErrorSample[]): ErrorModel {
  if (known.length < errorSamplesMin) return { trees: null, ...computeWidths(known, () => null) }
  // What is known of one property stays together, but for one.
  const middle = known.length >> 1
  const halves = [known.slice(0, middle), known.slice(middle)] as const
  const otherHalves = halves.map((_, index) => fitErrorSizes(halves[1 - index]!))
  return {
    trees: fitErrorSizes(known),
    ...computeWidths(known, index => otherHalves[index < middle ? 0 : 1]!),
  }
}

/** So wide that the errors lie in the range in `coverage` of cases, each by trees that have not seen it. */
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

/** So large that the next score is no larger in at least `coverage` of cases. */
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
