/** The rows of a file as drafts, in small batches, on whichever thread. */
import { TableRefused } from '../../domain/table/refused.ts'
import { createColumns, type GrownColumns } from './columns.ts'
import { readRows } from './file-rows.ts'
import { createRowReader, type FailedRow, type RowDraft } from './row-draft.ts'
import type { ClaimedImport } from './run-queries.ts'

export interface DraftsBegin {
  claimed: ClaimedImport
  /** What is dated later is no date of something that happened. */
  now: Date
}

export interface DraftBatch {
  rows: (RowDraft | FailedRow)[]
  /** The columns with those that came up in these rows; null: none did. */
  grown: GrownColumns | null
  /** Why the file can't be read on behind these rows. */
  refused: { code: string; message: string } | null
}

/** Of a batch: handing it from thread to thread takes a few milliseconds. */
const rowsMax = 100
const sizeMax = 128 * 1024

/** Rows up to `claimed.position` are passed over; `claimed.mapping` and `claimed.guessedMapping` grow. */
export async function* readDrafts(
  { claimed, now }: DraftsBegin,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<DraftBatch, void> {
  const columns = createColumns(claimed)
  const read = createRowReader(claimed, now, columns)
  let rows: DraftBatch['rows'] = []
  let size = 0
  const take = (refused: DraftBatch['refused']): DraftBatch => {
    const batch = { rows, grown: columns.takeGrown(), refused }
    rows = []
    size = 0
    return batch
  }
  try {
    for await (const row of readRows(claimed, pieces, claimed.position)) {
      size += row.size
      if (rows.push(read(row)) >= rowsMax || size >= sizeMax) yield take(null)
    }
  } catch (error) {
    if (!(error instanceof TableRefused)) throw error
    yield take({ code: error.code, message: error.message })
    return
  }
  if (rows.length > 0) yield take(null)
}
