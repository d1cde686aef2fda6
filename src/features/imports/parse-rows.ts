/** Parses the rows of a file in small batches. Runs on any thread. */
import { TableError } from '../../domain/table/table-error.ts'
import { createColumns, type ExtendedMapping } from './columns.ts'
import { createRowParser, type FailedRow, type ParsedLeadRow } from './parse-row.ts'
import { readRows } from './read-rows.ts'
import type { ClaimedImport } from './run-queries.ts'

export interface ParseRowsRequest {
  claimed: ClaimedImport
  /** A past event with a date after this is invalid. */
  now: Date
}

export interface ParsedBatch {
  rows: (ParsedLeadRow | FailedRow)[]
  /** The mapping with the new columns of these rows; null: there are none. */
  extended: ExtendedMapping | null
  /** Why the file can't be read beyond these rows; null: it can. */
  refused: { code: string; message: string } | null
}

/** The limits of a batch, in rows and characters: sending it from thread to thread takes a few milliseconds. */
const rowsMax = 100
const sizeMax = 128 * 1024

/** Skips rows up to `claimed.position`. Adds new columns to `claimed.mapping` and `claimed.guessedMapping`. */
export async function* parseRows(
  { claimed, now }: ParseRowsRequest,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ParsedBatch, void> {
  const columns = createColumns(claimed)
  const parse = createRowParser(claimed, now, columns)
  let rows: ParsedBatch['rows'] = []
  let size = 0
  const flush = (refused: ParsedBatch['refused']): ParsedBatch => {
    const batch = { rows, extended: columns.takeExtendedMapping(), refused }
    rows = []
    size = 0
    return batch
  }
  try {
    for await (const row of readRows(claimed, chunks, claimed.position)) {
      size += row.size
      if (rows.push(parse(row)) >= rowsMax || size >= sizeMax) yield flush(null)
    }
  } catch (error) {
    if (!(error instanceof TableError)) throw error
    yield flush({ code: error.code, message: error.message })
    return
  }
  if (rows.length > 0) yield flush(null)
}
