/** Rows of a CSV file as it is written for export (RFC 4180), safe to open in a spreadsheet. */
import { escapeFormula } from './formula.ts'

export type CsvValue = string | number | boolean | null

// Any sign that some program takes for a separator or quote is kept within quotes, and so is space that might be trimmed.
const quotesNeededPattern = /[,;|\t:"'\r\n]|^\s|\s$/

/**
 * One cell: with a decimal comma where semicolons part the cells, as in the countries that write so; empty for null, formulas disarmed, quoted where needed. The table reader gives the text back
 * unchanged.
 */
export function formatCsvCell(value: CsvValue, separator: string): string {
  if (value === null) return ''
  if (typeof value === 'number' && separator === ';') return String(value).replace('.', ',')
  if (typeof value !== 'string') return String(value)
  const text = escapeFormula(value)
  return quotesNeededPattern.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One line with its end (`\r\n`). A single empty cell is written `""`, for an empty line is no row. */
export function formatCsvLine(values: readonly CsvValue[], separator: string): string {
  const cells = values.map(value => formatCsvCell(value, separator))
  return `${cells.length === 1 && cells[0] === '' ? '""' : cells.join(separator)}\r\n`
}
