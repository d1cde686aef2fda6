/** Reads the identifiers in a list of people who must not be contacted. The list may have other columns. */
import { type Identifier, toIdentifiers } from '../contact/identifiers.ts'
import { guessMapping } from './guess-mapping.ts'
import { openTable, type TableRow } from './open-table.ts'
import { parsePhones } from './phone-cell.ts'
import { TableError } from './table-error.ts'

export interface ExclusionRow {
  /** Row number as in a spreadsheet. */
  number: number
  /** Normalized, without duplicates. Empty if the row has no readable identifier. */
  identifiers: Identifier[]
}

const sampleRows = 100
/** Maximum number of characters of a row in the columns that are read. A row names one person, or a few. */
const rowLengthMax = 10_000
const contactFields: ReadonlySet<string> = new Set(['contact.phone', 'contact.email', 'contact.identifiers'])

/**
 * Reads the rows of a file with one or more columns, with or without headings. Uses the columns that seem to hold
 * phones, addresses and chats, or all columns if there are none. A supposed heading row with an identifier counts as a
 * row, so that nobody is lost. `country`: ISO 3166-1 alpha-2, for numbers without a prefix.
 * @throws {TableError} if the file is not a table, is empty, or becomes unreadable.
 */
export async function* readExclusionList(
  chunks: AsyncIterable<Uint8Array>,
  country: string,
): AsyncGenerator<ExclusionRow> {
  const { format, headings, rows } = await openTable(chunks)
  const sample: TableRow[] = []
  let columns: number[] | null = null
  const read = ({ number, cells }: Pick<TableRow, 'number' | 'cells'>): ExclusionRow => {
    const contactTexts = columns!.map(columnIndex => cells[columnIndex] ?? '')
    if (contactTexts.reduce((sum, cell) => sum + cell.length, 0) > rowLengthMax)
      throw toRowTooLongError(number)
    return { number, identifiers: distinct(contactTexts.flatMap(cell => parseCell(cell, country))) }
  }
  const guessColumns = function* () {
    columns = findContactColumns(headings, sample)
    const first = read({ number: format.headerRow ?? 0, cells: headings })
    if (format.headerRow !== null && first.identifiers.length > 0) yield first
    for (const row of sample) yield read(row)
  }
  for await (const row of rows) {
    if (row.isTooLarge)
      throw new TableError(
        'ROW_TOO_LARGE',
        `Row ${row.number} is longer than 1 MiB. Put each person on a separate row.`,
      )
    if (columns) yield read(row)
    else if (sample.push(row) === sampleRows) yield* guessColumns()
  }
  if (!columns) yield* guessColumns()
}

/** Skipping the row would lose persons, so the list is refused. */
function toRowTooLongError(row: number): TableError {
  const length = rowLengthMax.toLocaleString('en-GB')
  return new TableError(
    'ROW_TOO_LARGE',
    `Row ${row} has more than ${length} characters where phones, addresses and chats are read. Put each person on a separate row.`,
  )
}

function findContactColumns(headings: string[], sample: TableRow[]): number[] {
  const mapping = guessMapping(
    headings,
    sample.map(({ cells }) => cells),
  )
  const all = headings.map((_heading, columnIndex) => columnIndex)
  const contactColumns = all.filter(columnIndex => contactFields.has(mapping[headings[columnIndex]!] ?? ''))
  return contactColumns.length > 0 ? contactColumns : all
}

/** Parses `612 345 678 / ana@x.es`, `whatsapp:34612345678`. */
function parseCell(cell: string, country: string): Identifier[] {
  const text = cell.trim()
  if (text === '') return []
  // Schemes for calls and e-mails are not chat providers.
  if (/^(?!(?:tel|phone|callto|sip|mailto):)[a-z][a-z0-9_-]*:\S+$/i.test(text)) {
    const chats = toIdentifiers({ chats: [text] }, country)
    if (chats.length > 0) return chats
  }
  const emails = text.includes('@') ? [text] : []
  return toIdentifiers({ phones: parsePhones(text, country).phones, emails }, country)
}

function distinct(identifiers: Identifier[]): Identifier[] {
  return [...new Map(identifiers.map(identifier => [identifier.value, identifier])).values()]
}
