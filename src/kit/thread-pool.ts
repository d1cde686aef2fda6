/** Threads for work that would stop the process meanwhile: few, shared fairly by tenants, bounded in time and memory. */
import { type Transferable, Worker } from 'node:worker_threads'
import { createFairQueue, type Who } from './fair-queue.ts'

export interface ThreadPoolOptions {
  /** What is done there, in the plural of a sentence: `pages`. */
  of: string
  /** It answers each message with one: `{ result }`, or `{ error }` with a sentence. */
  module: URL
  /** How many threads there are, at most. */
  places: number
  workMaxMs: number
  memoryMaxMb: number
  /** A thread that has had nothing to do for so long ends: it starts again in a moment. */
  idleMs: number
}

/** Who wants work done; `signal` is aborted when nobody waits for it any more. */
export interface Client extends Who {
  signal: AbortSignal
}

/** The work took too long, or too much memory: its thread was ended. */
export class ThreadFailed extends Error {}

export interface ThreadPool<Order, Result> {
  /**
   * Has a thread do the work once it is the client's turn; `moved` go to the thread and are empty here afterwards. Throws
   * ThreadFailed, what the thread reports as an error, and the reason of the signal if it is aborted.
   */
  run(client: Client, order: Order, moved?: Transferable[]): Promise<Result>
}

type Reply<Result> = { result: Result } | { error: string }

export function createThreadPool<Order, Result>(options: ThreadPoolOptions): ThreadPool<Order, Result> {
  // Those who wait are bounded by what brings the work, such as the pages that a run has under way.
  const queue = createFairQueue({
    of: options.of,
    places: options.places,
    waitingMax: { all: 0, tenant: 0, key: 0 },
    waitMaxMs: 0,
    retryAfterSeconds: 1,
  })
  const idle = new Set<Worker>()

  const start = (): Worker => {
    const worker = new Worker(options.module, {
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMaxMb },
    })
    worker.on('exit', () => idle.delete(worker))
    // Whoever waits for its work hears of it too.
    worker.on('error', () => {})
    worker.unref()
    return worker
  }

  const rest = (worker: Worker): void => {
    idle.add(worker)
    const timer = setTimeout(() => worker.terminate(), options.idleMs).unref()
    worker.once('rested', () => clearTimeout(timer))
  }

  const wake = (): Worker => {
    const [worker = start()] = idle
    idle.delete(worker)
    worker.emit('rested')
    return worker
  }

  return {
    run: ({ signal, ...who }, order, moved = []) =>
      queue.run(
        who,
        async () => {
          const worker = wake()
          const result = await work<Result>(worker, { order, moved, signal }, options)
          rest(worker)
          return result
        },
        { signal, isPatient: true },
      ),
  }
}

interface Work {
  order: unknown
  moved: Transferable[]
  signal: AbortSignal
}

/** One piece of work; a thread that fails it is ended. */
async function work<Result>(
  worker: Worker,
  { order, moved, signal }: Work,
  { workMaxMs, memoryMaxMb }: ThreadPoolOptions,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply<Result>>()
  const abort = () => reject(signal.reason)
  const fail = (error: NodeJS.ErrnoException) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new ThreadFailed(`it takes more than ${memoryMaxMb} MB of memory`, { cause: error })
        : error,
    )
  const exit = () => reject(new ThreadFailed('its thread ended'))
  const timer = setTimeout(
    () => reject(new ThreadFailed(`it takes longer than ${workMaxMs / 1000} s`)),
    workMaxMs,
  )
  signal.addEventListener('abort', abort, { once: true })
  worker.once('message', resolve).once('error', fail).once('exit', exit)
  try {
    signal.throwIfAborted()
    worker.postMessage(order, moved)
    const reply = await promise
    if ('error' in reply) throw new Error(reply.error)
    return reply.result
  } catch (error) {
    void worker.terminate()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    worker.off('message', resolve).off('error', fail).off('exit', exit)
  }
}
