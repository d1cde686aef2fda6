/**
 * Learns which differences between comparables matter, from properties whose price is known: each is valued from its
 * neighbours, and the penalties follow the gradient of the error (Adam: Kingma and Ba, 2014).
 */
import { type Random, randomOf } from '../random.ts'
import {
  boundedResidual,
  differenceCount,
  type Likeness,
  passedOn,
  usualLikeness,
  weigh,
} from './likeness.ts'

/** A property whose price is known, among its comparables. Logarithms. */
export interface Example {
  price: number
  /** Of each comparable: the differences, and what its price has beyond what is expected of it. */
  differences: Float32Array
  residuals: Float64Array
  /** What the comparable's own fold expects of the property, and by how much more than of the comparable it has learnt. */
  expectedBy: Float64Array
  learntGaps: Float64Array
  /** By how much more all folds expect of the property than the comparable's own does. */
  asides: Float64Array
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
const firstGuess = { halfCredible: -3, modelShare: 1, reversion: 1 }

/** The same examples give the same likeness. */
export function fitLikeness(examples: Example[]): Likeness {
  const random = randomOf(11)
  // Penalties stay positive as the softplus of what is learnt, the model's share a share as the logistic function.
  const learnt = Float64Array.from(usualLikeness.penalties, penalty => Math.log(Math.expm1(penalty)))
  const parameters = Float64Array.from([...learnt, ...Object.values(firstGuess)])
  const step = adam(parameters)
  const order = [...examples]
  for (let round = 0; round < rounds; round++) {
    shuffle(order, random)
    const rate = round < rounds * 0.6 ? 0.05 : 0.015
    for (let from = 0; from < order.length; from += batchSize) {
      const likeness = likenessOf(parameters)
      const gradient = new Float64Array(parameterCount)
      const batch = order.slice(from, from + batchSize)
      for (const example of batch) addGradient(gradient, example, likeness)
      for (let at = 0; at < parameterCount; at++) gradient[at]! *= slopeOf(parameters, at) / batch.length
      step(gradient, rate)
    }
  }
  return likenessOf(parameters)
}

function likenessOf(parameters: Float64Array): Likeness {
  return {
    penalties: parameters.slice(0, differenceCount).map(value => Math.log1p(Math.exp(value))),
    halfCredible: parameters[halfCredibleAt]!,
    modelShare: sigmoid(parameters[modelShareAt]!),
    reversion: parameters[reversionAt]!,
  }
}

/** By how much each rises with what is learnt of it. */
function slopeOf(parameters: Float64Array, at: number): number {
  const share = sigmoid(parameters[at]!)
  if (at === halfCredibleAt || at === reversionAt) return 1
  return at === modelShareAt ? share * (1 - share) : share
}

function addGradient(gradient: Float64Array, example: Example, likeness: Likeness): void {
  const { differences, residuals, learntGaps } = example
  const { reversion } = likeness
  const { chosen, shares, credibility } = weigh(likeness, differences, residuals.length)
  const own = chosen.map(at => boundedResidual(residuals[at]!))
  const aside = chosen.map(at => example.asides[at]!)
  const prices = chosen.map(at => adjustedPrice(example, likeness, at, credibility))
  const value = sumOf(shares, nth => prices[nth]!)
  const error = Math.log(value) - example.price
  const pull = error / Math.hypot(error, smallError) / value
  // By how much the value rises with the logarithm of credibility / (1 - credibility).
  const byCredibility =
    sumOf(shares, nth => prices[nth]! * (own[nth]! - reversion * aside[nth]!)) *
    credibility *
    (1 - credibility)
  for (const [nth, at] of chosen.entries()) {
    const byScore = shares[nth]! * (prices[nth]! - value + byCredibility)
    const offset = at * differenceCount
    for (let of = 0; of < differenceCount; of++) gradient[of]! -= pull * byScore * differences[offset + of]!
  }
  gradient[halfCredibleAt]! -= pull * byCredibility
  gradient[modelShareAt]! += pull * sumOf(shares, nth => prices[nth]! * learntGaps[chosen[nth]!]!)
  gradient[reversionAt]! += pull * (1 - credibility) * sumOf(shares, nth => prices[nth]! * aside[nth]!)
}

/** What a comparable would cost if it were the property: as `adjustmentsOf` has it, without the rounding. */
export function adjustedPrice(
  { residuals, expectedBy, learntGaps, asides }: Example,
  likeness: Likeness,
  at: number,
  credibility: number,
): number {
  const own = expectedBy[at]! - (1 - likeness.modelShare) * learntGaps[at]!
  return Math.exp(own + passedOn(likeness, residuals[at]!, credibility, asides[at]!))
}

function sumOf(shares: number[], value: (nth: number) => number): number {
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
