/** Work that has time: it comes after requests and the database. */
import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/** A third of the processor's time that others get: with 10 it was a tenth, and on a busy machine nothing came of the work. */
export const lowPriority = 5

/** Lowers the priority of this thread, or of this process where it is called by its first thread. */
export function lowerPriority(): void {
  // Of Linux alone the number 0 means the thread that calls, and not its process.
  if (isMainThread || process.platform === 'linux') setPriority(lowPriority)
}
