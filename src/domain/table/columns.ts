/** How many columns a table may have, and how long their headings are, whatever kind of file it is: each row is looked at by all of them. */
import { TableError } from './table-error.ts'

export const columnsMax = 500
/** Headings are stored, and each problem of a row names its heading: longer ones are cut. */
export const headingLengthMax = 200

/** Whether a row of a table has anything beyond the last column that there may be. */
export function isTooWide(record: readonly string[]): boolean {
  return record.length > columnsMax && record.findLastIndex(cell => cell.trim() !== '') >= columnsMax
}

/** `what` has them, as the beginning of a sentence. */
export function toTooManyColumnsError(what: string): TableError {
  return new TableError('TOO_MANY_COLUMNS', `${what} has more than ${columnsMax} columns.`)
}
