/** Accuracy of estimates, in the measures of mass appraisal (IAAO, "Standard on Ratio Studies", 2013). */
import { createRandom } from '../random.ts'

export interface Accuracy {
  /** Properties that were valued without using their price. */
  count: number
  /** Median ratio of estimate to price. 1 means neither too high nor too low. */
  medianRatio: number
  /** Coefficient of dispersion: mean absolute deviation of the ratios from their median, in percent of the median. */
  cod: number
  /**
   * Price-related differential: mean ratio / price-weighted mean ratio. Above 1: expensive homes are valued too low.
   */
  prd: number
  /** Median absolute percentage error, in percent. */
  mdape: number
  /** Standard error of `mdape`, from a bootstrap. */
  mdapeError: number
  /** Shares of estimates within 5, 10 and 20 % of the price, 0 to 1. */
  within5: number
  within10: number
  within20: number
  /** Share of prices inside the 80 % range, 0 to 1. */
  intervalCoverage: number
  /** Median of half the width of the range, in percent of the value. */
  medianHalfWidth: number
}

export interface BacktestResult {
  price: number
  value: number
  low: number
  high: number
}

const bootstraps = 200

/** Returns null if there are no results. */
export function computeAccuracy(results: BacktestResult[]): Accuracy | null {
  if (results.length === 0) return null
  const ratios = results.map(({ value, price }) => value / price)
  const errors = ratios.map(ratio => Math.abs(ratio - 1))
  const medianRatio = computeMedian(ratios)
  const weightedRatio = sum(results, ({ value }) => value) / sum(results, ({ price }) => price)
  const within = (limit: number) => errors.filter(error => error <= limit).length / errors.length
  return {
    count: results.length,
    medianRatio,
    cod: (100 * mean(ratios.map(ratio => Math.abs(ratio - medianRatio)))) / medianRatio,
    prd: mean(ratios) / weightedRatio,
    mdape: 100 * computeMedian(errors),
    mdapeError: 100 * computeBootstrapError(errors),
    within5: within(0.05),
    within10: within(0.1),
    within20: within(0.2),
    intervalCoverage: mean(results.map(({ price, low, high }) => Number(price >= low && price <= high))),
    medianHalfWidth: 100 * computeMedian(results.map(({ value, low, high }) => (high - low) / 2 / value)),
  }
}

/** Standard deviation of the medians of samples drawn with replacement (Efron, 1979). */
function computeBootstrapError(errors: number[]): number {
  const random = createRandom(3)
  const medians = Array.from({ length: bootstraps }, () =>
    computeMedian(errors.map(() => errors[Math.floor(random() * errors.length)]!)),
  )
  const centre = mean(medians)
  return Math.sqrt(mean(medians.map(median => (median - centre) ** 2)))
}

function computeMedian(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function mean(values: number[]): number {
  return sum(values, value => value) / values.length
}

function sum<T>(list: T[], value: (item: T) => number): number {
  return list.reduce((total, item) => total + value(item), 0)
}
