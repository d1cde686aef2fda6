/**
 * Learns which differences between comparables matter, from properties with known prices. Each is valued from its
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

/** A property with a known price, and its comparables. Prices are logarithms. */
export interface Example {
  price: number
  /** For each comparable: the differences to the property, and the residual of its price. */
  differences: Float32Array
  residuals: Float64Array
  /** For each comparable: what its own fold expects of the property, and the learnt part of the gap between the two. */
  expectedBy: Float64Array
  correctionGaps: Float64Array
  /** By how much more all folds expect of the property than the comparable's own fold does. */
  foldOffsets: Float64Array
}

const rounds = 8
const batchSize = 100
/** Errors well above this count linearly, errors below it count by their square; as logarithms of the price. */
const smallError = 0.04
/** Indexes of the parameters that follow the penalties. */
const halfCredibleAt = differenceCount
const modelShareAt = differenceCount + 1
const reversionAt = differenceCount + 2
const parameterCount = differenceCount + 3
const initialParameters = { halfCredible: -3, modelShare: 1, reversion: 1 }

/** The same examples give the same model. */
export function fitSimilarity(examples: Example[]): SimilarityModel {
  const random = createRandom(11)
  // Penalties stay positive as the softplus of their parameter; the model's share is the logistic function of its
  // parameter.
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

/** The derivative of each model value with respect to its parameter. */
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
  // The derivative of the value with respect to the logit of the credibility.
  const byCredibility =
    sumWeights(shares, nth => prices[nth]! * (chosenResiduals[nth]! - reversion * chosenOffsets[nth]!)) *
    credibility *
    (1 - credibility)
  for (const [nth, at] of chosen.entries()) {
    const byScore = shares[nth]! * (prices[nth]! - value + byCredibility)
    const offset = at * differenceCount
    for (let feature = 0; feature < differenceCount; feature++)
      gradient[feature]! -= gradientScale * byScore * differences[offset + feature]!
  }
  gradient[halfCredibleAt]! -= gradientScale * byCredibility
  gradient[modelShareAt]! +=
    gradientScale * sumWeights(shares, nth => prices[nth]! * correctionGaps[chosen[nth]!]!)
  gradient[reversionAt]! +=
    gradientScale * (1 - credibility) * sumWeights(shares, nth => prices[nth]! * chosenOffsets[nth]!)
}

/** The price of a comparable if it were the property, as in `computeAdjustments`, without rounding. */
export function computeAdjustedPrice(
  { residuals, expectedBy, correctionGaps, foldOffsets }: Example,
  similarity: SimilarityModel,
  at: number,
  credibility: number,
): number {
  const expected = expectedBy[at]! - (1 - similarity.modelShare) * correctionGaps[at]!
  return Math.exp(expected + shrinkResidual(similarity, residuals[at]!, credibility, foldOffsets[at]!))
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
