/** Similarity of a comparable to a subject, which determines the weight of its price. */
import { amenities, type Characteristics } from './property.ts'
import { msPerMonth } from './time.ts'

export interface SimilarityModel {
  /**
   * By how much each difference lowers the log weight of a comparable: 1 leaves 37 % of the weight. Not negative; in
   * the order of `writeDifferences`.
   */
  penalties: Float64Array
  /**
   * The negative sum of penalties at which a single comparable has credibility 0.5: half of its residual is applied to
   * the subject. Null: not fitted, so the whole residual is applied.
   */
  halfCredible: number | null
  /** The share of the learnt price differences in adjustments, 0 to 1; the rest follows baseline prices. */
  modelShare: number
  /** For the part that is not credible: how far the estimate moves to the mean prediction of all folds. About 1. */
  reversion: number
}

export const differenceCount = 22 + amenities.length
/** Minimum number of comparables for an estimate, and the lower minimum if a user chose them. */
export const comparablesMin = 5
export const chosenComparablesMin = 3
/** Numbers of comparables: the nearest ones, the most similar of these by facts, and those that are weighed. */
export const candidatesMax = 200
const shortlistMax = 80
export const comparablesMax = 20
/** Properties that differ by more than this in area or bedrooms are not compared. */
export const areaFactorMax = 2
export const bedroomsDifferenceMax = 2

/** Rounded means of the fits to five data sets. */
export const defaultSimilarity: SimilarityModel = {
  penalties: Float64Array.from([
    1.5,
    0.4,
    0.3,
    0.8,
    3,
    1.5,
    1,
    1,
    1,
    1.5,
    0.4,
    0.5,
    0.6,
    1,
    2.5,
    1,
    0.3,
    0.5,
    0.2,
    0.5,
    0.5,
    0.5,
    ...amenities.map(() => 0.4),
  ]),
  halfCredible: null,
  modelShare: 0,
  reversion: 0,
}

/** Differences between a subject and a comparable that are not in their characteristics. */
export interface PairDifference {
  meters: number
  /** Time from the price of the comparable to the valuation date, in milliseconds. */
  ms: number
  /**
   * The predicted price of the subject minus that of the comparable, and the part of it that trees have learnt, as
   * logarithms.
   */
  expected: number
  correction: number
  /** The comparable's price relative to its prediction, as a logarithm. */
  residual: number
}

/**
 * Writes the differences into `into`, starting at `offset`. All values are 0 for the same property at the same time
 * with the expected price. The expected price difference as a whole counts besides the individual ones. Unknown facts
 * of `subject` must be filled in from the comparable, so that only stated facts count.
 */
export function writeDifferences(
  into: Float64Array | Float32Array,
  offset: number,
  subject: Characteristics,
  comparable: Characteristics,
  between: PairDifference,
): void {
  const kilometers = between.meters / 1000
  const size = Math.abs(Math.log(subject.squareMeters / comparable.squareMeters))
  const years = absoluteDifference(subject.yearBuilt, comparable.yearBuilt)
  const floors = absoluteDifference(subject.floor, comparable.floor)
  let index = offset
  into[index++] = kilometers
  into[index++] = Math.sqrt(kilometers)
  into[index++] = Math.log1p(kilometers / 0.03)
  into[index++] = kilometers > 0.13 ? 1 : 0
  into[index++] = size
  into[index++] = Math.min(size, 0.1) * 10
  into[index++] = Math.min(3, absoluteDifference(subject.bedrooms, comparable.bedrooms) ?? 0)
  into[index++] = Math.min(2, absoluteDifference(subject.bathrooms, comparable.bathrooms) ?? 0)
  into[index++] = subject.condition === comparable.condition ? 0 : 1
  into[index++] = years === null ? 1 : 0
  into[index++] = Math.min(40, years ?? 0) / 20
  into[index++] = years ? 1 : 0
  into[index++] = (years ?? 0) > 2 ? 1 : 0
  into[index++] = floors === null ? 1 : 0
  into[index++] = Math.min(6, floors ?? 0) / 3
  into[index++] = Math.min(10, Math.abs(between.ms) / msPerMonth / 6)
  into[index++] = subject.subtype === comparable.subtype ? 0 : 1
  into[index++] = comparePlots(subject.plotSquareMeters, comparable.plotSquareMeters)
  into[index++] = (subject.amenities ?? 0) === 0 || comparable.amenities ? 0 : 1
  into[index++] = Math.abs(between.expected) * 3
  into[index++] = Math.abs(between.correction) * 3
  into[index++] = Math.min(1, Math.abs(between.residual)) * 3
  const differing =
    ((subject.amenities ?? 0) ^ (comparable.amenities ?? 0)) & ~(subject.amenitiesUnknown ?? 0)
  for (let bit = 0; bit < amenities.length; bit++) into[index++] = (differing >> bit) & 1
}

/** Null: unknown only for the comparable. */
function absoluteDifference(subject: number | null, comparable: number | null): number | null {
  if (subject === null) return 0
  return comparable === null ? null : Math.abs(subject - comparable)
}

function comparePlots(one: number | null, other: number | null): number {
  return one && other ? Math.min(2, Math.abs(Math.log(one / other))) : 0
}

export interface Weights {
  /** Indexes of all comparables, the most similar first. */
  mostSimilar: number[]
  /** Indexes of the weighed comparables, the most similar first, and their shares, which add up to 1. */
  chosen: number[]
  shares: number[]
  /** The share of their residuals that is applied, 0 to 1: it grows with similarity. */
  credibility: number
}

/** Weighs comparables by their differences, which are stored one after another. */
export function weigh(similarity: SimilarityModel, differences: ArrayLike<number>, count: number): Weights {
  const { penalties, halfCredible } = similarity
  const scores = Float64Array.from(
    { length: count },
    (_, index) => -computePenalty(penalties, differences, index * differenceCount),
  )
  const mostSimilar = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!)
  const chosen = mostSimilar.slice(0, comparablesMax)
  // Relative to the highest score, so that at least one has a share, however dissimilar they are.
  const highest = scores[chosen[0]!]!
  const shares = chosen.map(index => Math.exp(scores[index]! - highest))
  const sum = shares.reduce((sum, share) => sum + share, 0)
  const credibility = halfCredible === null ? 1 : 1 / (1 + Math.exp(halfCredible - highest - Math.log(sum)))
  return { mostSimilar, chosen, shares: shares.map(share => share / sum), credibility }
}

/** The penalty of the differences that start at `offset`. */
function computePenalty(penalties: Float64Array, differences: ArrayLike<number>, offset: number): number {
  let sum = 0
  for (let nth = 0; nth < differenceCount; nth++) sum += penalties[nth]! * differences[offset + nth]!
  return sum
}

/** Dissimilarity by facts alone, without predictions of a model. */
export function computeFactPenalty(
  subject: Characteristics,
  comparable: Characteristics,
  between: Pick<PairDifference, 'meters' | 'ms'>,
): number {
  const differences = new Float64Array(differenceCount)
  writeDifferences(differences, 0, subject, comparable, {
    ...between,
    expected: 0,
    correction: 0,
    residual: 0,
  })
  return computePenalty(defaultSimilarity.penalties, differences, 0)
}

/** The most similar candidates by facts. Only these need predictions: the others would have hardly any weight. */
export function selectShortlist<T extends { penalty: number }>(candidates: T[]): T[] {
  return candidates.toSorted((one, other) => one.penalty - other.penalty).slice(0, shortlistMax)
}

/** Maximum residual that counts, as a logarithm. */
const residualMax = 0.4

/**
 * The residual that is applied to the subject in place of the comparable's, as a logarithm. `foldOffset`: the
 * price of the subject that all folds predict, minus the one that the comparable's own fold predicts.
 */
export function shrinkResidual(
  similarity: SimilarityModel,
  residual: number,
  credibility: number,
  foldOffset: number,
): number {
  if (similarity.halfCredible === null) return residual
  return credibility * clampResidual(residual) + (1 - credibility) * similarity.reversion * foldOffset
}

export function clampResidual(residual: number): number {
  return Math.max(-residualMax, Math.min(residualMax, residual))
}
