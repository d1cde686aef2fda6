/**
 * Worker threads for work that would block the event loop. There are few of them, they run at low priority, tenants
 * share them fairly, and each task is limited in CPU time and memory.
 */
import { type Transferable, Worker } from 'node:worker_threads'
import { createFairQueue, type Requester } from './fair-queue.ts'
import { Problem } from './problem.ts'
import type { ThreadReply, ThreadStart } from './thread.ts'

/** Input up to this size takes less than 50 ms in the worst case, so it is read without a thread. */
export const inlineMaxBytes = 16 * 1024

export interface ThreadPoolOptions {
  /** The plural noun in error messages: `pages`. */
  name: string
  /** The module that handles the tasks. It calls `handleTasks`. */
  module: URL
  /** The largest number of threads. */
  size: number
  /**
   * The CPU time allowed for one task. Default: 10 s. Its wall-clock time may be `wallClockFactor` times as long,
   * because of the low priority.
   */
  taskMaxMs?: number
  /** The memory limit of one thread. Default: 256 MB. */
  memoryMaxMb?: number
  /** A thread that is idle for this long ends. Default: 30 s. */
  idleMs?: number
}

const defaults = { taskMaxMs: 10_000, memoryMaxMb: 256, idleMs: 30_000 }

/** The requester of a task. Abort `signal` when the result is no longer needed. */
export interface Client extends Requester {
  signal: AbortSignal
}

/** The task exceeded its CPU time or memory, and its thread was ended. The same task would fail again. */
export class ThreadFailed extends Error {}

/** A thread reserved for one client, so that it can keep state between tasks. */
export interface ThreadSession<Task, Result> {
  /**
   * Runs a task on the thread. Objects in `transferList` move to the thread and are detached here.
   * Throws ThreadFailed, the error that the task threw, the reason of the client's signal, or 503 UNAVAILABLE if the
   * thread ended or hangs through no fault of the task. After an error the session is unusable.
   */
  run(task: Task, transferList?: Transferable[]): Promise<Result>
  /** Releases the thread; calling it again does nothing. */
  end(): void
}

export interface ThreadPool<Task, Result> {
  /** Waits for a free thread. Throws the reason of the signal if it is aborted meanwhile. */
  open(client: Client): Promise<ThreadSession<Task, Result>>
  /** Opens a session for one task. */
  run(client: Client, task: Task, transferList?: Transferable[]): Promise<Result>
}

const wallClockFactor = 20
/** The shortest interval between two checks of a thread's CPU time. */
const checkMinMs = 50

interface Thread {
  worker: Worker
  hasEnded: boolean
  /** Its CPU time at its last reply. */
  cpuMs: number
}

/** Creates a pool. Threads start when they are first needed. */
export function createThreadPool<Task, Result>(overrides: ThreadPoolOptions): ThreadPool<Task, Result> {
  const options = { ...defaults, ...overrides }
  // The number of waiting tasks is limited by their source, such as the concurrent pages of an extraction.
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
    // The pending task receives the error as well.
    worker.on('error', () => {})
    worker.unref()
    return thread
  }

  const keepIdle = (thread: Thread): void => {
    if (thread.hasEnded) return
    idle.add(thread)
    const timer = setTimeout(() => {
      // Termination takes a moment: a task that started meanwhile would be lost, so remove the thread first.
      idle.delete(thread)
      void thread.worker.terminate()
    }, options.idleMs).unref()
    thread.worker.once('reused', () => clearTimeout(timer))
  }

  const takeIdle = (): Thread => {
    const [thread = start()] = idle
    idle.delete(thread)
    thread.worker.emit('reused')
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

  const open = async ({ signal, ...requester }: Client): Promise<ThreadSession<Task, Result>> => {
    const release = await queue.acquire(requester, { signal, waitsForever: true })
    const thread = takeIdleOr(release)
    let isReleased = false
    const end = (isReusable: boolean) => {
      if (isReleased) return
      isReleased = true
      if (isReusable) keepIdle(thread)
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

/** Runs one task. After an error the thread must not be used again. */
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

/** The error for a task whose thread ended or got no CPU time. The task may be retried. */
function createLost({ name }: ThreadPoolOptions): Problem {
  return new Problem('UNAVAILABLE', `The thread that reads ${name} was lost. Try again in 1 s.`, {
    headers: { 'Retry-After': '1' },
  })
}

/**
 * Calls `onTimeout` when the current task has used `taskMaxMs` of CPU time (`isWorkFault` is true), or when
 * `wallClockFactor` times as long has passed (`isWorkFault` is false). Returns a function that stops the checks.
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
  // If a thread does not report its CPU time, the wall-clock timer ends it.
  const checkAgain = () => void checkTime().catch(() => {})
  let timer = setTimeout(checkAgain, taskMaxMs)
  const wallClockTimer = setTimeout(() => onTimeout(false), taskMaxMs * wallClockFactor)
  return () => {
    isReleased = true
    clearTimeout(timer)
    clearTimeout(wallClockTimer)
  }
}
