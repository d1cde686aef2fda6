/**
 * The database pool for graphile-worker. The library records the end of a job without waiting for the result, and does
 * not retry a refused or broken connection, so an unavailable database would end the whole process. This pool retries
 * such calls until the database is back.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { DirectConnection } from '../db/direct-connection.ts'
import { isDatabaseUnavailable } from '../db/index.ts'
import { connectListener } from './queue-listener.ts'

const retryMs = 250

type Call = (...args: unknown[]) => Promise<unknown>

/** Retries `call` until the database is available. Throws its error once `signal` is aborted. */
export async function retryWhileUnavailable<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (signal.aborted || !isDatabaseUnavailable(error)) throw error
      await sleep(retryMs, undefined, { signal }).catch(() => {})
    }
  }
}

export function retryingPool(pool: pg.Pool, direct: DirectConnection, signal: AbortSignal): pg.Pool {
  const withRetry = <T>(call: () => Promise<T>) => retryWhileUnavailable(signal, call)
  const query: Call = (...args) => withRetry(() => (pool.query as unknown as Call).apply(pool, args))
  const connect = async () => {
    const client = await withRetry(() => pool.connect())
    return replaceMethods(client, {
      query: (...args) => {
        const first = (client.query as unknown as Call).apply(client, args)
        // Taking a job is not repeated, because it may have succeeded without a reply. Recording an end is safe to
        // repeat.
        return isClaim(args[0])
          ? first
          : first.catch(error => (isDatabaseUnavailable(error) ? query(...args) : Promise.reject(error)))
      },
    })
  }
  return replaceMethods(pool, {
    query,
    // Only the library's listener passes a callback. It reconnects by itself.
    connect: async (callback?: unknown) =>
      callback ? connectListener(direct, callback as Parameters<typeof connectListener>[1]) : connect(),
  })
}

function isClaim(statement: unknown): boolean {
  return (statement as { text?: string } | undefined)?.text?.includes('attempts = jobs.attempts + 1') ?? false
}

function replaceMethods<T extends object>(target: T, methods: Record<string, Call>): T {
  return new Proxy(target, {
    get(_target, name) {
      if (typeof name === 'string' && name in methods) return methods[name]
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
