/** Work that several callers wait for at the same time is done once. */

interface Run<T> {
  result: Promise<T>
  waiting: number
  abort: AbortController
}

/**
 * Returns a function that joins the run of this key, or starts one. `work` is aborted when all of its callers have
 * gone; a caller whose signal is aborted gets its reason.
 */
export function createSharedWork<T>() {
  const runs = new Map<string, Run<T>>()

  const start = (key: string, work: (signal: AbortSignal) => Promise<T>): Run<T> => {
    const abort = new AbortController()
    const run = { result: work(abort.signal).finally(() => leave(key, run)), waiting: 0, abort }
    runs.set(key, run)
    return run
  }

  /** Later callers start a run of their own. */
  const leave = (key: string, run: Run<T>) => {
    if (runs.get(key) === run) runs.delete(key)
  }

  return async (key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    const run = runs.get(key) ?? start(key, work)
    const { promise: gone, reject } = Promise.withResolvers<never>()
    const stopWaiting = () => {
      reject(signal.reason)
      if (--run.waiting > 0) return
      leave(key, run)
      run.abort.abort(signal.reason)
    }
    run.waiting++
    signal.addEventListener('abort', stopWaiting, { once: true })
    try {
      return await Promise.race([run.result, gone])
    } finally {
      signal.removeEventListener('abort', stopWaiting)
    }
  }
}
