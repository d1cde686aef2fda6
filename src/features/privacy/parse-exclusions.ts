/** Parses the file of an exclusion list in small batches, on a worker thread or the main thread. */
import type { Identifier } from '../../domain/contact/identifiers.ts'
import { readExclusionList } from '../../domain/table/exclusion-list.ts'
import { TableError } from '../../domain/table/table-error.ts'

export interface ParseExclusionsRequest {
  /** ISO 3166-1 alpha-2, for numbers without a prefix. */
  country: string
}

export interface ExclusionBatch {
  /** May contain duplicates. */
  identifiers: Identifier[]
  rows: number
  /** The numbers of rows without an identifier, from 1. */
  unreadableRows: number[]
  /** Why the file can't be read after these rows; null: no error. */
  refused: { code: string; message: string } | null
}

/** Per batch. Passing a batch between threads takes one or two milliseconds. */
const rowsMax = 1000
const identifiersMax = 1000

const createBatch = (): ExclusionBatch => ({ identifiers: [], rows: 0, unreadableRows: [], refused: null })

export async function* parseExclusions(
  { country }: ParseExclusionsRequest,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ExclusionBatch, void> {
  let batch = createBatch()
  try {
    for await (const row of readExclusionList(chunks, country)) {
      batch.rows += 1
      batch.identifiers.push(...row.identifiers)
      if (row.identifiers.length === 0) batch.unreadableRows.push(row.number)
      if (batch.rows < rowsMax && batch.identifiers.length < identifiersMax) continue
      yield batch
      batch = createBatch()
    }
  } catch (error) {
    if (!(error instanceof TableError)) throw error
    yield { ...batch, refused: { code: error.code, message: error.message } }
    return
  }
  yield batch
}
