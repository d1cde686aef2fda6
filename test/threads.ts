/** Threads for tests of what becomes of their failures. */
import { ThreadFailed } from '../src/kit/thread-pool.ts'
import type { StreamPool } from '../src/kit/thread-stream.ts'

/** All that they are given takes too long, or too much memory. */
export function failingThreads<Begin, Batch>(reason: string): StreamPool<Begin, Batch> {
  const run = async () => {
    throw new ThreadFailed(reason)
  }
  return { run, open: async () => ({ run, end() {} }) }
}
