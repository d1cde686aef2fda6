/** Columns that somebody has edited: listings do not overwrite them, even if they were cleared. */
import { type Column, columnGroups, columnNames, contactColumns } from './lead-columns.ts'
import { isEqual, type LeadRow } from './lead-row.ts'

/** The edited row, with the changed columns added to `edited_columns`. */
export function withEdits(before: LeadRow, after: LeadRow): LeadRow {
  const changed = columnNames.filter(name => !isEqual(before[name], after[name]))
  return changed.length === 0 ? after : { ...after, edited_columns: addEdited(before, changed) }
}

/**
 * The row of a new lead with its initial `edited_columns`. A lead that was created by hand: all columns with a value.
 * A lead from a file: only the contact, so that the listing of an agency for the same property completes the rest but
 * does not replace the owner.
 */
export function withInitialEdits(row: LeadRow, { isFromFile }: { isFromFile: boolean }): LeadRow {
  const isStated = (name: Column) => {
    const value = row[name]
    return value !== null && !(Array.isArray(value) && value.length === 0)
  }
  return {
    ...row,
    edited_columns: addEdited(row, (isFromFile ? contactColumns : columnNames).filter(isStated)),
  }
}

/** The edited columns of a row, with these and those of their groups. */
export function addEdited(row: LeadRow, columns: Column[]): string[] {
  const grouped = columnGroups.filter(group => group.some(name => columns.includes(name))).flat()
  return [...new Set([...(row.edited_columns as string[]), ...columns, ...grouped])].sort()
}
