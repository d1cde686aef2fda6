/** Threads for work that would stop the process meanwhile: few, behind all else, shared fairly by tenants, bounded in time and memory. */
import { type Transferable, Worker } from 'node:worker_threads'
import { createFairQueue, type Who } from './fair-queue.ts'
import { Problem } from './problem.ts'
import type { ThreadReply, ThreadStart } from './thread.ts'

/** What takes no 50 ms to be read, whatever is in it: it is read in place. */
export const inPlaceMaxBytes = 16 * 1024

export interface ThreadPoolOptions {
  /** What is done there, in the plural of a sentence: `pages`. */
  of: string
  /** It calls `answerOrders`. */
  module: URL
  /** How many threads there are, at most. */
  places: number
  /** Processor time of one order; 10 s by default. By the clock it may take `patience` times as long: such a thread comes last. */
  workMaxMs?: number
  /** Of one thread; 256 MB by default. */
  memoryMaxMb?: number
  /** A thread that has had nothing to do for so long ends: it starts again in a moment. 30 s by default. */
  idleMs?: number
}

const defaults = { workMaxMs: 10_000, memoryMaxMb: 256, idleMs: 30_000 }

/** Who wants work done; `signal` is aborted when nobody waits for it any more. */
export interface Client extends Who {
  signal: AbortSignal
}

/** The work took too much processor time, or too much memory: its thread was ended. The same work would fail again. */
export class ThreadFailed extends Error {}

/** A thread that works for one client, so that it can keep what it has begun from one order to the next. */
export interface ThreadSession<Order, Result> {
  /**
   * Has the thread do the work; `moved` go to the thread and are empty here afterwards. Throws ThreadFailed, what the thread
   * reports as an error, the reason of the client's signal if it is aborted, and 503 if the thread ended or does not answer for
   * no fault of the work; after that the session is of no use.
   */
  run(order: Order, moved?: Transferable[]): Promise<Result>
  /** Gives the thread back; may be called more than once. */
  end(): void
}

export interface ThreadPool<Order, Result> {
  /** Waits for the client's turn. Throws the reason of the signal if it is aborted meanwhile. */
  open(client: Client): Promise<ThreadSession<Order, Result>>
  /** A session of one order. */
  run(client: Client, order: Order, moved?: Transferable[]): Promise<Result>
}

const patience = 20
/** A look at the processor time that a thread has taken. */
const lookMinMs = 50

interface Thread {
  worker: Worker
  hasEnded: boolean
  /** What it had taken when it last answered. */
  cpuMs: number
}

export function createThreadPool<Order, Result>(given: ThreadPoolOptions): ThreadPool<Order, Result> {
  const options = { ...defaults, ...given }
  // Those who wait are bounded by what brings the work, such as the pages that a run has under way.
  const queue = createFairQueue({
    of: options.of,
    places: options.places,
    waitingMax: { all: 0, tenant: 0, key: 0 },
    waitMaxMs: 0,
    retryAfterSeconds: 1,
  })
  const idle = new Set<Thread>()

  const start = (): Thread => {
    const workerData: ThreadStart = { module: options.module.href }
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMaxMb },
    })
    const thread: Thread = { worker, hasEnded: false, cpuMs: 0 }
    worker.on('exit', () => {
      thread.hasEnded = true
      idle.delete(thread)
    })
    // Whoever waits for its work hears of it too.
    worker.on('error', () => {})
    worker.unref()
    return thread
  }

  const rest = (thread: Thread): void => {
    if (thread.hasEnded) return
    idle.add(thread)
    const timer = setTimeout(() => {
      // It ends a moment later: whoever came in between would have it end their work.
      idle.delete(thread)
      void thread.worker.terminate()
    }, options.idleMs).unref()
    thread.worker.once('rested', () => clearTimeout(timer))
  }

  const wake = (): Thread => {
    const [thread = start()] = idle
    idle.delete(thread)
    thread.worker.emit('rested')
    return thread
  }

  const wakeOr = (leave: () => void): Thread => {
    try {
      return wake()
    } catch (error) {
      leave()
      throw error
    }
  }

  const open = async ({ signal, ...who }: Client): Promise<ThreadSession<Order, Result>> => {
    const leave = await queue.enter(who, { signal, isPatient: true })
    const thread = wakeOr(leave)
    let isOver = false
    const end = (isFit: boolean) => {
      if (isOver) return
      isOver = true
      if (isFit) rest(thread)
      else void thread.worker.terminate()
      leave()
    }
    return {
      async run(order, moved = []) {
        if (isOver) throw lost(options)
        try {
          return await work<Result>(thread, { order, moved, signal }, options)
        } catch (error) {
          end(false)
          throw error
        }
      },
      end: () => end(true),
    }
  }

  return {
    open,
    async run(client, order, moved) {
      const session = await open(client)
      try {
        return await session.run(order, moved)
      } finally {
        session.end()
      }
    },
  }
}

interface Work {
  order: unknown
  moved: Transferable[]
  signal: AbortSignal
}

/** One piece of work; a thread that fails it is not to be used again. */
async function work<Result>(
  thread: Thread,
  { order, moved, signal }: Work,
  options: Required<ThreadPoolOptions>,
): Promise<Result> {
  const { workMaxMs, memoryMaxMb } = options
  const { worker } = thread
  const { promise, resolve, reject } = Promise.withResolvers<ThreadReply<Result>>()
  const abort = () => reject(signal.reason)
  const fail = (error: NodeJS.ErrnoException) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new ThreadFailed(`it takes more than ${memoryMaxMb} MB of memory`, { cause: error })
        : error,
    )
  const exit = () => reject(lost(options))
  const stopWatch = watchTime(thread, workMaxMs, isItsFault =>
    reject(isItsFault ? new ThreadFailed(`it takes longer than ${workMaxMs / 1000} s`) : lost(options)),
  )
  signal.addEventListener('abort', abort, { once: true })
  worker.once('message', resolve).once('error', fail).once('exit', exit)
  try {
    signal.throwIfAborted()
    if (thread.hasEnded) throw lost(options)
    worker.postMessage(order, moved)
    const reply = await promise
    thread.cpuMs = reply.cpuMs
    if ('error' in reply) throw new Error(reply.error)
    return reply.result
  } finally {
    stopWatch()
    signal.removeEventListener('abort', abort)
    worker.off('message', resolve).off('error', fail).off('exit', exit)
  }
}

/** What becomes of work whose thread ended, or got no processor: it may be tried again. */
function lost({ of }: ThreadPoolOptions): Problem {
  return new Problem('UNAVAILABLE', `The thread that reads ${of} was lost. Try again in 1 s.`, {
    headers: { 'Retry-After': '1' },
  })
}

/**
 * Calls `late` once a thread has taken so much processor time for what it does now, which is the fault of its work, or `patience`
 * times as long by the clock, which is not.
 */
function watchTime(
  { worker, cpuMs }: Thread,
  workMaxMs: number,
  late: (isItsFault: boolean) => void,
): () => void {
  let isOver = false
  const look = async () => {
    const { user, system } = await worker.cpuUsage()
    if (isOver) return
    const leftMs = workMaxMs - ((user + system) / 1000 - cpuMs)
    if (leftMs <= 0) late(true)
    else timer = setTimeout(lookAgain, Math.max(lookMinMs, leftMs))
  }
  // A thread that does not say is ended by the clock.
  const lookAgain = () => void look().catch(() => {})
  let timer = setTimeout(lookAgain, workMaxMs)
  const latest = setTimeout(() => late(false), workMaxMs * patience)
  return () => {
    isOver = true
    clearTimeout(timer)
    clearTimeout(latest)
  }
}
