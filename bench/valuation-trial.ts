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
import { type MarketModel, usualMarketModel } from '../src/domain/valuation/market-model.ts'
import { nearestAmong } from '../src/domain/valuation/near.ts'
import { amenities, type Comparable } from '../src/domain/valuation/property.ts'
import { type PriceSet, readPriceSet } from './price-sets.ts'

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

export interface TrialOrder {
  set: PriceSet
  method: keyof typeof methods
  /** As many comparables, drawn by chance; null: all. */
  comparables: number | null
}

export interface TrialResult {
  /** By what was said of the subjects; by methods that need all of it, for that alone. */
  accuracy: { whole: Accuracy } & Partial<Record<keyof typeof descriptions, Accuracy>>
  /** Of subjects of which all was said. */
  refused: number
  /** Learning, and valuing those. */
  seconds: number
}

const { set, method, comparables } = workerData as TrialOrder
const all = await readPriceSet(set, 'reference')
const subjects = await readPriceSet(set, 'validation')
const startedMs = performance.now()
const valueAll = methods[method](comparables === null ? all : drawn(all, comparables))
const trials = valueAll(subjects)
const seconds = (performance.now() - startedMs) / 1000
const accuracy: TrialResult['accuracy'] = { whole: accuracyOf(trials)! }
if (method === 'product' && comparables === null)
  for (const name of ['api', 'noFloorNorYear', 'least'] as const)
    accuracy[name] = accuracyOf(valueAll(subjects.map(subject => ({ ...subject, ...descriptions[name] }))))!
parentPort!.postMessage({ accuracy, refused: subjects.length - trials.length, seconds })

function drawn(list: Comparable[], count: number): Comparable[] {
  const random = randomOf(17)
  const order = list.map(item => ({ item, at: random() })).sort((a, b) => a.at - b.at)
  return order.slice(0, count).map(({ item }) => item)
}

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
