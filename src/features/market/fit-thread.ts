/** A worker thread that fits the model of one market and ends. The computation takes minutes and would block the server. */
import { parentPort, workerData } from 'node:worker_threads'
import { fitMarket } from '../../domain/valuation/fit-market.ts'
import { lowerPriority } from '../../kit/priority.ts'
import type { FitInput } from './fit.ts'

lowerPriority()
const { comparables, version } = workerData as FitInput

parentPort!.postMessage(
  fitMarket(
    comparables.map(({ seenAtMs, ...facts }) => ({
      ...facts,
      seenAt: Temporal.Instant.fromEpochMilliseconds(seenAtMs),
    })),
    version,
  ),
)
