/** Threads for work that would stop the process meanwhile: few, behind all else, shared fairly by tenants, bounded in time and memory. */
import { type Transferable, Worker } from 'node:worker_threads'
import { createFairQueue, type Requester } from './fair-queue.ts'
import { Problem } from './problem.ts'
import type { ThreadReply, ThreadStart } from './thread.ts'

/** What takes no 50 ms to be read, whatever is in it: it is read in place. */
export const inlineMaxBytes = 16 * 1024

export interface ThreadPoolOptions {
  /** What is done there, in the plural of a sentence: `pages`. */
  name: string
  /** It calls `handleTasks`. */
  module: URL
  /** How many threads there are, at most. */
  size: number
  /** Processor time of one order; 10 s by default. By the clock it may take `wallClockFactor` times as long: such a thread comes last. */
  taskMaxMs?: number
  /** Of one thread; 256 MB by default. */
  memoryMaxMb?: number
  /** A thread that has had nothing to do for so long ends: it starts again in a moment. 30 s by default. */
  idleMs?: number
}

const defaults = { taskMaxMs: 10_000, memoryMaxMb: 256, idleMs: 30_000 }

/** Who wants work done; `signal` is aborted when nobody waits for it any more. */
export interface Client extends Requester {
  signal: AbortSignal
}

/** The work took too much processor time, or too much memory: its thread was ended. The same work would fail again. */
export class ThreadFailed extends Error {}

/** A thread that works for one client, so that it can keep what it has begun from one order to the next. */
export interface ThreadSession<Task, Result> {
  /**
   * Has the thread do the work; `transferList` go to the thread and are empty here afterwards. Throws ThreadFailed, what the thread
   * reports as an error, the reason of the client's signal if it is aborted, and 503 if the thread ended or does not answer for
   * no fault of the work; after that the session is of no use.
   */
  run(task: Task, transferList?: Transferable[]): Promise<Result>
  /** Gives the thread back; may be called more than once. */
  end(): void
}

export interface ThreadPool<Task, Result> {
  /** Waits for the client's turn. Throws the reason of the signal if it is aborted meanwhile. */
  open(client: Client): Promise<ThreadSession<Task, Result>>
  /** A session of one order. */
  run(client: Client, task: Task, transferList?: Transferable[]): Promise<Result>
}

const wallClockFactor = 20
/** A look at the processor time that a thread has taken. */
const checkMinMs = 50

interface Thread {
  worker: Worker
  hasEnded: boolean
  /** What it had taken when it last answered. */
  cpuMs: number
}

export function createThreadPool<Task, Result>(overrides: ThreadPoolOptions): ThreadPool<Task, Result> {
  const options = { ...defaults, ...overrides }
  // Those who wait are bounded by what brings the work, such as the pages that a run has under way.
  const queue = createFairQueue({
    name: options.name,
    capacity: options.size,
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

  const park = (thread: Thread): void => {
    if (thread.hasEnded) return
    idle.add(thread)
    const timer = setTimeout(() => {
      // It ends a moment later: whoever came in between would have it end their work.
      idle.delete(thread)
      void thread.worker.terminate()
    }, options.idleMs).unref()
    thread.worker.once('rested', () => clearTimeout(timer))
  }

  const takeIdle = (): Thread => {
    const [thread = start()] = idle
    idle.delete(thread)
    thread.worker.emit('rested')
    return thread
  }

  const takeIdleOr = (release: () => void): Thread => {
    try {
      return takeIdle()
    } catch (error) {
      release()
      throw error
    }
  }

  const open = async ({ signal, ...who }: Client): Promise<ThreadSession<Task, Result>> => {
    const release = await queue.acquire(who, { signal, waitsForever: true })
    const thread = takeIdleOr(release)
    let isReleased = false
    const end = (isFit: boolean) => {
      if (isReleased) return
      isReleased = true
      if (isFit) park(thread)
      else void thread.worker.terminate()
      release()
    }
    return {
      async run(task, transferList = []) {
        if (isReleased) throw createLost(options)
        try {
          return await runOnThread<Result>(thread, { task, transferList, signal }, options)
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
    async run(client, task, transferList) {
      const session = await open(client)
      try {
        return await session.run(task, transferList)
      } finally {
        session.end()
      }
    },
  }
}

interface PendingTask {
  task: unknown
  transferList: Transferable[]
  signal: AbortSignal
}

/** One piece of work; a thread that fails it is not to be used again. */
async function runOnThread<Result>(
  thread: Thread,
  { task, transferList, signal }: PendingTask,
  options: Required<ThreadPoolOptions>,
): Promise<Result> {
  const { taskMaxMs, memoryMaxMb } = options
  const { worker } = thread
  const { promise, resolve, reject } = Promise.withResolvers<ThreadReply<Result>>()
  const abort = () => reject(signal.reason)
  const fail = (error: NodeJS.ErrnoException) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new ThreadFailed(`it takes more than ${memoryMaxMb} MB of memory`, { cause: error })
        : error,
    )
  const exit = () => reject(createLost(options))
  const stopWatch = watchTime(thread, taskMaxMs, isWorkFault =>
    reject(
      isWorkFault ? new ThreadFailed(`it takes longer than ${taskMaxMs / 1000} s`) : createLost(options),
    ),
  )
  signal.addEventListener('abort', abort, { once: true })
  worker.once('message', resolve).once('error', fail).once('exit', exit)
  try {
    signal.throwIfAborted()
    if (thread.hasEnded) throw createLost(options)
    worker.postMessage(task, transferList)
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
function createLost({ name }: ThreadPoolOptions): Problem {
  return new Problem('UNAVAILABLE', `The thread that reads ${name} was lost. Try again in 1 s.`, {
    headers: { 'Retry-After': '1' },
  })
}

/**
 * Calls `onTimeout` once a thread has taken so much processor time for what it does now, which is the fault of its work, or `wallClockFactor`
 * times as long by the clock, which is not.
 */
function watchTime(
  { worker, cpuMs }: Thread,
  taskMaxMs: number,
  onTimeout: (isWorkFault: boolean) => void,
): () => void {
  let isReleased = false
  const checkTime = async () => {
    const { user, system } = await worker.cpuUsage()
    if (isReleased) return
    const remainingMs = taskMaxMs - ((user + system) / 1000 - cpuMs)
    if (remainingMs <= 0) onTimeout(true)
    else timer = setTimeout(checkAgain, Math.max(checkMinMs, remainingMs))
  }
  // A thread that does not say is ended by the clock.
  const checkAgain = () => void checkTime().catch(() => {})
  let timer = setTimeout(checkAgain, taskMaxMs)
  const wallClockTimer = setTimeout(() => onTimeout(false), taskMaxMs * wallClockFactor)
  return () => {
    isReleased = true
    clearTimeout(timer)
    clearTimeout(wallClockTimer)
  }
}
