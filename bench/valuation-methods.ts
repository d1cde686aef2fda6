/** The compared methods of estimation. */
import type { BacktestResult } from '../src/domain/valuation/accuracy.ts'
import { predictTrees } from '../src/domain/valuation/boosted-trees.ts'
import { coverage } from '../src/domain/valuation/error-model.ts'
import { estimateValue } from '../src/domain/valuation/estimate.ts'
import { fitMarket } from '../src/domain/valuation/fit-market.ts'
import { defaultBoosting, fitTrees } from '../src/domain/valuation/fit-trees.ts'
import { defaultMarketModel, type MarketModel } from '../src/domain/valuation/market-model.ts'
import { createNearestFinder } from '../src/domain/valuation/nearest.ts'
import { amenities, type Comparable } from '../src/domain/valuation/property.ts'
import { candidatesMax } from '../src/domain/valuation/similarity.ts'

export const methods = {
  /** Median price per square metre of the ten nearest. */
  nearest: createNearestValuer,
  /** Boosted trees only, with a range by split conformal prediction. */
  trees: createTreesValuer,
  /** The product without a fitted model. */
  usual: (reference: Comparable[]) => createValuer(reference, defaultMarketModel),
  product: (reference: Comparable[]) =>
    createValuer(reference, fitMarket(reference, 'bench')?.model ?? defaultMarketModel),
} satisfies Record<string, (reference: Comparable[]) => (subjects: Comparable[]) => BacktestResult[]>

/** Known facts of a subject; comparables have all facts of the set. */
export const descriptions = {
  whole: {},
  /** All fields of the API. */
  api: { subtype: null, isPartiallyDescribed: true },
  /** The fields in the examples of the API. */
  withoutFloorAndYear: { subtype: null, floor: null, yearBuilt: null, isPartiallyDescribed: true },
  /** The required fields of a request. */
  minimal: {
    subtype: null,
    floor: null,
    yearBuilt: null,
    condition: null,
    amenities: null,
    plotSquareMeters: null,
    isPartiallyDescribed: true,
  },
} satisfies Record<string, Partial<Comparable>>

function createValuer(reference: Comparable[], model: MarketModel) {
  const nearest = createNearestFinder(reference)
  return (subjects: Comparable[]) =>
    subjects.flatMap(subject => {
      const near = nearest(subject, candidatesMax).map(({ property }) => property)
      const estimate = estimateValue({ characteristics: subject, asOf: subject.seenAt }, near, model)
      return estimate ? [{ ...estimate, price: subject.price }] : []
    })
}

function createNearestValuer(reference: Comparable[]) {
  const withoutBedrooms = reference.map(property => ({ ...property, bedrooms: null }))
  const nearest = createNearestFinder(withoutBedrooms)
  return (subjects: Comparable[]) =>
    subjects.map(subject => {
      const prices = nearest({ ...subject, bedrooms: null }, 10)
        .map(({ property }) => property.price / property.squareMeters)
        .sort((a, b) => a - b)
      const value = prices[prices.length >> 1]! * subject.squareMeters
      return { price: subject.price, value, low: value, high: value }
    })
}

function createTreesValuer(reference: Comparable[]) {
  const isHeldBack = (_: Comparable, index: number) => index % 5 === 0
  const [calibration, training] = [
    reference.filter(isHeldBack),
    reference.filter((one, index) => !isHeldBack(one, index)),
  ]
  const fitPredictor = (rows: Comparable[]) => {
    const columns = toFeatures(rows[0]!).map((_, index) =>
      Float64Array.from(rows, row => toFeatures(row)[index]!),
    )
    const targets = Float64Array.from(rows, ({ price, squareMeters }) => Math.log(price / squareMeters))
    const trees = fitTrees(columns, targets, defaultBoosting)
    return (row: Comparable) => predictTrees(trees, toFeatures(row)) + Math.log(row.squareMeters)
  }
  const partialFit = fitPredictor(training)
  const errors = calibration.map(row => Math.abs(partialFit(row) - Math.log(row.price))).sort((a, b) => a - b)
  const halfWidth = errors[Math.ceil(coverage * (errors.length + 1)) - 1]!
  const predict = fitPredictor(reference)
  return (subjects: Comparable[]) =>
    subjects.map(subject => {
      const [low, value, high] = [-halfWidth, 0, halfWidth].map(offset => Math.exp(predict(subject) + offset))
      return { price: subject.price, value: value!, low: low!, high: high! }
    })
}

function toFeatures(row: Comparable): number[] {
  const { latitude, longitude, squareMeters, bedrooms, condition, amenities: set } = row
  return [
    latitude,
    longitude,
    latitude + longitude,
    latitude - longitude,
    Math.log(squareMeters),
    bedrooms,
    row.bathrooms,
    squareMeters / Math.max(1, bedrooms ?? 1),
    condition === null ? null : ['to_renovate', 'good', 'new'].indexOf(condition),
    row.floor,
    row.yearBuilt,
    row.seenAt.epochMilliseconds,
    row.plotSquareMeters,
    row.subtype?.charCodeAt(0) ?? null,
    ...amenities.map((_, bit) => ((set ?? 0) >> bit) & 1),
  ].map(value => value ?? Number.NaN)
}
