/** The cells of a row beside what their columns are, whether the row comes from a table or from a line of JSON. */
import { columnsMax, headingLengthMax, toTooManyColumnsError } from './columns.ts'
import { getCustomFieldName, type LeadField, type Mapping } from './lead-fields.ts'

export interface Column {
  heading: string
  field: LeadField
  /** The name of a custom field, else null. */
  custom: string | null
}

interface ColumnLayout {
  headings: readonly string[]
  columns: (Column | null)[]
}

// Rows come by the hundred thousand with one mapping.
const layoutsByHeading = new WeakMap<Mapping, ColumnLayout>()

/** What each column of a table is, in the order of the headings; null where it is passed over. */
export function toColumns(headings: readonly string[], mapping: Mapping): (Column | null)[] {
  const known = layoutsByHeading.get(mapping)
  if (known !== undefined && known.headings === headings) return known.columns
  const columns = headings.map(heading => toColumn(heading, mapping))
  layoutsByHeading.set(mapping, { headings, columns })
  return columns
}

/** `constructor` is a heading like any other. */
export function toColumn(heading: string, mapping: Mapping): Column | null {
  const field = Object.hasOwn(mapping, heading) ? mapping[heading] : null
  return field === null || field === undefined ? null : { heading, field, custom: getCustomFieldName(field) }
}

const depthMax = 4

/**
 * The values of an object by their paths (`contact.name`); lists, what lies very deep, and what stands behind a path longer than a
 * heading may be, stay as they are.
 */
export function flattenObject(value: Record<string, unknown>): Map<string, unknown> {
  const found = new Map<string, unknown>()
  const visit = (object: object, prefix: string, depth: number) => {
    for (const [name, inner] of Object.entries(object)) {
      const path = prefix + name
      const isLong = path.length > headingLengthMax
      const isBranch = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      if (isBranch && !isLong && depth < depthMax) visit(inner, `${path}.`, depth + 1)
      else found.set(isLong ? truncatePath(path) : path, inner)
    }
  }
  visit(value, '', 1)
  return found
}

/** Well formed, as it is stored. */
function truncatePath(path: string): string {
  return `${path.slice(0, headingLengthMax - 1).toWellFormed()}…`
}

/** A value of JSON as a cell of a table would have it; lists are lines. */
export function formatCell(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(formatCell).join('\n')
  // A number is exact: three decimals must not be taken for thousands.
  if (typeof value === 'number') return /\.\d{3}$/.test(String(value)) ? `${value}0` : String(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * The headings and cells that objects have when they are taken for the rows of a table, for `guessMapping`: each path is a
 * column, in the order in which they first come.
 * @throws {TableError} for more columns than a table may have.
 */
export function collectColumns(objects: readonly Record<string, unknown>[]): {
  headings: string[]
  sample: string[][]
} {
  const names = new Set<string>()
  const rows = objects.map(object => {
    const row = flattenObject(object)
    for (const name of row.keys())
      if (names.add(name).size > columnsMax) throw toTooManyColumnsError('The file')
    return row
  })
  const headings = [...names]
  return { headings, sample: rows.map(row => headings.map(heading => formatCell(row.get(heading)))) }
}
