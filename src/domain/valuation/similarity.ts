/** How alike a comparable and a subject are, and so how much its price says of the subject's. */
import { amenities, type Characteristics } from './property.ts'
import { msPerMonth } from './time.ts'

export interface SimilarityModel {
  /**
   * By how much each difference lowers the weight of a comparable, as a logarithm: 1 leaves 37 % of it. Not negative; in the
   * order of `writeDifferences`.
   */
  penalties: Float64Array
  /**
   * The likeness, as a sum of penalties below 0, at which one comparable alone is half credible: half of its residual is passed
   * on to the subject. Null: all of it is, as there is nothing else to go by.
   */
  halfCredible: number | null
  /** How far adjustments follow what the price model has correction, 0 to 1; for the rest they follow usual prices. */
  modelShare: number
  /** For what is not credible: how far the estimate goes to what all folds of the model expect. About 1. */
  reversion: number
}

export const differenceCount = 22 + amenities.length
/** Of fewer nothing is said; a person may choose fewer. */
export const comparablesMin = 5
export const chosenComparablesMin = 3
/** Of the nearest that are looked at for an estimate; of the likest of these, by their facts; of those that are weighed at last. */
export const candidatesMax = 200
const shortlistMax = 80
export const comparablesMax = 20
/** Of a type or kind that differs by so much in area or bedrooms nothing is learnt. */
export const areaFactorMax = 2
export const bedroomsDifferenceMax = 2

/** Rounded means of what the markets of five sets taught. */
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

/** What lies between a subject and a comparable that their characteristics alone do not tell. */
export interface PairDifference {
  meters: number
  /** From when the comparable's price stood to the moment of the value. */
  ms: number
  /** By how much more the price model expects of the subject, as a logarithm; and how much of that it has learnt. */
  expected: number
  correction: number
  /** What the comparable's price has beyond what is expected of it, as a logarithm. */
  residual: number
}

/**
 * Writes how they differ into `into` from `offset` on: all values are 0 for the same property at the same time and an ordinary
 * price. What is paid for the differences, all together, counts besides each of them. `subject`: what is unknown of it filled in
 * from the comparable, so that only what is told of it sets them apart.
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
  for (let toBit = 0; toBit < amenities.length; toBit++) into[index++] = (differing >> toBit) & 1
}

/** Null: unknown of the comparable alone. */
function absoluteDifference(subject: number | null, comparable: number | null): number | null {
  if (subject === null) return 0
  return comparable === null ? null : Math.abs(subject - comparable)
}

function comparePlots(one: number | null, other: number | null): number {
  return one && other ? Math.min(2, Math.abs(Math.log(one / other))) : 0
}

export interface Weights {
  /** All places, the likest first. */
  mostSimilar: number[]
  /** Places of those that are weighed, the likest first, and their shares, which add up to 1. */
  chosen: number[]
  shares: number[]
  /** How much of their residuals is passed on, 0 to 1: the more, the likelier the comparables. */
  credibility: number
}

/** Weighs comparables by their differences, which stand one after another. */
export function weigh(similarity: SimilarityModel, differences: ArrayLike<number>, count: number): Weights {
  const { penalties, halfCredible } = similarity
  const scores = Float64Array.from(
    { length: count },
    (_, index) => -computePenalty(penalties, differences, index * differenceCount),
  )
  const mostSimilar = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!)
  const chosen = mostSimilar.slice(0, comparablesMax)
  // Of the likest, so that however unlike all are, one of them has a share.
  const highest = scores[chosen[0]!]!
  const shares = chosen.map(index => Math.exp(scores[index]! - highest))
  const sum = shares.reduce((sum, share) => sum + share, 0)
  const credibility = halfCredible === null ? 1 : 1 / (1 + Math.exp(halfCredible - highest - Math.log(sum)))
  return { mostSimilar, chosen, shares: shares.map(share => share / sum), credibility }
}

/** Of differences that stand from `offset` on. */
function computePenalty(penalties: Float64Array, differences: ArrayLike<number>, offset: number): number {
  let sum = 0
  for (let nth = 0; nth < differenceCount; nth++) sum += penalties[nth]! * differences[offset + nth]!
  return sum
}

/** How unlike a comparable is by its facts alone, before anything is asked of a model. */
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

/** The likest by their facts: a model is asked of these alone, as of the others hardly one would be weighed. */
export function selectShortlist<T extends { penalty: number }>(candidates: T[]): T[] {
  return candidates.toSorted((one, other) => one.penalty - other.penalty).slice(0, shortlistMax)
}

/** What of a price no stated fact explains counts up to this, as a logarithm. */
const residualMax = 0.4

/**
 * What the subject is given in the place of a comparable's residual, as a logarithm. `foldOffset`: by how much more all folds of the
 * model expect of the subject than the comparable's own fold does.
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
