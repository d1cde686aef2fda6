/** What runs on a thread of a pool: it starts here, and then loads what answers. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from './priority.ts'

/** What a thread sends for each order. `cpuMs`: the processor time that the thread has taken since it started. */
export type ThreadReply<Result> = { cpuMs: number } & ({ result: Result } | { error: string })

/** As a thread starts: the module that answers. */
export interface ThreadStart {
  module: string
}

/**
 * Called by the module of a thread: answers each order in turn. What is thrown reaches the pool as its message. Elsewhere it does
 * nothing, so that such a module can be loaded for its types.
 */
export function handleTasks<Task>(handle: (task: Task) => unknown): void {
  if (!parentPort) return
  // Not before all is loaded: on a busy machine a thread that comes last would take seconds to start.
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
// Not waited for, as the module imports this one.
if (!isMainThread && start?.module) void import(start.module)
