/** Lowers the CPU priority of background work, so that requests and the database come first. */
import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/** A nice value of 5 gets a third of the CPU time of others. With 10 it got a tenth: too little on a busy machine. */
export const lowPriority = 5

/** Lowers the priority of this worker thread or, called on the main thread, of this process. */
export function lowerPriority(): void {
  // Only on Linux does setPriority apply to the calling thread; elsewhere a worker would lower the whole process.
  if (isMainThread || process.platform === 'linux') setPriority(lowPriority)
}
