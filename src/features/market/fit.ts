/** Learning a market: its properties are read, a thread of its own learns from them, and what it learnt is kept. */
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

/** Those seen last: of more than these a market is not known better, only later. */
export const propertiesMax = 100_000

/** What is sent to the thread; moments in milliseconds, as an Instant can't be sent. */
export interface FitInput {
  comparables: (Omit<Comparable, 'seenAt'> & { seenAtMs: number })[]
  version: string
}

/**
 * Learns a market and keeps what it learnt: some two minutes for 50,000 properties, on one core. Null: there are too few. An
 * aborted signal ends it with that reason, nothing changed.
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

function runInThread(order: FitInput, signal: AbortSignal): Promise<FittedMarket | null> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./fit-thread.ts', import.meta.url), { workerData: order })
    const abort = () => {
      void worker.terminate()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => {
      signal.removeEventListener('abort', abort)
      reject(new Error('The thread that learns a market ended without having learnt it.'))
    })
  })
}
