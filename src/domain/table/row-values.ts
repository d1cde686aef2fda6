/** Assigns the cells of a row to their columns, for tables and for JSON lines. */
import { columnsMax, headingLengthMax, toTooManyColumnsError } from './columns.ts'
import { getCustomFieldName, type LeadField, type Mapping } from './lead-fields.ts'

export interface Column {
  heading: string
  field: LeadField
  /** The name of a custom field, otherwise null. */
  custom: string | null
}

interface ColumnLayout {
  headings: readonly string[]
  columns: (Column | null)[]
}

// Cached: hundreds of thousands of rows share one mapping.
const layoutsByMapping = new WeakMap<Mapping, ColumnLayout>()

/** The column of each heading, in order; null if it is skipped. */
export function toColumns(headings: readonly string[], mapping: Mapping): (Column | null)[] {
  const cached = layoutsByMapping.get(mapping)
  if (cached !== undefined && cached.headings === headings) return cached.columns
  const columns = headings.map(heading => toColumn(heading, mapping))
  layoutsByMapping.set(mapping, { headings, columns })
  return columns
}

/** Checks own properties, because `constructor` may be a heading. */
export function toColumn(heading: string, mapping: Mapping): Column | null {
  const field = Object.hasOwn(mapping, heading) ? mapping[heading] : null
  return field === null || field === undefined ? null : { heading, field, custom: getCustomFieldName(field) }
}

const depthMax = 4

/**
 * The values of an object by their paths (`contact.name`). Lists, deeply nested objects, and objects under a path
 * longer than a heading are not flattened.
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

/** Well-formed Unicode, because it is stored. */
function truncatePath(path: string): string {
  return `${path.slice(0, headingLengthMax - 1).toWellFormed()}…`
}

/** Formats a JSON value as the cell of a table; lists are lines. */
export function formatCell(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(formatCell).join('\n')
  // A third decimal would be read as a thousands separator, so a zero is appended.
  if (typeof value === 'number') return /\.\d{3}$/.test(String(value)) ? `${value}0` : String(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * The headings and sample rows of objects, for `guessMapping`. Each path is a column, in the order of first occurrence.
 * @throws {TableError} if there are more columns than a table may have.
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
