/**
 * The pool as the queue's library gets it. The library notes the end of a job without waiting for the answer and tries
 * neither a refused nor a broken connection again: an absent database would end the whole process. Here such calls wait
 * until it is back.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { DirectConnection } from '../db/direct-connection.ts'
import { isDatabaseUnavailable } from '../db/index.ts'
import { connectListener } from './queue-listener.ts'

const retryMs = 250

type Call = (...args: unknown[]) => Promise<unknown>

/** Tries until the database answers, or until the signal says that nobody waits any more. */
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
        // Taking a job may have happened unheard; noting how one ended may safely be said twice.
        return isClaim(args[0])
          ? first
          : first.catch(error => (isDatabaseUnavailable(error) ? query(...args) : Promise.reject(error)))
      },
    })
  }
  return replaceMethods(pool, {
    query,
    // With a callback it is the library's listener, which reconnects by itself.
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
