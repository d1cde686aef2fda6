/** Limits for the number of columns and the length of headings. Every row is processed for each column. */
import { TableError } from './table-error.ts'

export const columnsMax = 500
/** Longer headings are truncated: they are stored, and each problem of a row names its heading. */
export const headingLengthMax = 200

/** True if the row has a value beyond the maximum number of columns. */
export function isTooWide(record: readonly string[]): boolean {
  return record.length > columnsMax && record.findLastIndex(cell => cell.trim() !== '') >= columnsMax
}

/** `what`: the subject of the message, capitalized. */
export function toTooManyColumnsError(what: string): TableError {
  return new TableError('TOO_MANY_COLUMNS', `${what} has more than ${columnsMax} columns.`)
}
