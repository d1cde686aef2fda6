/** Formats rows of a CSV file for export (RFC 4180) that is safe to open in a spreadsheet. */
import { escapeFormula } from './formula.ts'

export type CsvValue = string | number | boolean | null

// Everything that some program treats as a separator or quote is quoted, and space that might be trimmed.
const quotesNeededPattern = /[,;|\t:"'\r\n]|^\s|\s$/

/**
 * Formats one cell. Null is empty, formulas are escaped, and quotes are added where needed. With `;` as separator,
 * numbers have a decimal comma, as in the countries that use it. The table reader returns the same text.
 */
export function formatCsvCell(value: CsvValue, separator: string): string {
  if (value === null) return ''
  if (typeof value === 'number' && separator === ';') return String(value).replace('.', ',')
  if (typeof value !== 'string') return String(value)
  const text = escapeFormula(value)
  return quotesNeededPattern.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Formats one line with its end (`\r\n`). A single empty cell is written as `""`, because an empty line is not a row.
 */
export function formatCsvLine(values: readonly CsvValue[], separator: string): string {
  const cells = values.map(value => formatCsvCell(value, separator))
  return `${cells.length === 1 && cells[0] === '' ? '""' : cells.join(separator)}\r\n`
}
