/** The measures of mass appraisal, on cases that can be reckoned by hand. */
import { expect, test } from 'vitest'
import { computeAccuracy } from './accuracy.ts'

const backtestResult = (price: number, value: number) => ({
  price,
  value,
  low: value * 0.9,
  high: value * 1.1,
})

test('of ratios 0.9, 1 and 1.2', () => {
  const accuracy = computeAccuracy([
    backtestResult(100, 90),
    backtestResult(200, 200),
    backtestResult(100, 120),
  ])!
  expect(accuracy).toMatchObject({ count: 3, medianRatio: 1, within5: 1 / 3, within10: 2 / 3, within20: 1 })
  expect(accuracy.mdape).toBeCloseTo(10)
  expect(accuracy.cod).toBeCloseTo(10)
  // Mean of the ratios 3.1 / 3, of the sums 410 / 400.
  expect(accuracy.prd).toBeCloseTo(3.1 / 3 / 1.025)
  // 100 lies above 99, and below 108.
  expect(accuracy.intervalCoverage).toBeCloseTo(1 / 3)
  expect(accuracy.medianHalfWidth).toBeCloseTo(10)
})

test('what is dear valued too low shows in a differential above 1', () => {
  expect(computeAccuracy([backtestResult(100, 120), backtestResult(1000, 800)])!.prd).toBeGreaterThan(1.1)
})

test('the error of the median shrinks with the number of trials', () => {
  const manyResults = Array.from({ length: 1000 }, (_, index) =>
    backtestResult(100, 100 + ((index * 37) % 60) - 30),
  )
  const fewResults = computeAccuracy(manyResults.slice(0, 30))!
  const many = computeAccuracy(manyResults)!
  expect(many.mdapeError).toBeLessThan(fewResults.mdapeError / 2)
})

test('of no trials nothing is said', () => {
  expect(computeAccuracy([])).toBeNull()
})
