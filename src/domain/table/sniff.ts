/** How a table is written: what parts its columns and rows, and what holds a cell together. */
import { parse } from 'csv-parse/sync'
import { columnsMax } from './columns.ts'
import { isMostlyKnown } from './header.ts'
import { findFieldByHeading } from './heading-key.ts'

export interface Dialect {
  separator: string
  quote: '"' | "'"
  /** What makes a quote within quotes an ordinary sign: the quote again, or a backslash. */
  escape: '"' | "'" | '\\'
  lineEnds: string[]
  /** Characters before the table, which are those of a line that only names the separator. */
  skipLength: number
}

const separators = [',', ';', '\t', '|']
// They are in ordinary text as well, so that they count only where nothing else parts columns and nothing speaks against it.
const lastResortSeparators = [':', ' ']
const sampleRowsMax = 300
/** Titles and notes above a table are not more. */
const titleRowsMax = 30
const separatorLinePattern = /^"?sep=([^"\r\n\p{L}\p{N}])"?[;,]*(?:\r\n|\n|\r)/iu

/**
 * Tells the dialect from the head of a table. The separator is the one by which the rows have the same width, the heading
 * row before all; a line `sep=;`, as Excel writes and reads it, is believed.
 */
export function sniffDialect(head: string): Dialect {
  const named = separatorLinePattern.exec(head)
  const skipLength = named?.[0].length ?? 0
  const text = head.slice(skipLength)
  const lineEnds = text.includes('\n') ? ['\r\n', '\n'] : ['\r\n', '\n', '\r']
  const form = { lineEnds, skipLength, text }
  return named === null ? findBestDialect(form) : createDialect(named[1]!, '"', form)
}

interface FileForm {
  lineEnds: string[]
  skipLength: number
  text: string
}

function findBestDialect(form: FileForm): Dialect {
  const single = isQuotedSingly(form.text)
  const quotes = single ? (["'"] as const) : (['"'] as const)
  const candidates = quotes.flatMap(quote =>
    separators.map(separator => createDialect(separator, quote, form)),
  )
  const rated = candidates.map(dialect => ({
    dialect,
    rating: rateDialect(readSampleRows(form.text, dialect)),
  }))
  const [best] = rated.sort((a, b) => b.rating - a.rating)
  if (best !== undefined && best.rating > 0) return best.dialect
  for (const separator of lastResortSeparators) {
    const dialect = createDialect(separator, '"', form)
    if (isCertain(readSampleRows(form.text, dialect))) return dialect
  }
  // One column: a sign that is not in it parts nothing by mistake.
  const unused = separators.find(separator => !form.text.includes(separator)) ?? ','
  return createDialect(unused, quotes[0]!, form)
}

function createDialect(
  separator: string,
  quote: '"' | "'",
  { text, lineEnds, skipLength }: FileForm,
): Dialect {
  return { separator, quote, escape: detectEscape(text, quote, separator), lineEnds, skipLength }
}

/** A backslash before a quote that neither ends the cell nor is doubled can be nothing but an escape (MySQL writes so). */
function detectEscape(text: string, quote: '"' | "'", separator: string): Dialect['escape'] {
  const edge = `(?:${RegExp.escape(separator)}|[\\r\\n])`
  const pair = quote + quote
  const isDoubled = new RegExp(`${pair}(?<!(?:^|${edge}) *${pair})(?! *(?:${edge}|$))`).test(text)
  const isEscaped = new RegExp(`[^\\\\]\\\\${quote}(?!${quote}|${edge}|$)`).test(text)
  return isEscaped && !isDoubled ? '\\' : quote
}

/** Apostrophes hold cells together if cells begin and end with them, and none with a double quote. */
function isQuotedSingly(text: string): boolean {
  if (!text.includes("'")) return false
  const edge = '[,;\\t|\\r\\n]'
  const isQuoteOpen = (quote: string) => text.match(new RegExp(`(?:^|${edge})${quote}`, 'g'))?.length ?? 0
  const closed = text.match(new RegExp(`'(?=${edge}|$)`, 'g'))?.length ?? 0
  const single = isQuoteOpen("'")
  return single >= 2 && isQuoteOpen('"') === 0 && closed >= single * 0.9 && closed <= single * 1.1
}

/** The rows of the sample that hold anything, as a dialect has them. */
export function readSampleRecords(text: string, dialect: Dialect): string[][] {
  return parse(text, {
    delimiter: dialect.separator,
    quote: dialect.quote,
    escape: dialect.escape,
    record_delimiter: dialect.lineEnds,
    relax_quotes: true,
    relax_column_count: true,
    ltrim: true,
    to: sampleRowsMax,
    // The sample may end within quotes.
    skip_records_with_error: true,
  })
}

/** What is wider than a table may be is looked at no further. */
function readSampleRows(text: string, dialect: Dialect): string[][] {
  return readSampleRecords(text, dialect)
    .filter(record => record.some(cell => cell.trim() !== ''))
    .map(record => record.slice(0, columnsMax + 1))
}

/**
 * How well a dialect explains the rows: 0 if it parts nothing. Wide rows that agree are no accident, a first row of
 * another width is a bad sign (there the comma is in addresses or amounts), and known headings are a very good one.
 */
function rateDialect(rows: string[][]): number {
  const { width, share } = findMostCommon(rows)
  // Of a title no more is known than that it stands above the headings.
  const first = rows.slice(0, titleRowsMax).find(isMostlyKnown) ?? rows[0]
  if (first === undefined || width < 2) return 0
  const known = first.filter(cell => findFieldByHeading(cell) !== null).length
  // One known heading and nothing beside it: the column is alone.
  if (first.length === 1 && known === 1) return 0
  const agreement = share * (1 - 1 / width) * (first.length === width ? 1 : 0.5)
  return agreement * (computeDecimalShare(rows) > 0.5 ? 0.5 : 1) * (1 + known / first.length)
}

/** How many of the cells are the halves of a number that a comma parted: `1,5` in a table of two columns. */
function computeDecimalShare(rows: string[][]): number {
  const splitRows = rows.slice(1).filter(row => row.length > 1)
  if (splitRows.length === 0 || splitRows.some(row => row.length > 2)) return 0
  const splitHalves = splitRows.filter(
    ([left = '', right = '']) => /\d$/.test(left) && /^\d{1,2}(?!\d)/.test(right),
  )
  return splitHalves.length / splitRows.length
}

function findMostCommon(rows: string[][]): { width: number; share: number } {
  const counts = [...Map.groupBy(rows, row => row.length)].sort(([, a], [, b]) => b.length - a.length)
  // Rows of one cell are titles, notes and blank rows; they agree with anything.
  const [width, found] = counts.find(([columns]) => columns > 1) ?? [1, []]
  return { width, share: rows.length === 0 ? 0 : found.length / rows.length }
}

function isCertain(rows: string[][]): boolean {
  const first = rows[0]
  if (first === undefined || first.length < 2 || rows.length < 2) return false
  const known = first.filter(cell => findFieldByHeading(cell) !== null).length
  return known >= 2 && rows.every(row => row.length === first.length)
}
