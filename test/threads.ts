/** Thread pools for tests of failures. */
import { ThreadFailed } from '../src/kit/thread-pool.ts'
import type { StreamPool } from '../src/kit/thread-stream.ts'

/** Creates a pool whose tasks fail, as tasks do that take too long or too much memory. */
export function createFailingPool<Begin, Batch>(reason: string): StreamPool<Begin, Batch> {
  const run = async () => {
    throw new ThreadFailed(reason)
  }
  return { run, open: async () => ({ run, end() {} }) }
}
