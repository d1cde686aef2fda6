/**
 * Learns which differences between comparables matter, from properties whose price is known: each is valued from its
 * neighbours, and the penalties follow the gradient of the error (Adam: Kingma and Ba, 2014).
 */
import { createRandom, type Random } from '../random.ts'
import {
  clampResidual,
  defaultSimilarity,
  differenceCount,
  type SimilarityModel,
  shrinkResidual,
  weigh,
} from './similarity.ts'

/** A property whose price is known, among its comparables. Logarithms. */
export interface Example {
  price: number
  /** Of each comparable: the differences, and what its price has beyond what is expected of it. */
  differences: Float32Array
  residuals: Float64Array
  /** What the comparable's own fold expects of the property, and by how much more than of the comparable it has learnt. */
  expectedBy: Float64Array
  correctionGaps: Float64Array
  /** By how much more all folds expect of the property than the comparable's own does. */
  foldOffsets: Float64Array
}

const rounds = 8
const batchSize = 100
/** Errors well above this count by their size, below it by their square; in logarithms of the price. */
const smallError = 0.04
/** Behind the penalties. */
const halfCredibleAt = differenceCount
const modelShareAt = differenceCount + 1
const reversionAt = differenceCount + 2
const parameterCount = differenceCount + 3
const initialParameters = { halfCredible: -3, modelShare: 1, reversion: 1 }

/** The same examples give the same likeness. */
export function fitSimilarity(examples: Example[]): SimilarityModel {
  const random = createRandom(11)
  // Penalties stay positive as the softplus of what is learnt, the model's share a share as the logistic function.
  const logPenalties = Float64Array.from(defaultSimilarity.penalties, penalty =>
    Math.log(Math.expm1(penalty)),
  )
  const parameters = Float64Array.from([...logPenalties, ...Object.values(initialParameters)])
  const step = adam(parameters)
  const order = [...examples]
  for (let round = 0; round < rounds; round++) {
    shuffle(order, random)
    const rate = round < rounds * 0.6 ? 0.05 : 0.015
    for (let from = 0; from < order.length; from += batchSize) {
      const similarity = toSimilarityModel(parameters)
      const gradient = new Float64Array(parameterCount)
      const batch = order.slice(from, from + batchSize)
      for (const example of batch) addGradient(gradient, example, similarity)
      for (let at = 0; at < parameterCount; at++) gradient[at]! *= computeSlope(parameters, at) / batch.length
      step(gradient, rate)
    }
  }
  return toSimilarityModel(parameters)
}

function toSimilarityModel(parameters: Float64Array): SimilarityModel {
  return {
    penalties: parameters.slice(0, differenceCount).map(value => Math.log1p(Math.exp(value))),
    halfCredible: parameters[halfCredibleAt]!,
    modelShare: sigmoid(parameters[modelShareAt]!),
    reversion: parameters[reversionAt]!,
  }
}

/** By how much each rises with what is learnt of it. */
function computeSlope(parameters: Float64Array, at: number): number {
  const share = sigmoid(parameters[at]!)
  if (at === halfCredibleAt || at === reversionAt) return 1
  return at === modelShareAt ? share * (1 - share) : share
}

function addGradient(gradient: Float64Array, example: Example, similarity: SimilarityModel): void {
  const { differences, residuals, correctionGaps } = example
  const { reversion } = similarity
  const { chosen, shares, credibility } = weigh(similarity, differences, residuals.length)
  const chosenResiduals = chosen.map(at => clampResidual(residuals[at]!))
  const chosenOffsets = chosen.map(at => example.foldOffsets[at]!)
  const prices = chosen.map(at => computeAdjustedPrice(example, similarity, at, credibility))
  const value = sumWeights(shares, nth => prices[nth]!)
  const error = Math.log(value) - example.price
  const gradientScale = error / Math.hypot(error, smallError) / value
  // By how much the value rises with the logarithm of credibility / (1 - credibility).
  const byCredibility =
    sumWeights(shares, nth => prices[nth]! * (chosenResiduals[nth]! - reversion * chosenOffsets[nth]!)) *
    credibility *
    (1 - credibility)
  for (const [nth, at] of chosen.entries()) {
    const byScore = shares[nth]! * (prices[nth]! - value + byCredibility)
    const offset = at * differenceCount
    for (let of = 0; of < differenceCount; of++)
      gradient[of]! -= gradientScale * byScore * differences[offset + of]!
  }
  gradient[halfCredibleAt]! -= gradientScale * byCredibility
  gradient[modelShareAt]! +=
    gradientScale * sumWeights(shares, nth => prices[nth]! * correctionGaps[chosen[nth]!]!)
  gradient[reversionAt]! +=
    gradientScale * (1 - credibility) * sumWeights(shares, nth => prices[nth]! * chosenOffsets[nth]!)
}

/** What a comparable would cost if it were the property: as `adjustmentsOf` has it, without the rounding. */
export function computeAdjustedPrice(
  { residuals, expectedBy, correctionGaps, foldOffsets }: Example,
  similarity: SimilarityModel,
  at: number,
  credibility: number,
): number {
  const chosenResiduals = expectedBy[at]! - (1 - similarity.modelShare) * correctionGaps[at]!
  return Math.exp(chosenResiduals + shrinkResidual(similarity, residuals[at]!, credibility, foldOffsets[at]!))
}

function sumWeights(shares: number[], value: (nth: number) => number): number {
  return shares.reduce((sum, share, nth) => sum + share * value(nth), 0)
}

function adam(parameters: Float64Array): (gradient: Float64Array, rate: number) => void {
  const means = new Float64Array(parameters.length)
  const squares = new Float64Array(parameters.length)
  let steps = 0
  return (gradient, rate) => {
    steps++
    for (let at = 0; at < parameters.length; at++) {
      means[at] = 0.9 * means[at]! + 0.1 * gradient[at]!
      squares[at] = 0.999 * squares[at]! + 0.001 * gradient[at]! ** 2
      const mean = means[at]! / (1 - 0.9 ** steps)
      const square = squares[at]! / (1 - 0.999 ** steps)
      parameters[at]! -= (rate * mean) / (Math.sqrt(square) + 1e-8)
    }
  }
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value))
}

function shuffle<T>(list: T[], random: Random): void {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[list[at], list[other]] = [list[other]!, list[at]!]
  }
}
