/** Detects the dialect of a table: separator, quote, escape and line ends. */
import { parse } from 'csv-parse/sync'
import { columnsMax } from './columns.ts'
import { isMostlyKnown } from './header.ts'
import { findFieldByHeading } from './heading-key.ts'

export interface Dialect {
  separator: string
  quote: '"' | "'"
  /** Makes a quote within quotes an ordinary character: the quote again, or a backslash. */
  escape: '"' | "'" | '\\'
  lineEnds: string[]
  /** Length of a first line that only names the separator (`sep=;`), which is not part of the table. */
  skipLength: number
}

const separators = [',', ';', '\t', '|']
// They are common in ordinary text, so they count only if no other separator fits and all rows agree.
const lastResortSeparators = [':', ' ']
const sampleRowsMax = 300
/** Maximum number of titles and notes above a table. */
const titleRowsMax = 30
const separatorLinePattern = /^"?sep=([^"\r\n\p{L}\p{N}])"?[;,]*(?:\r\n|\n|\r)/iu

/**
 * Detects the dialect from the head of a table. The separator is the one that gives the rows, first of all the heading
 * row, the same width. A line `sep=;`, as Excel writes and reads it, takes precedence.
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
  const quotes = isQuotedSingly(form.text) ? (["'"] as const) : (['"'] as const)
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
  // One column: a separator that does not occur splits nothing by mistake.
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

/** A backslash before a quote that neither ends the cell nor is doubled must be an escape, as MySQL writes it. */
function detectEscape(text: string, quote: '"' | "'", separator: string): Dialect['escape'] {
  const edge = `(?:${RegExp.escape(separator)}|[\\r\\n])`
  const pair = quote + quote
  const isDoubled = new RegExp(`${pair}(?<!(?:^|${edge}) *${pair})(?! *(?:${edge}|$))`).test(text)
  const isEscaped = new RegExp(`[^\\\\]\\\\${quote}(?!${quote}|${edge}|$)`).test(text)
  return isEscaped && !isDoubled ? '\\' : quote
}

/** True if cells begin and end with apostrophes, and none begins with a double quote. */
function isQuotedSingly(text: string): boolean {
  if (!text.includes("'")) return false
  const edge = '[,;\\t|\\r\\n]'
  const countOpenings = (quote: string) => text.match(new RegExp(`(?:^|${edge})${quote}`, 'g'))?.length ?? 0
  const closings = text.match(new RegExp(`'(?=${edge}|$)`, 'g'))?.length ?? 0
  const openings = countOpenings("'")
  return openings >= 2 && countOpenings('"') === 0 && closings >= openings * 0.9 && closings <= openings * 1.1
}

/** The records of the sample, as parsed with a dialect. */
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

/** Rows with a value, limited in width. */
function readSampleRows(text: string, dialect: Dialect): string[][] {
  return readSampleRecords(text, dialect)
    .filter(record => record.some(cell => cell.trim() !== ''))
    .map(record => record.slice(0, columnsMax + 1))
}

/**
 * Rates how well a dialect explains the rows: 0 if it splits nothing. Wide rows of equal width are no coincidence. A
 * first row of another width counts against it (the comma is then in addresses or amounts), and known headings count
 * strongly for it.
 */
function rateDialect(rows: string[][]): number {
  const { width, share } = findMostCommon(rows)
  // Rows above the headings are skipped only if the headings are known words.
  const first = rows.slice(0, titleRowsMax).find(isMostlyKnown) ?? rows[0]
  if (first === undefined || width < 2) return 0
  const known = first.filter(cell => findFieldByHeading(cell) !== null).length
  // One known heading and no other cell: a single column.
  if (first.length === 1 && known === 1) return 0
  const agreement = share * (1 - 1 / width) * (first.length === width ? 1 : 0.5)
  return agreement * (computeDecimalShare(rows) > 0.5 ? 0.5 : 1) * (1 + known / first.length)
}

/** The share of rows that look like a number split at its decimal comma: `1,5` in two columns. */
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
  // Rows of one cell are titles, notes and blank rows; they agree with any separator.
  const [width, found] = counts.find(([columns]) => columns > 1) ?? [1, []]
  return { width, share: rows.length === 0 ? 0 : found.length / rows.length }
}

function isCertain(rows: string[][]): boolean {
  const first = rows[0]
  if (first === undefined || first.length < 2 || rows.length < 2) return false
  const known = first.filter(cell => findFieldByHeading(cell) !== null).length
  return known >= 2 && rows.every(row => row.length === first.length)
}
