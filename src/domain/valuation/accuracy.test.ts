/** The measures of mass appraisal, on cases that can be computed by hand. */
import { expect, test } from 'vitest'
import { computeAccuracy } from './accuracy.ts'

const backtestResult = (price: number, value: number) => ({
  price,
  value,
  low: value * 0.9,
  high: value * 1.1,
})

test('accuracy for the ratios 0.9, 1 and 1.2', () => {
  const accuracy = computeAccuracy([
    backtestResult(100, 90),
    backtestResult(200, 200),
    backtestResult(100, 120),
  ])!
  expect(accuracy).toMatchObject({ count: 3, medianRatio: 1, within5: 1 / 3, within10: 2 / 3, within20: 1 })
  expect(accuracy.mdape).toBeCloseTo(10)
  expect(accuracy.cod).toBeCloseTo(10)
  // The mean of the ratios is 3.1 / 3; the ratio of the sums is 410 / 400.
  expect(accuracy.prd).toBeCloseTo(3.1 / 3 / 1.025)
  // The price 100 is above the range of the first estimate (81 to 99) and below that of the third (108 to 132).
  expect(accuracy.intervalCoverage).toBeCloseTo(1 / 3)
  expect(accuracy.medianHalfWidth).toBeCloseTo(10)
})

test('the price-related differential is above 1 if expensive properties are valued too low', () => {
  expect(computeAccuracy([backtestResult(100, 120), backtestResult(1000, 800)])!.prd).toBeGreaterThan(1.1)
})

test('the standard error of the median shrinks with the number of results', () => {
  const manyResults = Array.from({ length: 1000 }, (_, index) =>
    backtestResult(100, 100 + ((index * 37) % 60) - 30),
  )
  const fewAccuracy = computeAccuracy(manyResults.slice(0, 30))!
  const manyAccuracy = computeAccuracy(manyResults)!
  expect(manyAccuracy.mdapeError).toBeLessThan(fewAccuracy.mdapeError / 2)
})

test('without results there is no accuracy', () => {
  expect(computeAccuracy([])).toBeNull()
})
