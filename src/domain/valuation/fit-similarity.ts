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
  /** For each comparable: the price of the property that the comparable's fold predicts. */
  expectedBy: Float64Array
  /** For each comparable: the predicted price gap between the property and it, only the part that trees have learnt. */
  correctionGaps: Float64Array
  /** For each comparable: the price of the property that all folds predict, minus the one that its own fold predicts. */
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
  // A penalty is the softplus of its parameter, so it stays positive. The model's share is the logistic function of its
  // parameter.
  const penaltyParameters = Float64Array.from(defaultSimilarity.penalties, penalty =>
    Math.log(Math.expm1(penalty)),
  )
  const parameters = Float64Array.from([...penaltyParameters, ...Object.values(initialParameters)])
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
      for (let index = 0; index < parameterCount; index++)
        gradient[index]! *= computeSlope(parameters, index) / batch.length
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
function computeSlope(parameters: Float64Array, index: number): number {
  const share = sigmoid(parameters[index]!)
  if (index === halfCredibleAt || index === reversionAt) return 1
  return index === modelShareAt ? share * (1 - share) : share
}

function addGradient(gradient: Float64Array, example: Example, similarity: SimilarityModel): void {
  const { differences, residuals, correctionGaps } = example
  const { reversion } = similarity
  const { chosen, shares, credibility } = weigh(similarity, differences, residuals.length)
  const chosenResiduals = chosen.map(index => clampResidual(residuals[index]!))
  const chosenOffsets = chosen.map(index => example.foldOffsets[index]!)
  const prices = chosen.map(index => computeAdjustedPrice(example, similarity, index, credibility))
  const value = sumWeights(shares, nth => prices[nth]!)
  const error = Math.log(value) - example.price
  const gradientScale = error / Math.hypot(error, smallError) / value
  // The derivative of the value with respect to the logit of the credibility.
  const byCredibility =
    sumWeights(shares, nth => prices[nth]! * (chosenResiduals[nth]! - reversion * chosenOffsets[nth]!)) *
    credibility *
    (1 - credibility)
  for (const [nth, index] of chosen.entries()) {
    const byScore = shares[nth]! * (prices[nth]! - value + byCredibility)
    const offset = index * differenceCount
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
  index: number,
  credibility: number,
): number {
  const expected = expectedBy[index]! - (1 - similarity.modelShare) * correctionGaps[index]!
  return Math.exp(expected + shrinkResidual(similarity, residuals[index]!, credibility, foldOffsets[index]!))
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
    for (let index = 0; index < parameters.length; index++) {
      means[index] = 0.9 * means[index]! + 0.1 * gradient[index]!
      squares[index] = 0.999 * squares[index]! + 0.001 * gradient[index]! ** 2
      const mean = means[index]! / (1 - 0.9 ** steps)
      const square = squares[index]! / (1 - 0.999 ** steps)
      parameters[index]! -= (rate * mean) / (Math.sqrt(square) + 1e-8)
    }
  }
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value))
}

function shuffle<T>(list: T[], random: Random): void {
  for (let index = list.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    ;[list[index], list[other]] = [list[other]!, list[index]!]
  }
}
