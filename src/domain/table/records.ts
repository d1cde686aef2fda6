/** The records of a table as they stream by: read by csv-parse, with what it forgives looked at again. */
import { parse } from 'csv-parse'
import { isTooWide, toTooManyColumnsError } from './columns.ts'
import type { Dialect } from './sniff.ts'
import { TableError } from './table-error.ts'

/**
 * One record, blank ones among them, so that counting them gives the rows of a spreadsheet; null for one over 1 MiB, which is
 * passed over.
 */
export type TableRecord = string[] | null

const recordLengthMax = 1_048_576
/** What is longer hardly is a row: the file is read no further. */
const readBytesMax = 4 * 1_048_576

/** A record as csv-parse hands it over when it is asked for its text too. */
interface ReadRecord {
  record: string[]
  raw: string
}

/**
 * Batches of records, one for each piece of text. Quotes within a cell that is not quoted are ordinary signs.
 * @throws {TableError} for a quote that is never closed, a record over 4 MiB, or too many columns.
 */
export async function* readRecords(
  texts: AsyncIterable<string>,
  dialect: Dialect,
): AsyncGenerator<TableRecord[]> {
  const position = { line: dialect.skipLength > 0 ? 2 : 1, sinceBreak: 0 }
  let batch: TableRecord[] = []
  const parser = parse({
    delimiter: dialect.separator,
    quote: dialect.quote,
    escape: dialect.escape,
    record_delimiter: dialect.lineEnds,
    relax_quotes: true,
    relax_column_count: true,
    ltrim: true,
    max_record_size: readBytesMax,
    raw: true,
    on_record: (read: unknown) => {
      batch.push(checkRecord(read as ReadRecord, dialect, position.line))
      position.line += countLines((read as ReadRecord).raw)
      // Nothing is left in the parser, so that it never waits for somebody to read.
      return null
    },
  })
  // The failure comes with the call that caused it.
  parser.on('error', () => undefined)
  const take = () => {
    const batchRecords = batch
    batch = []
    return batchRecords
  }
  try {
    for await (const text of texts) {
      rejectEndlessLine(text, position)
      await callParser(done => parser.write(text, done), position)
      yield take()
    }
    await callParser(done => parser.end(done), position)
    yield take()
  } finally {
    parser.destroy()
  }
}

function callParser(
  call: (done: (error?: Error | null) => void) => void,
  position: { line: number },
): Promise<void> {
  return new Promise((resolve, reject) =>
    call(error => (error ? reject(toTableError(error, position.line)) : resolve())),
  )
}

function toTableError(error: Error, line: number): Error {
  const code = 'code' in error ? error.code : null
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return new TableError(
      'QUOTE_NOT_CLOSED',
      `A quotation mark in the row that begins on line ${line} is never closed.`,
    )
  return code === 'CSV_MAX_RECORD_SIZE' ? toRowTooLargeError(line) : error
}

function toRowTooLargeError(line: number): TableError {
  const cause = 'perhaps a quotation mark in it is never closed'
  return new TableError(
    'ROW_TOO_LARGE',
    `The row that begins on line ${line} is longer than 4 MiB: ${cause}.`,
  )
}

/** A row of nothing but separators has no size that the parser would count. */
function rejectEndlessLine(text: string, position: { line: number; sinceBreak: number }): void {
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'))
  position.sinceBreak = end === -1 ? position.sinceBreak + text.length : text.length - end
  if (position.sinceBreak > 2 * readBytesMax) throw toRowTooLargeError(position.line)
}

/** @throws {TableError} */
function checkRecord({ record, raw }: ReadRecord, dialect: Dialect, line: number): TableRecord {
  if (isTooWide(record)) throw toTooManyColumnsError(`The row that begins on line ${line}`)
  const sign = dialect.quote.charCodeAt(0)
  for (let index = 0; index < record.length; index += 1) {
    const cell = record[index]!
    if (cell.charCodeAt(0) === sign && dialect.escape === dialect.quote)
      record[index] = checkQuotes(cell, raw, dialect.quote, line)
  }
  return raw.length > recordLengthMax ? null : record
}

/**
 * A cell that begins with a quote. Either the quote is its own, or text stood behind the closing quote, and the parser kept
 * both: space is taken away with them, other text is left as it is. But a cell of several lines that "closes" in the midst
 * of text was never closed, and the rows that it ran over must not be lost.
 */
function checkQuotes(cell: string, raw: string, quote: string, line: number): string {
  const isWritten = (text: string) => raw.includes(quote + text.replaceAll(quote, quote + quote) + quote)
  if (isWritten(cell)) return cell
  if (cell.includes('\n') || cell.includes('\r')) {
    const index =
      line + countLines(raw.slice(0, Math.max(0, raw.indexOf(cell.slice(0, cell.search(/[\r\n]/))))))
    const message = `A quotation mark that opens on line ${index} is not closed where its cell ends.`
    throw new TableError('QUOTE_NOT_CLOSED', message)
  }
  const trimmed = cell.trimEnd()
  const inner = trimmed.slice(1, -1)
  if (!trimmed.endsWith(quote) || trimmed.length < 2) return cell
  if (isWritten(inner)) return inner
  // One that is escaped with a backslash among others that are doubled.
  const plainCell = inner.replaceAll(`\\${quote}`, '')
  return plainCell.includes(quote) ? cell : inner.replaceAll(`\\${quote}`, quote)
}

/** Line ends in a text. */
function countLines(raw: string): number {
  const sign = raw.includes('\n') ? '\n' : '\r'
  let count = 0
  for (let index = raw.indexOf(sign); index !== -1; index = raw.indexOf(sign, index + 1)) count += 1
  // Of the line end `\r\n` the parser keeps the first half.
  return count > 0 && sign === '\n' && raw.endsWith('\r') ? count + 1 : count
}
