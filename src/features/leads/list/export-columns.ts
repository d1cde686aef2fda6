/** The columns of an exported table: every field of `Lead`, with headings that the import recognises. */
import { joinList } from '../../../domain/table/cell-text.ts'
import { type CsvValue, formatCsvLine } from '../../../domain/table/csv-line.ts'
import { Lead } from '../schemas.ts'

/** The maximum number of columns for custom fields; the others are in the last column. */
const customColumnsMax = 100
/** The last column: a JSON object of the custom fields that have no column or are no text. */
const customFieldsHeading = 'customFields'

interface Column {
  heading: string
  read(lead: Lead): CsvValue
}

/** The part of JSON Schema that `Lead` uses. */
interface Shape {
  type?: string
  anyOf?: Shape[]
  properties?: Record<string, Shape>
}

export interface LeadTable {
  /** The first line. */
  heading: string
  /** The lines of leads. */
  formatLines(leads: Lead[]): string
}

/**
 * A CSV table of leads. The columns follow from the schema of `Lead`: a field that is added there is exported.
 * `customNames`: custom fields that get a column each, if the name is valid as a heading. `separator`: one character.
 */
export function createLeadTable(customNames: string[], separator: string): LeadTable {
  const columns = [...recordColumns, ...customColumns(customNames)]
  return {
    heading: formatCsvLine(
      columns.map(column => column.heading),
      separator,
    ),
    formatLines: leads =>
      leads
        .map(lead =>
          formatCsvLine(
            columns.map(column => column.read(lead)),
            separator,
          ),
        )
        .join(''),
  }
}

/**
 * The maximum number of names for `createLeadTable`: one more than the columns, for a name that is not valid as a heading.
 * The fields of further names are in the last column.
 */
export const customNamesMax = customColumnsMax + 1

const recordColumns = toColumns(Lead as Shape, [])

function toColumns(shape: Shape, path: string[]): Column[] {
  const { properties } = shape.anyOf?.find(({ type }) => type !== 'null') ?? shape
  if (properties)
    return Object.entries(properties).flatMap(([name, inner]) => toColumns(inner, [...path, name]))
  const heading = path.join('.')
  if (heading === customFieldsHeading) return []
  return [{ heading, read: createReader(path) }]
}

/** Most paths have one or two names; these have fast readers, because a million leads have forty values each. */
function createReader([first, second, ...rest]: string[]): Column['read'] {
  type Values = Record<string, never>
  if (second === undefined) return lead => toCell((lead as unknown as Values)[first!])
  if (rest.length === 0) return lead => toCell((lead as unknown as Values)[first!]?.[second])
  return lead => {
    let value: unknown = lead
    for (const name of [first!, second, ...rest]) value = (value as Values | null)?.[name]
    return toCell(value)
  }
}

function customColumns(names: string[]): Column[] {
  const columnNames = new Set(names.filter(isValidHeading).slice(0, customColumnsMax))
  // Other values are in the JSON of the last column: in a cell, the number 12 would look like the text `12`.
  const hasOwnColumn = (name: string, value: unknown) =>
    columnNames.has(name) && typeof value === 'string' && value !== ''
  const readOthers = ({ customFields }: Lead) =>
    toCell(
      Object.fromEntries(Object.entries(customFields).filter(([name, value]) => !hasOwnColumn(name, value))),
    )
  return [
    ...Array.from(columnNames, name => ({
      heading: `${customFieldsHeading}.${name}`,
      read: ({ customFields }: Lead) =>
        Object.hasOwn(customFields, name) ? toCell(customFields[name]) : null,
    })),
    { heading: customFieldsHeading, read: readOthers },
  ]
}

/** The import reads the name back unchanged, and recognises the cell as a heading. */
function isValidHeading(name: string): boolean {
  return name.length <= 100 && !/^\s|\s$|\s\s|[^\S ]|@/.test(name)
}

/** A list of texts is joined with ` | `; other lists and objects are JSON; an empty one is null. */
function toCell(value: unknown): CsvValue {
  if (typeof value !== 'object' || value === null) return (value as CsvValue | undefined) ?? null
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return joinList(value) || null
  if (Array.isArray(value)) return JSON.stringify(value)
  // With spaces: otherwise an e-mail address in the JSON makes the import read the whole cell as one address.
  const json = JSON.stringify(value, null, 1).replace(/\n */g, ' ')
  return json === '{}' ? null : json
}
