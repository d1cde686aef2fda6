/** Fits the model of a market: reads its properties, fits in a worker thread, stores the model. */
import { Worker } from 'node:worker_threads'
import type { FittedMarket } from '../../domain/valuation/fit-market.ts'
import { fittedComparablesMin } from '../../domain/valuation/fit-market.ts'
import { modelForm } from '../../domain/valuation/market-model.ts'
import type { Comparable } from '../../domain/valuation/property.ts'
import { newId } from '../../kit/id.ts'
import type { MarketKey } from './market-key.ts'
import { storeMarketModel } from './models.ts'
import type { MarketDatabase } from './queries.ts'
import { readMarket } from './read-market.ts'

/** The most properties to fit a model to, those seen last: more make the fit slower, but not more accurate. */
export const propertiesMax = 100_000

/** The message to the thread. Times are in milliseconds, because an Instant can't be cloned. */
export interface FitInput {
  comparables: (Omit<Comparable, 'seenAt'> & { seenAtMs: number })[]
  version: string
}

/**
 * Fits a market and stores the model; 50,000 properties take about two minutes on one core. Null: it has too few properties.
 * If the signal is aborted, it throws the signal's reason and stores nothing.
 */
export async function fitAndStoreMarket(
  database: MarketDatabase,
  market: MarketKey,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ properties: number; fitted: FittedMarket } | null> {
  const comparables: FitInput['comparables'] = []
  for await (const page of readMarket(database, market, propertiesMax))
    for (const { seenAt, ...facts } of page)
      comparables.push({ ...facts, seenAtMs: seenAt.epochMilliseconds })
  if (comparables.length < fittedComparablesMin) return null
  const fitted = await runInThread({ comparables, version: `${modelForm}-${newId()}` }, signal)
  if (!fitted) return null
  await storeMarketModel(database, market, comparables.length, fitted)
  return { properties: comparables.length, fitted }
}

function runInThread(input: FitInput, signal: AbortSignal): Promise<FittedMarket | null> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./fit-thread.ts', import.meta.url), { workerData: input })
    const abort = () => {
      void worker.terminate()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => {
      signal.removeEventListener('abort', abort)
      reject(new Error('The thread that fits a market ended without a result.'))
    })
  })
}
