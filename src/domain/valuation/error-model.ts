/**
 * How far an estimate may be off: trees learn the usual size of the error from what can be seen of an estimate, and the range
 * is set so wide that it held for the wanted share of properties that the trees have not seen (split conformal prediction with
 * normalised scores: Lei et al., "Distribution-free predictive inference for regression", 2018).
 */
import { type BoostedTrees, predictTrees } from './boosted-trees.ts'
import { fitTrees, usualBoosting } from './fit-trees.ts'
import type { Characteristics } from './property.ts'
import { untoldAmenities } from './unknown.ts'

/** Of cases in which the price lies in the range. */
export const coverage = 0.8

export interface ErrorModel {
  trees: BoostedTrees | null
  /** Half the range as a multiple of the usual size of the error; and where less is told of the subject than of others. */
  width: number
  lessToldWidth: number
}

/** What can be seen of an estimate that tells how sure it is. */
export interface ErrorSigns {
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
  isLessTold: boolean
}

/** Set so that the range holds on the five sets of adverts with a usual model. */
export const usualErrorModel: ErrorModel = { trees: null, width: 1.15, lessToldWidth: 1.15 }
/** Of prices among which nothing sets two properties apart. */
const usualErrorMin = 0.12
const smallestError = 0.01
/** A rule of thumb: most markets move less in most years. Up to a year the errors themselves tell. */
const driftPerYear = 0.06
export const ageKnownYears = 1
/** The same of another town's prices. */
const driftPerKilometer = 0.015
const kilometersKnown = 5

/** Errors are learnt from estimates of about as many comparables; the mean of fewer is less sure by itself. */
const usualCount = 20

/** `residuals`, `gaps`, `shares` and `meters` are those of the comparables that are weighed, the likest first. */
export function signsOf(seen: {
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
}): ErrorSigns {
  const { subject, value, expected, residuals, gaps, shares, meters, credibility, candidateMeters } = seen
  const weighted = (value: (nth: number) => number) =>
    shares.reduce((sum, share, nth) => sum + share * value(nth), 0)
  const mean = weighted(nth => residuals[nth]!)
  const reach = Float64Array.from(candidateMeters).sort()[Math.min(49, candidateMeters.length - 1)]!
  const isFloorKnown = subject.floor !== null
  const isYearKnown = subject.yearBuilt !== null
  const isConditionKnown = subject.condition !== null
  const areAmenitiesKnown = untoldAmenities(subject) === 0
  const isWhole = isFloorKnown && isYearKnown && isConditionKnown && areAmenitiesKnown
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
    ...{ isFloorKnown, isYearKnown, isConditionKnown, areAmenitiesKnown },
    isLessTold: subject.isPartlyTold === true && !isWhole,
  }
}

/**
 * Half the range, as a logarithm: the price lies between the value divided and multiplied by its exponential. `ageYears`: how long
 * ago the prices stood, on average by weight. What the market did meanwhile nobody has seen, nor what is paid far from the
 * comparables: both widen the range.
 */
export function halfRange(model: ErrorModel, signs: ErrorSigns, ageYears: number): number {
  const drift = driftPerYear * Math.max(0, ageYears - ageKnownYears)
  const remoteness = driftPerKilometer * Math.max(0, signs.meanKilometers - kilometersKnown)
  const fewness = Math.sqrt((1 + 1 / signs.count) / (1 + 1 / usualCount))
  const width = signs.isLessTold ? model.lessToldWidth : model.width
  const half = Math.hypot(fewness * width * usualError(model.trees, signs), drift, remoteness)
  return Math.max(0.02, Math.min(1.5, half))
}

function usualError(trees: BoostedTrees | null, signs: ErrorSigns): number {
  if (!trees) return Math.hypot(usualErrorMin, signs.spread, 0.5 / (1 + signs.effectiveCount))
  return Math.exp(predictTrees(trees, featuresOf(signs)))
}

export interface KnownError {
  signs: ErrorSigns
  /** Estimate less price, as logarithms. */
  error: number
}

/** Of fewer errors trees would learn chance: the usual size of errors is stretched to fit them. */
const knownErrorsMin = 1000

/** Learns from estimates whose error is known. */
export function fitErrorModel(known: KnownError[]): ErrorModel {
  if (known.length < knownErrorsMin) return { trees: null, ...widthsOf(known, () => null) }
  // What is known of one property stays together, but for one.
  const middle = known.length >> 1
  const halves = [known.slice(0, middle), known.slice(middle)] as const
  const others = halves.map((_, at) => fitSizes(halves[1 - at]!))
  return { trees: fitSizes(known), ...widthsOf(known, at => others[at < middle ? 0 : 1]!) }
}

/** So wide that the errors lie in the range in `coverage` of cases, each by trees that have not seen it. */
function widthsOf(
  known: KnownError[],
  treesOf: (at: number) => BoostedTrees | null,
): Omit<ErrorModel, 'trees'> {
  const scores = known.map(({ signs, error }, at) => Math.abs(error) / usualError(treesOf(at), signs))
  const widthOf = (isLessTold: boolean) => {
    const own = scores.filter((_, at) => known[at]!.signs.isLessTold === isLessTold)
    return quantileOf(own.length > 0 ? own : scores)
  }
  return { width: widthOf(false), lessToldWidth: widthOf(true) }
}

/** So large that the next score is no larger in at least `coverage` of cases. */
function quantileOf(scores: number[]): number {
  const sorted = scores.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(coverage * (sorted.length + 1)) - 1)]!
}

function fitSizes(known: KnownError[]): BoostedTrees {
  const rows = known.map(({ signs }) => featuresOf(signs))
  const columns = rows[0]!.map((_, feature) => Float64Array.from(rows, row => row[feature]!))
  const sizes = Float64Array.from(known, ({ error }) => Math.log(Math.abs(error) + smallestError))
  return fitTrees(columns, sizes, {
    ...usualBoosting,
    trees: 150,
    leavesMax: 6,
    rowsPerLeafMin: Math.max(20, Math.ceil(known.length / 60)),
    outlierFrom: 3,
  })
}

function featuresOf(signs: ErrorSigns): number[] {
  return [
    Math.log(signs.spread + 0.01),
    signs.credibility,
    signs.gap,
    signs.dissent,
    signs.effectiveCount,
    signs.meanKilometers,
    signs.nearestKilometers,
    signs.reachKilometers,
    Math.log(signs.squareMeters),
    Math.log(signs.expectedPerSquareMeter),
    Number(signs.isFloorKnown),
    Number(signs.isYearKnown),
    Number(signs.isConditionKnown),
    Number(signs.areAmenitiesKnown),
  ]
}
