/** The rows of a file as drafts: a thread reads them, unless they are few. */

import { TableError } from '../../domain/table/table-error.ts'
import { createThreadPool, inlineMaxBytes, ThreadFailed } from '../../kit/thread-pool.ts'
import { readOnThread, type StreamPool } from '../../kit/thread-stream.ts'
import { type ParsedBatch, type ParseRowsRequest, parseRows } from './parse-rows.ts'
import type { ClaimedImport } from './run-queries.ts'

const parseThreads: StreamPool<ParseRowsRequest, ParsedBatch> = createThreadPool({
  name: 'files',
  module: new URL('./parse-rows-thread.ts', import.meta.url),
  // Twice as many as jobs of any length run at once: an import has a worker of the queue, and does not wait once more.
  size: 32,
})

/**
 * The rows behind `claimed.position`; `claimed.mapping` and `claimed.guessedMapping` grow. `chunks` are as long as each other but
 * for the last. Throws TableError where the file can't be read on.
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
    // A step that is begun is done, whoever stops: so each run gets on.
    const client = { tenantId, signal: new AbortController().signal }
    const request = { claimed, now: claimed.now }
    const allPieces = prependFirst(first, source)
    const batches = isSmallFile
      ? parseRows(request, allPieces)
      : readOnThread(threads, client, request, allPieces)
    for await (const batch of batches) {
      Object.assign(claimed, batch.extended)
      yield batch
      if (batch.refused) throw new TableError(batch.refused.code, batch.refused.message)
    }
  } catch (error) {
    if (!(error instanceof ThreadFailed)) throw error
    throw new TableError('TOO_COMPLEX', `The file can't be read on: ${error.message}.`)
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
