/** What somebody stated of a lead, by itself: no advert changes it, not even where it was emptied. */
import { type Column, columnGroups, columnNames, contactColumns } from './lead-columns.ts'
import { isEqual, type LeadRow } from './lead-row.ts'

/** The row as it was edited, which keeps in mind what was. */
export function withEdits(before: LeadRow, after: LeadRow): LeadRow {
  const changed = columnNames.filter(name => !isEqual(before[name], after[name]))
  return changed.length === 0 ? after : { ...after, edited_columns: addEdited(before, changed) }
}

/**
 * The row of a new lead. What somebody writes of it, one by itself, is stated; of what a file brings, whom to contact: the
 * advert of an agency that has the same property fills in the rest, and does not take the owner's place.
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

function addEdited(row: LeadRow, columns: Column[]): string[] {
  const grouped = columnGroups.filter(group => group.some(name => columns.includes(name))).flat()
  return [...new Set([...(row.edited_columns as string[]), ...columns, ...grouped])].sort()
}
