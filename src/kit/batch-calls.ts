/** Calls that come while others are being answered wait, and are then answered together. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from './problem.ts'

interface Call<T, R> {
  value: T
  resolve(result: R): void
  reject(error: unknown): void
}

export interface BatchOptions {
  /** How many calls are answered together, at most. */
  size: number
  /** How many wait at most; those beyond get 503. */
  waitingMax: number
  /** How long after one batch the next may begin. */
  pauseMs?: number
}

/**
 * `work` answers values in their order, one batch after another: however many callers there are, one of them works. A call is
 * never answered by work that began before it.
 */
export function batchCalls<T, R>(
  work: (values: T[]) => Promise<R[]>,
  { size, waitingMax, pauseMs = 0 }: BatchOptions,
): (value: T) => Promise<R> {
  const waiting: Call<T, R>[] = []
  let isWorking = false

  const runBatch = async (calls: Call<T, R>[]) => {
    try {
      const results = await work(calls.map(({ value }) => value))
      for (const [index, { resolve }] of calls.entries()) resolve(results[index]!)
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }
  const runAll = async () => {
    isWorking = true
    while (waiting.length > 0) {
      await runBatch(waiting.splice(0, size))
      if (pauseMs > 0) await sleep(pauseMs, undefined, { ref: false })
    }
    isWorking = false
  }
  return value => {
    if (waiting.length >= waitingMax) return Promise.reject(createOverloaded())
    const { promise, resolve, reject } = Promise.withResolvers<R>()
    waiting.push({ value, resolve, reject })
    if (!isWorking) void runAll()
    return promise
  }
}

/** So many keys are remembered; one that is forgotten too early costs one piece of work more. */
const keysMax = 10_000

/**
 * Work that comes to the same for all who want it under one key: those who come while it is done wait, and get what the next one of
 * them brings.
 */
export function singleFlight<R>(
  options: Pick<BatchOptions, 'pauseMs'> = {},
): (key: string, work: () => Promise<R>) => Promise<R> {
  const byKey = new Map<string, (work: () => Promise<R>) => Promise<R>>()
  const runFirst = async (tasks: (() => Promise<R>)[]) => {
    const result = await tasks[0]!()
    return tasks.map(() => result)
  }
  return (key, work) => {
    const existing = byKey.get(key)
    if (existing) return existing(work)
    const flight = batchCalls(runFirst, { size: Infinity, waitingMax: Infinity, ...options })
    if (byKey.size >= keysMax) byKey.delete(byKey.keys().next().value!)
    byKey.set(key, flight)
    return flight(work)
  }
}

function createOverloaded(): Problem {
  return new Problem('UNAVAILABLE', 'Too many requests are under way. Try again in 2 s.', {
    headers: { 'Retry-After': '2' },
  })
}
