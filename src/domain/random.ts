/** A seeded pseudo-random generator: the same keys give the same stream on every machine. */

export type Random = () => number

/** A stream of numbers in [0, 1) that depends only on `keys` (integers). */
export function createRandom(...keys: readonly number[]): Random {
  let state = 0x9e3779b9
  for (const key of keys) state = mixBits(state ^ mixBits(key + 0x85ebca6b))
  return () => {
    state = (state + 0x6d2b79f5) | 0
    return (mixBits(state) >>> 0) / 4_294_967_296
  }
}

/** Spreads every bit of a 32-bit integer over all the others. */
export function mixBits(value: number): number {
  let bits = value | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}

export function pickRandom<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!
}

/** An integer from `low` to `high`, both included. */
export function randomInteger(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1))
}

/** A sample of the normal distribution with mean 0 and standard deviation 1. */
export function randomGaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
