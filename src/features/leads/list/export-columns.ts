/** The columns of an export as a table: every value of the record, under headings that the import of tables understands. */
import { joinList } from '../../../domain/table/cell-text.ts'
import { type CsvValue, formatCsvLine } from '../../../domain/table/csv-line.ts'
import { Lead } from '../schemas.ts'

/** A spreadsheet shows so many; what goes beyond them is in the last column. */
const customColumnsMax = 100
/** The column of the custom fields that have none of their own, or are no text, as JSON. */
const customFieldsHeading = 'customFields'

interface Column {
  heading: string
  read(lead: Lead): CsvValue
}

/** What of JSON Schema the record is described with. */
interface Shape {
  type?: string
  anyOf?: Shape[]
  properties?: Record<string, Shape>
}

export interface LeadTable {
  /** The line above all others. */
  heading: string
  /** The lines of leads. */
  lines(leads: Lead[]): string
}

/**
 * A table of leads, whose columns follow from the record's schema: what is added there is exported. `customNames`: names of
 * custom fields that get a column of their own, if it can bear the name; `separator`: one sign.
 */
export function createLeadTable(customNames: string[], separator: string): LeadTable {
  const columns = [...recordColumns, ...customColumns(customNames)]
  return {
    heading: formatCsvLine(
      columns.map(column => column.heading),
      separator,
    ),
    lines: leads =>
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

/** More of them than there can be columns need not be known. */
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

/** Most values lie one or two names deep, and a million leads have forty each. */
function createReader([first, second, ...readOthers]: string[]): Column['read'] {
  type Values = Record<string, never>
  if (second === undefined) return lead => toCell((lead as unknown as Values)[first!])
  if (readOthers.length === 0) return lead => toCell((lead as unknown as Values)[first!]?.[second])
  return lead => {
    let value: unknown = lead
    for (const name of [first!, second, ...readOthers]) value = (value as Values | null)?.[name]
    return toCell(value)
  }
}

function customColumns(names: string[]): Column[] {
  const columnNames = new Set(names.filter(isValidHeading).slice(0, customColumnsMax))
  // What is no text stands there too: a cell of its own would not tell `12` from the number.
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

/** Comes back as it is from the heading of a table, and makes it look like nothing but a heading. */
function isValidHeading(name: string): boolean {
  return name.length <= 100 && !/^\s|\s$|\s\s|[^\S ]|@/.test(name)
}

/** Lists of words as people write them; what is no list of words as JSON, and nothing where there is none. */
function toCell(value: unknown): CsvValue {
  if (typeof value !== 'object' || value === null) return (value as CsvValue | undefined) ?? null
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return joinList(value) || null
  if (Array.isArray(value)) return JSON.stringify(value)
  // With spaces, or else an address in it makes the import take the whole for one.
  const json = JSON.stringify(value, null, 1).replace(/\n */g, ' ')
  return json === '{}' ? null : json
}
