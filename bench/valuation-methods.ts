/** The ways of making estimates that are compared. */
import type { Trial } from '../src/domain/valuation/accuracy.ts'
import { predictTrees } from '../src/domain/valuation/boosted-trees.ts'
import { coverage } from '../src/domain/valuation/error-model.ts'
import { estimateValue } from '../src/domain/valuation/estimate.ts'
import { fitMarket } from '../src/domain/valuation/fit-market.ts'
import { fitTrees, usualBoosting } from '../src/domain/valuation/fit-trees.ts'
import { candidatesMax } from '../src/domain/valuation/likeness.ts'
import { type MarketModel, usualMarketModel } from '../src/domain/valuation/market-model.ts'
import { nearestAmong } from '../src/domain/valuation/near.ts'
import { amenities, type Comparable } from '../src/domain/valuation/property.ts'

export const methods = {
  /** Median price per square metre of the ten nearest. */
  nearest: tryNearest,
  /** Boosted trees alone, with a range by split conformal prediction. */
  trees: tryTrees,
  /** The product before anything was learnt. */
  usual: (reference: Comparable[]) => valuer(reference, usualMarketModel),
  product: (reference: Comparable[]) =>
    valuer(reference, fitMarket(reference, 'bench')?.model ?? usualMarketModel),
} satisfies Record<string, (reference: Comparable[]) => (subjects: Comparable[]) => Trial[]>

/** What is said of a property that is to be valued; of comparables all is known that the set knows. */
export const descriptions = {
  whole: {},
  /** What the API has fields for. */
  api: { subtype: null, isPartlyTold: true },
  /** What the reference of the API names. */
  noFloorNorYear: { ...{ subtype: null, floor: null, yearBuilt: null }, isPartlyTold: true },
  /** What a request has to state. */
  least: {
    ...{ subtype: null, floor: null, yearBuilt: null, condition: null, amenities: null },
    ...{ plotSquareMeters: null, isPartlyTold: true },
  },
} satisfies Record<string, Partial<Comparable>>

function valuer(reference: Comparable[], model: MarketModel) {
  const nearest = nearestAmong(reference)
  return (subjects: Comparable[]) =>
    subjects.flatMap(subject => {
      const near = nearest(subject, candidatesMax).map(({ property }) => property)
      const estimate = estimateValue({ characteristics: subject, asOf: subject.seenAt }, near, model)
      return estimate ? [{ ...estimate, price: subject.price }] : []
    })
}

function tryNearest(reference: Comparable[]) {
  const anyLike = reference.map(property => ({ ...property, bedrooms: null }))
  const nearest = nearestAmong(anyLike)
  return (subjects: Comparable[]) =>
    subjects.map(subject => {
      const prices = nearest({ ...subject, bedrooms: null }, 10)
        .map(({ property }) => property.price / property.squareMeters)
        .sort((a, b) => a - b)
      const value = prices[prices.length >> 1]! * subject.squareMeters
      return { price: subject.price, value, low: value, high: value }
    })
}

function tryTrees(reference: Comparable[]) {
  const isHeldBack = (_: Comparable, at: number) => at % 5 === 0
  const [held, seen] = [reference.filter(isHeldBack), reference.filter((one, at) => !isHeldBack(one, at))]
  const predictor = (rows: Comparable[]) => {
    const columns = featuresOf(rows[0]!).map((_, at) => Float64Array.from(rows, row => featuresOf(row)[at]!))
    const targets = Float64Array.from(rows, ({ price, squareMeters }) => Math.log(price / squareMeters))
    const trees = fitTrees(columns, targets, usualBoosting)
    return (row: Comparable) => predictTrees(trees, featuresOf(row)) + Math.log(row.squareMeters)
  }
  const partly = predictor(seen)
  const errors = held.map(row => Math.abs(partly(row) - Math.log(row.price))).sort((a, b) => a - b)
  const half = errors[Math.ceil(coverage * (errors.length + 1)) - 1]!
  const predict = predictor(reference)
  return (subjects: Comparable[]) =>
    subjects.map(subject => {
      const [low, value, high] = [-half, 0, half].map(by => Math.exp(predict(subject) + by))
      return { price: subject.price, value: value!, low: low!, high: high! }
    })
}

function featuresOf(row: Comparable): number[] {
  const { latitude, longitude, squareMeters, bedrooms, condition, amenities: set } = row
  return [
    ...[latitude, longitude, latitude + longitude, latitude - longitude],
    ...[Math.log(squareMeters), bedrooms, row.bathrooms, squareMeters / Math.max(1, bedrooms ?? 1)],
    ...[
      condition === null ? null : ['to_renovate', 'good', 'new'].indexOf(condition),
      row.floor,
      row.yearBuilt,
    ],
    ...[row.seenAt.epochMilliseconds, row.plotSquareMeters, row.subtype?.charCodeAt(0) ?? null],
    ...amenities.map((_, bit) => ((set ?? 0) >> bit) & 1),
  ].map(value => value ?? Number.NaN)
}
