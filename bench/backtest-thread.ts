/** A thread of the valuation benchmark: tests one method of estimation on one set of real prices. */
import { parentPort, workerData } from 'node:worker_threads'
import { createRandom } from '../src/domain/random.ts'
import { type Accuracy, computeAccuracy } from '../src/domain/valuation/accuracy.ts'
import type { Comparable } from '../src/domain/valuation/property.ts'
import { type PriceSet, readPriceSet } from './price-sets.ts'
import { descriptions, methods } from './valuation-methods.ts'

export interface BacktestInput {
  set: PriceSet
  method: keyof typeof methods
  /** Number of randomly drawn comparables; null: all. */
  comparables: number | null
}

export interface BacktestSummary {
  /** Results by the known facts of the subjects; methods that need all facts have one entry. */
  accuracy: { whole: Accuracy } & Partial<Record<keyof typeof descriptions, Accuracy>>
  /** For subjects with all facts. */
  refused: number
  /** Seconds to fit, and to value these subjects. */
  seconds: number
}

const { set, method, comparables } = workerData as BacktestInput
const reference = await readPriceSet(set, 'reference')
const subjects = await readPriceSet(set, 'validation')
const startedMs = performance.now()
const valueAll = methods[method](comparables === null ? reference : sample(reference, comparables))
const estimates = valueAll(subjects)
const seconds = (performance.now() - startedMs) / 1000
const accuracy: BacktestSummary['accuracy'] = { whole: computeAccuracy(estimates)! }
if (method === 'product' && comparables === null)
  for (const name of ['api', 'withoutFloorAndYear', 'minimal'] as const)
    accuracy[name] = computeAccuracy(
      valueAll(subjects.map(subject => ({ ...subject, ...descriptions[name] }))),
    )!
parentPort!.postMessage({ accuracy, refused: subjects.length - estimates.length, seconds })

function sample(list: Comparable[], count: number): Comparable[] {
  const random = createRandom(17)
  const order = list.map(item => ({ item, at: random() })).sort((a, b) => a.at - b.at)
  return order.slice(0, count).map(({ item }) => item)
}
