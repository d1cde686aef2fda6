/**
 * Learns which differences between comparables matter, from properties whose price is known: each is valued from its
 * neighbours, and the penalties follow the gradient of the error (Adam: Kingma and Ba, 2014).
 */
import { type Random, randomOf } from '../random.ts'
import { boundedBeyond, differenceCount, type Likeness, usualLikeness, weigh } from './likeness.ts'

/** A property whose price is known, among its comparables. */
export interface Example {
  /** Logarithms. `expected`: by a model that has not seen the price. */
  price: number
  expected: number
  /** Of each comparable: the differences, and what its price has beyond what a model expects that has not seen it. */
  differences: Float32Array
  beyond: Float64Array
  /** And by how much the model has more learnt to be paid for the property than for the comparable. */
  learntGap: Float64Array
}

const rounds = 8
const batchSize = 100
/** Errors well above this count by their size, below it by their square; in logarithms of the price. */
const smallError = 0.04
/** Behind the penalties. */
const trustAt = differenceCount
const voiceAt = differenceCount + 1
const parameterCount = differenceCount + 2

/** The same examples give the same likeness. */
export function fitLikeness(examples: Example[]): Likeness {
  const random = randomOf(11)
  // Penalties stay positive as the softplus of what is learnt, the voice a share as the logistic function.
  const learnt = Float64Array.from(usualLikeness.penalties, penalty => Math.log(Math.expm1(penalty)))
  const parameters = Float64Array.from([...learnt, -3, 1])
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
    trust: parameters[trustAt]!,
    voice: sigmoid(parameters[voiceAt]!),
  }
}

/** By how much a penalty, the trust or the voice rises with what is learnt of it. */
function slopeOf(parameters: Float64Array, at: number): number {
  const share = sigmoid(parameters[at]!)
  if (at === trustAt) return 1
  return at === voiceAt ? share * (1 - share) : share
}

function addGradient(gradient: Float64Array, example: Example, likeness: Likeness): void {
  const { differences, beyond, learntGap } = example
  const { voice } = likeness
  const { chosen, shares, kept } = weigh(likeness, differences, beyond.length)
  const own = chosen.map(at => boundedBeyond(beyond[at]!))
  const plain = chosen.map((at, nth) => own[nth]! - learntGap[at]!)
  const ratios = chosen.map((_, nth) => Math.exp(voice * kept * own[nth]! + (1 - voice) * plain[nth]!))
  const ratio = sumOf(shares, nth => ratios[nth]!)
  const error = example.expected + Math.log(ratio) - example.price
  const pull = error / Math.hypot(error, smallError) / ratio
  // By how much the ratio rises with the logarithm of kept / (1 - kept).
  const byKept = sumOf(shares, nth => ratios[nth]! * own[nth]!) * voice * kept * (1 - kept)
  for (const [nth, at] of chosen.entries()) {
    const byScore = shares[nth]! * (ratios[nth]! - ratio + byKept)
    const offset = at * differenceCount
    for (let of = 0; of < differenceCount; of++) gradient[of]! -= pull * byScore * differences[offset + of]!
  }
  gradient[trustAt]! -= pull * byKept
  gradient[voiceAt]! += pull * sumOf(shares, nth => ratios[nth]! * (kept * own[nth]! - plain[nth]!))
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
