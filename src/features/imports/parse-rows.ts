/** The rows of a file as drafts, in small batches, on whichever thread. */
import { TableError } from '../../domain/table/table-error.ts'
import { createColumns, type ExtendedMapping } from './columns.ts'
import { createRowParser, type FailedRow, type ParsedLeadRow } from './parse-row.ts'
import { readRows } from './read-rows.ts'
import type { ClaimedImport } from './run-queries.ts'

export interface ParseRowsRequest {
  claimed: ClaimedImport
  /** What is dated later is no date of something that happened. */
  now: Date
}

export interface ParsedBatch {
  rows: (ParsedLeadRow | FailedRow)[]
  /** The columns with those that came up in these rows; null: none did. */
  extended: ExtendedMapping | null
  /** Why the file can't be read on behind these rows. */
  refused: { code: string; message: string } | null
}

/** Of a batch: handing it from thread to thread takes a few milliseconds. */
const rowsMax = 100
const sizeMax = 128 * 1024

/** Rows up to `claimed.position` are passed over; `claimed.mapping` and `claimed.guessedMapping` grow. */
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
