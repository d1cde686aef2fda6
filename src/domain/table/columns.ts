/** How many columns a table may have, and how long their headings are, whatever kind of file it is: each row is looked at by all of them. */
import { TableRefused } from './refused.ts'

export const MAX_COLUMNS = 500
/** Headings are stored, and each problem of a row names its heading: longer ones are cut. */
export const MAX_HEADING_LENGTH = 200

/** Whether a row of a table has anything beyond the last column that there may be. */
export function isTooWide(record: readonly string[]): boolean {
  return record.length > MAX_COLUMNS && record.findLastIndex(cell => cell.trim() !== '') >= MAX_COLUMNS
}

/** `what` has them, as the beginning of a sentence. */
export function tooManyColumns(what: string): TableRefused {
  return new TableRefused('TOO_MANY_COLUMNS', `${what} has more than ${MAX_COLUMNS} columns.`)
}
