// Rows of a CSV file as it is written for export (RFC 4180), safe to open in a spreadsheet.
import { disarmFormula } from './formula.ts'

export type CsvValue = string | number | boolean | null

// Any sign that some program takes for a separator or quote is kept within quotes, and so is space that might be trimmed.
const NEEDS_QUOTES = /[,;|\t:"'\r\n]|^\s|\s$/

/**
 * One cell: with a decimal comma where semicolons part the cells, as in the countries that write so; empty for null, formulas disarmed, quoted where needed. The table reader gives the text back
 * unchanged.
 */
export function csvCell(value: CsvValue, separator: string): string {
  if (value === null) return ''
  if (typeof value === 'number' && separator === ';') return String(value).replace('.', ',')
  if (typeof value !== 'string') return String(value)
  const text = disarmFormula(value)
  return NEEDS_QUOTES.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One line with its end (`\r\n`). A single empty cell is written `""`, for an empty line is no row. */
export function csvLine(values: readonly CsvValue[], separator: string): string {
  const cells = values.map(value => csvCell(value, separator))
  return `${cells.length === 1 && cells[0] === '' ? '""' : cells.join(separator)}\r\n`
}
