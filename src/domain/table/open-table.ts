/** Reads an uploaded file of any form as a table with headings and streamed rows. */
import { isTooWide, toTooManyColumnsError } from './columns.ts'
import { decodeText, type Encoding } from './decode.ts'
import { unescapeFormula } from './formula.ts'
import { findHeader } from './header.ts'
import { findOddQuoting, type TableWarning } from './odd-quoting.ts'
import { readRecords } from './records.ts'
import { rejectJson, rejectMarkup } from './signatures.ts'
import { type Dialect, readSampleRecords, sniffDialect } from './sniff.ts'
import { TableError } from './table-error.ts'
import { readTextHead } from './text-head.ts'

export interface TableFormat {
  encoding: Encoding
  separator: string
  quote: string
  hasHeader: boolean
  /** Number of the heading row, as in `TableRow.number`; null if there is none. */
  headerRow: number | null
}

export interface Table {
  format: TableFormat
  /** Distinct and never blank, one per column; `column 1`, … for columns without a name. */
  headings: string[]
  /** False if the supposed headings may be the first row of data. */
  isHeaderSure: boolean
  /** Possible misreadings of the file. */
  warnings: TableWarning[]
  /** Can be read once. Throws `TableError` if the file becomes unreadable. */
  rows: AsyncIterable<TableRow>
}

export interface TableRow {
  /** As in a spreadsheet: the first row of the file is 1; blank rows are counted, but not returned. */
  number: number
  /** One per heading; missing cells are empty. */
  cells: string[]
  /** A sentence about surplus cells without a heading, or null. */
  warning: string | null
  /** The row is longer than 1 MiB and has no cells. */
  isTooLarge?: true
}

/**
 * Reads a table from the bytes of a file. Encoding, separator, quotes and headings are detected in the first 64 KiB.
 * `hasHeadings`: null to detect if the first row has headings.
 * @throws {TableError} if the file is not a table, or is empty.
 */
export async function openTable(
  chunks: AsyncIterable<Uint8Array>,
  hasHeadings: boolean | null = null,
): Promise<Table> {
  const { encoding, texts } = await decodeText(chunks)
  const { head, isWhole, rest } = await readTextHead(texts)
  try {
    if (head.trim() === '') throw new TableError('FILE_EMPTY', 'The file is empty.')
    rejectMarkup(head)
    rejectJson(head)
    const dialect = sniffDialect(head)
    const records = takeWholeRecords(head, isWhole, dialect)
    // Checked before anything processes the records by column.
    if (records.some(isTooWide)) throw toTooManyColumnsError('The table')
    const { index, headings, isSure } = findHeader(records, hasHeadings)
    const headerRow = index === null ? null : index + 1
    const { separator, quote } = dialect
    return {
      format: { encoding, separator, quote, hasHeader: index !== null, headerRow },
      headings,
      isHeaderSure: isSure,
      warnings: findOddQuoting(head, records, dialect),
      rows: readRows(rest(dialect.skipLength), dialect, headings.length, headerRow ?? 0),
    }
  } catch (error) {
    await texts[Symbol.asyncIterator]().return?.()
    throw error
  }
}

/** The records of the head, without the last one if the head truncates it. */
function takeWholeRecords(head: string, isWhole: boolean, dialect: Dialect): string[][] {
  const records = readSampleRecords(head.slice(dialect.skipLength), dialect)
  return (isWhole || records.length < 2 ? records : records.slice(0, -1)).map(cells =>
    cells.map(unescapeFormula),
  )
}

async function* readRows(
  texts: AsyncIterable<string>,
  dialect: Dialect,
  width: number,
  headerRow: number,
): AsyncGenerator<TableRow> {
  let number = 0
  for await (const records of readRecords(texts, dialect))
    for (const record of records) {
      number += 1
      if (number <= headerRow) continue
      if (record === null) {
        yield { number, cells: [], warning: null, isTooLarge: true }
        continue
      }
      for (let index = 0; index < record.length; index += 1) record[index] = unescapeFormula(record[index]!)
      if (isBlank(record)) continue
      while (record.length < width) record.push('')
      const extraCells = record.length > width ? record.splice(width).filter(cell => cell.trim() !== '') : []
      yield { number, cells: record, warning: extraCells.length === 0 ? null : toWarning(extraCells, width) }
    }
}

function isBlank(record: readonly string[]): boolean {
  return record.every(cell => cell === '' || cell.trim() === '')
}

function toWarning(extraCells: string[], width: number): string {
  const shown = extraCells.slice(0, 5).map(cell => `"${cell.trim().slice(0, 60)}"`)
  const more = extraCells.length > shown.length ? ', …' : ''
  return `The row has more cells than the table has columns (${width}). Ignored: ${shown.join(', ')}${more}.`
}
