/** Batches calls: those that arrive while a batch is running wait, and form the next batch. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from './problem.ts'

interface Call<T, R> {
  value: T
  resolve(result: R): void
  reject(error: unknown): void
}

export interface BatchOptions {
  /** The largest number of calls in a batch. */
  size: number
  /** The largest number of waiting calls. Further calls are rejected with 503. */
  waitingMax: number
  /** The pause between two batches. Default: 0. */
  pauseMs?: number
}

/**
 * Returns a function that passes each value to `work` in a batch. `work` returns the results in the order of the
 * values. One batch runs at a time, for any number of callers. A call is never part of a batch that started before it.
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

/** Like `batchCalls`, with batches of their own for each key, which is forgotten when none of its calls waits. */
export function batchCallsByKey<T, R>(
  work: (key: string, values: T[]) => Promise<R[]>,
  options: BatchOptions,
): (key: string, value: T) => Promise<R> {
  const byKey = new Map<string, { call: (value: T) => Promise<R>; pending: number }>()
  return async (key, value) => {
    const batches = byKey.get(key) ?? {
      call: batchCalls((values: T[]) => work(key, values), options),
      pending: 0,
    }
    byKey.set(key, batches)
    batches.pending++
    try {
      return await batches.call(value)
    } finally {
      if (--batches.pending === 0) byKey.delete(key)
    }
  }
}

/** The largest number of keys kept. If a key is dropped too early, its work runs once more. */
const keysMax = 10_000

/**
 * Returns a function that shares work between callers with the same key. Calls that arrive while the work runs wait,
 * and share the result of one further run, because the running one may have read old data.
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
  return new Problem('UNAVAILABLE', 'Too many requests are in progress. Try again in 2 s.', {
    headers: { 'Retry-After': '2' },
  })
}
