/** The rows of a file as drafts: a thread reads them, unless they are few. */

import { TableRefused } from '../../domain/table/refused.ts'
import { createThreadPool, inPlaceMaxBytes, ThreadFailed } from '../../kit/thread-pool.ts'
import { readOnThread, type StreamPool } from '../../kit/thread-stream.ts'
import { type DraftBatch, type DraftsBegin, readDrafts } from './draft-reading.ts'
import type { ClaimedImport } from './run-queries.ts'

const draftThreads: StreamPool<DraftsBegin, DraftBatch> = createThreadPool({
  of: 'files',
  module: new URL('./draft-thread.ts', import.meta.url),
  // Twice as many as jobs of any length run at once: an import has a worker of the queue, and does not wait once more.
  places: 32,
})

/**
 * The rows behind `claimed.position`; `claimed.mapping` and `claimed.guessedMapping` grow. `pieces` are as long as each other but
 * for the last. Throws TableRefused where the file can't be read on.
 */
export async function* readDraftBatches(
  claimed: ClaimedImport,
  pieces: AsyncIterable<Uint8Array>,
  tenantId: string,
  threads = draftThreads,
): AsyncGenerator<DraftBatch, void> {
  const source = pieces[Symbol.asyncIterator]()
  try {
    const first = await source.next()
    const isShort = first.done === true || first.value.length <= inPlaceMaxBytes
    // A step that is begun is done, whoever stops: so each run gets on.
    const client = { tenantId, signal: new AbortController().signal }
    const begin = { claimed, now: claimed.now }
    const whole = wholeOf(first, source)
    const batches = isShort ? readDrafts(begin, whole) : readOnThread(threads, client, begin, whole)
    for await (const batch of batches) {
      Object.assign(claimed, batch.grown)
      yield batch
      if (batch.refused) throw new TableRefused(batch.refused.code, batch.refused.message)
    }
  } catch (error) {
    if (!(error instanceof ThreadFailed)) throw error
    throw new TableRefused('TOO_COSTLY', `The file can't be read on: ${error.message}.`)
  } finally {
    await source.return?.()
  }
}

async function* wholeOf(
  first: IteratorResult<Uint8Array>,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (let next = first; !next.done; next = await source.next()) yield next.value
}
