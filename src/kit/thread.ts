/** The entry point of a pool's worker threads: it loads the module that handles the tasks. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from './priority.ts'

/** A thread's reply to a task. `cpuMs`: the CPU time of the thread since it started. */
export type ThreadReply<Result> = { cpuMs: number } & ({ result: Result } | { error: string })

/** The `workerData` of a thread. */
export interface ThreadStart {
  /** The URL of the module that handles the tasks. */
  module: string
}

/**
 * Handles each task that the pool sends. Call it once in the module of a thread. If `handle` throws, the pool receives
 * the error's message. On the main thread it does nothing, so that the module can be imported there.
 */
export function handleTasks<Task>(handle: (task: Task) => unknown): void {
  if (!parentPort) return
  // Only after loading: with low priority, a thread would take seconds to start on a busy machine.
  lowerPriority()
  parentPort.on('message', async (task: Task) => {
    const reply = await Promise.try(handle, task).then(
      result => ({ result }),
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    )
    const { user, system } = process.threadCpuUsage()
    parentPort!.postMessage({ ...reply, cpuMs: (user + system) / 1000 })
  })
}

const start = workerData as ThreadStart | null
// Not awaited, because the module imports this one.
if (!isMainThread && start?.module) void import(start.module)
