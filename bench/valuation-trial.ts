/** A thread of the benchmark of valuations: tries one way of making estimates on one set of real prices. */
import { parentPort, workerData } from 'node:worker_threads'
import { randomOf } from '../src/domain/random.ts'
import { type Accuracy, accuracyOf, type Trial } from '../src/domain/valuation/accuracy.ts'
import { predictTrees } from '../src/domain/valuation/boosted-trees.ts'
import { coverage } from '../src/domain/valuation/error-model.ts'
import { estimateValue } from '../src/domain/valuation/estimate.ts'
import { fitMarket } from '../src/domain/valuation/fit-market.ts'
import { fitTrees, usualBoosting } from '../src/domain/valuation/fit-trees.ts'
import { candidatesMax } from '../src/domain/valuation/likeness.ts'
import { usualMarketModel } from '../src/domain/valuation/market-model.ts'
import { nearestAmong } from '../src/domain/valuation/near.ts'
import { amenities, type Comparable } from '../src/domain/valuation/property.ts'
import { type PriceSet, readPriceSet } from './price-sets.ts'

export const methods = {
  /** Median price per square metre of the ten nearest. */
  nearest: tryNearest,
  /** Boosted trees alone, with a range by split conformal prediction. */
  trees: tryTrees,
  /** The product before anything was learnt. */
  usual: (reference: Comparable[], subjects: Comparable[]) => tryProduct(reference, subjects, false),
  product: (reference: Comparable[], subjects: Comparable[]) => tryProduct(reference, subjects, true),
} satisfies Record<string, (reference: Comparable[], subjects: Comparable[]) => Trial[]>

export interface TrialOrder {
  set: PriceSet
  method: keyof typeof methods
  /** Without what the reference of the API names no field for. */
  isPlain: boolean
  /** As many comparables, drawn by chance; null: all. */
  comparables: number | null
}

export interface TrialResult {
  accuracy: Accuracy
  refused: number
  seconds: number
}

const { set, method, isPlain, comparables } = workerData as TrialOrder
const plain = (property: Comparable): Comparable =>
  isPlain ? { ...property, floor: null, yearBuilt: null } : property
const all = (await readPriceSet(set, 'reference')).map(plain)
const subjects = (await readPriceSet(set, 'validation')).map(plain)
const startedMs = performance.now()
const trials = methods[method](comparables === null ? all : drawn(all, comparables), subjects)
parentPort!.postMessage({
  accuracy: accuracyOf(trials),
  refused: subjects.length - trials.length,
  seconds: (performance.now() - startedMs) / 1000,
})

function drawn(list: Comparable[], count: number): Comparable[] {
  const random = randomOf(17)
  const order = list.map(item => ({ item, at: random() })).sort((a, b) => a.at - b.at)
  return order.slice(0, count).map(({ item }) => item)
}

function tryProduct(reference: Comparable[], subjects: Comparable[], isFitted: boolean): Trial[] {
  const model = (isFitted ? fitMarket(reference, 'bench')?.model : null) ?? usualMarketModel
  const nearest = nearestAmong(reference)
  return subjects.flatMap(subject => {
    const near = nearest(subject, candidatesMax).map(({ property }) => property)
    const estimate = estimateValue({ characteristics: subject, asOf: subject.seenAt }, near, model)
    return estimate ? [{ ...estimate, price: subject.price }] : []
  })
}

function tryNearest(reference: Comparable[], subjects: Comparable[]): Trial[] {
  const anyLike = reference.map(property => ({ ...property, bedrooms: null }))
  const nearest = nearestAmong(anyLike)
  return subjects.map(subject => {
    const prices = nearest({ ...subject, bedrooms: null }, 10)
      .map(({ property }) => property.price / property.squareMeters)
      .sort((a, b) => a - b)
    const value = prices[prices.length >> 1]! * subject.squareMeters
    return { price: subject.price, value, low: value, high: value }
  })
}

function tryTrees(reference: Comparable[], subjects: Comparable[]): Trial[] {
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
  return subjects.map(subject => {
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
