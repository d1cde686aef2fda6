/** Parses the rows of a file: in a worker thread, unless the file is small. */

import { TableError } from '../../domain/table/table-error.ts'
import { createThreadPool, inlineMaxBytes, ThreadFailed } from '../../kit/thread-pool.ts'
import { readOnThread, type StreamPool } from '../../kit/thread-stream.ts'
import { type ParsedBatch, type ParseRowsRequest, parseRows } from './parse-rows.ts'
import type { ClaimedImport } from './run-queries.ts'

const parseThreads: StreamPool<ParseRowsRequest, ParsedBatch> = createThreadPool({
  name: 'files',
  module: new URL('./parse-rows-thread.ts', import.meta.url),
  // Twice the number of jobs that run at once, so that an import that has a queue worker never waits for a thread.
  size: 32,
})

/**
 * Yields the rows after `claimed.position`. Adds new columns to `claimed.mapping` and `claimed.guessedMapping`. All `chunks` but
 * the last must have the same length: a short first one means that the file is small. Throws TableError if the file is damaged, after the rows before the damage.
 */
export async function* parseFile(
  claimed: ClaimedImport,
  chunks: AsyncIterable<Uint8Array>,
  tenantId: string,
  threads = parseThreads,
): AsyncGenerator<ParsedBatch, void> {
  const source = chunks[Symbol.asyncIterator]()
  try {
    const first = await source.next()
    const isSmallFile = first.done === true || first.value.length <= inlineMaxBytes
    // Never aborted: a batch that is started is finished, so that each run makes progress.
    const client = { tenantId, signal: new AbortController().signal }
    const request = { claimed, now: claimed.now }
    const allChunks = prependFirst(first, source)
    const batches = isSmallFile
      ? parseRows(request, allChunks)
      : readOnThread(threads, client, request, allChunks)
    for await (const batch of batches) {
      Object.assign(claimed, batch.extended)
      yield batch
      if (batch.refused) throw new TableError(batch.refused.code, batch.refused.message)
    }
  } catch (error) {
    if (!(error instanceof ThreadFailed)) throw error
    throw new TableError('TOO_COMPLEX', `The rest of the file can't be read: ${error.message}.`)
  } finally {
    await source.return?.()
  }
}

async function* prependFirst(
  first: IteratorResult<Uint8Array>,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (let next = first; !next.done; next = await source.next()) yield next.value
}
