/** Streams the records of a table with csv-parse, and checks again what its lenient options accept. */
import { parse } from 'csv-parse'
import { isTooWide, toTooManyColumnsError } from './columns.ts'
import type { Dialect } from './sniff.ts'
import { TableError } from './table-error.ts'

/**
 * One record. Blank ones are included, so that counting gives the row numbers of a spreadsheet. Null for one over 1
 * MiB, which is skipped.
 */
export type TableRecord = string[] | null

const recordLengthMax = 1_048_576
/** Longer records are hardly rows: reading stops. */
const readBytesMax = 4 * 1_048_576

/** A record with its raw text, as csv-parse returns it with the option `raw`. */
interface ReadRecord {
  record: string[]
  raw: string
}

/**
 * Yields a batch of records for each chunk of text. Quotes inside an unquoted cell are ordinary characters.
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
      // Records are not queued in the parser, so that it never waits for a reader.
      return null
    },
  })
  // The error is also passed to the callback of the call that caused it.
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

/** The parser does not count separators, so a row of nothing but separators is limited here. */
function rejectEndlessLine(text: string, position: { line: number; sinceBreak: number }): void {
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'))
  position.sinceBreak = end === -1 ? position.sinceBreak + text.length : text.length - end
  if (position.sinceBreak > 2 * readBytesMax) throw toRowTooLargeError(position.line)
}

/** @throws {TableError} */
function checkRecord({ record, raw }: ReadRecord, dialect: Dialect, line: number): TableRecord {
  if (isTooWide(record)) throw toTooManyColumnsError(`The row that begins on line ${line}`)
  const quoteCode = dialect.quote.charCodeAt(0)
  for (let index = 0; index < record.length; index += 1) {
    const cell = record[index]!
    if (cell.charCodeAt(0) === quoteCode && dialect.escape === dialect.quote)
      record[index] = checkQuotes(cell, raw, dialect.quote, line)
  }
  return raw.length > recordLengthMax ? null : record
}

/**
 * Checks a cell that begins with a quote. Either the quote is part of the text, or text followed the closing quote and the
 * parser kept both: then trailing space is removed with the quotes, other text is kept. But a cell of several lines
 * that "closes" within text was never closed, and the rows that it includes must not be lost.
 */
function checkQuotes(cell: string, raw: string, quote: string, line: number): string {
  const isWritten = (text: string) => raw.includes(quote + text.replaceAll(quote, quote + quote) + quote)
  if (isWritten(cell)) return cell
  if (cell.includes('\n') || cell.includes('\r')) {
    const quoteLine =
      line + countLines(raw.slice(0, Math.max(0, raw.indexOf(cell.slice(0, cell.search(/[\r\n]/))))))
    const message = `A quotation mark that opens on line ${quoteLine} is not closed where its cell ends.`
    throw new TableError('QUOTE_NOT_CLOSED', message)
  }
  const trimmed = cell.trimEnd()
  const inner = trimmed.slice(1, -1)
  if (!trimmed.endsWith(quote) || trimmed.length < 2) return cell
  if (isWritten(inner)) return inner
  // A quote that is escaped with a backslash among doubled ones.
  const plainCell = inner.replaceAll(`\\${quote}`, '')
  return plainCell.includes(quote) ? cell : inner.replaceAll(`\\${quote}`, quote)
}

/** Counts the line ends in a text. */
function countLines(raw: string): number {
  const lineBreak = raw.includes('\n') ? '\n' : '\r'
  let count = 0
  for (let index = raw.indexOf(lineBreak); index !== -1; index = raw.indexOf(lineBreak, index + 1)) count += 1
  // The parser keeps the first half of a line end `\r\n`.
  return count > 0 && lineBreak === '\n' && raw.endsWith('\r') ? count + 1 : count
}
