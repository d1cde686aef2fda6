/** Bins keep the order of values, and separate few values exactly. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { binsMax, toBin, toBinEdges } from './feature-bins.ts'

const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 600 })

test('a greater value is never in a lower bin, and no bin is above the maximum', () => {
  fc.assert(
    fc.property(values, fc.double({ noNaN: true }), fc.double({ noNaN: true }), (seen, a, b) => {
      const edges = toBinEdges(Float64Array.from(seen))
      const [low, high] = a < b ? [a, b] : [b, a]
      expect(toBin(edges, low)).toBeLessThanOrEqual(toBin(edges, high))
      expect(toBin(edges, low)).toBeGreaterThanOrEqual(1)
      expect(toBin(edges, Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(binsMax)
    }),
  )
})

test('few values have a bin each', () => {
  const edges = toBinEdges(Float64Array.of(3, 1, 2, 2, 1, 1, 7))
  expect([1, 2, 3, 7].map(value => toBin(edges, value))).toEqual([1, 2, 3, 4])
  expect(toBin(edges, 2.4)).toBe(2)
})

test('many values are spread evenly over the bins', () => {
  const seen = Float64Array.from({ length: 25_400 }, (_, index) => Math.exp(index / 3000))
  const edges = toBinEdges(seen)
  const counts = new Map<number, number>()
  for (const value of seen) {
    const bin = toBin(edges, value)
    counts.set(bin, (counts.get(bin) ?? 0) + 1)
  }
  expect(counts.size).toBe(binsMax - 1)
  expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(2)
})

test('unknown values have their own bin and do not affect the others', () => {
  const edges = toBinEdges(Float64Array.of(Number.NaN, 1, Number.NaN, 2))
  expect(edges).toEqual([1.5])
  expect(toBin(edges, Number.NaN)).toBe(0)
  expect(toBinEdges(Float64Array.of(Number.NaN))).toEqual([])
})
