/** Intervals of rates and of their differences, against published figures. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareRates, toRateInterval } from './compare-rates.ts'

const round = (value: number) => Math.round(value * 10_000) / 10_000

test("a rate has Wilson's interval", () => {
  // Newcombe, Statistics in Medicine 17 (1998) 857, table I.
  const { low, high } = toRateInterval({ count: 81, total: 263 })
  expect([round(low), round(high)]).toEqual([0.2553, 0.3662])
  expect(round(toRateInterval({ count: 0, total: 20 }).high)).toBe(0.1611)
  expect(toRateInterval({ count: 0, total: 0 })).toEqual({ low: 0, high: 1 })
})

test("a difference has Newcombe's interval", () => {
  // Newcombe, Statistics in Medicine 17 (1998) 873, table II, method 10.
  const published: [number, number, number, number, number, number][] = [
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [10, 10, 0, 20, 0.6791, 1],
  ]
  for (const [count, total, otherCount, otherTotal, low, high] of published) {
    const result = compareRates({ count: otherCount, total: otherTotal }, { count, total })!
    expect([round(result.low), round(result.high)]).toEqual([low, high])
    expect(result.isSignificant).toBe(true)
  }
})

test('nothing is compared with nothing', () => {
  expect(compareRates({ count: 0, total: 0 }, { count: 1, total: 2 })).toBeNull()
})

const shares = fc
  .tuple(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([total, part]) => ({ total, count: Math.round(total * part) }))

test('an interval contains its value, and exchanging the rates changes its sign', () => {
  fc.assert(
    fc.property(shares, shares, (first, second) => {
      const there = compareRates(first, second)!
      const back = compareRates(second, first)!
      expect(there.low).toBeLessThanOrEqual(there.difference + 1e-9)
      expect(there.high).toBeGreaterThanOrEqual(there.difference - 1e-9)
      expect(there.low).toBeCloseTo(-back.high, 9)
      expect(there.low).toBeGreaterThanOrEqual(-1 - 1e-9)
      expect(there.high).toBeLessThanOrEqual(1 + 1e-9)
    }),
  )
})
