/** An uploaded file of any make as a table: headings, and rows that stream by. */
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
  /** The number of the heading row, as `TableRow.number`; null if there is none. */
  headerRow: number | null
}

export interface Table {
  format: TableFormat
  /** Distinct and never blank, one per column; `column 1`, … where the table names none. */
  headings: string[]
  /** False: what was taken for headings may be the first row of data. */
  isHeaderSure: boolean
  /** What of it may not be as its owner means it. */
  warnings: TableWarning[]
  /** Can be read once. Throws `TableError` where the file cannot be read on. */
  rows: AsyncIterable<TableRow>
}

export interface TableRow {
  /** As a spreadsheet counts: the first row of the file is 1, blank rows count and are left out. */
  number: number
  /** As many as there are headings; what is missing is empty. */
  cells: string[]
  /** A sentence about cells that no heading stands above, or null. */
  warning: string | null
  /** The row is longer than 1 MiB: it has no cells here. */
  isTooLarge?: true
}

/**
 * Reads a table from the bytes of a file: its encoding, separator, quotes and headings are told from the first 64 KiB.
 * `hasHeadings`: whether it has any, if somebody says.
 * @throws {TableError} for what is no table, or an empty file.
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
    // Before anything looks at them column by column.
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

/** The records of the head but for the last, if the head cuts it. */
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
  return `The row has more cells than the table has columns (${width}). Passed over: ${shown.join(', ')}${more}.`
}
