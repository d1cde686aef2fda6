// Whom a list of people who are not to be contacted names, whatever else its columns hold.
import { type Identifier, identifiersOf } from '../contact/identifiers.ts'
import { guessMapping } from './guess-mapping.ts'
import { openTable, type TableRow } from './open-table.ts'
import { readPhones } from './phone-cell.ts'
import { TableRefused } from './refused.ts'

export interface ExclusionRow {
  /** As a spreadsheet counts. */
  number: number
  /** Normalised, each once; empty: the row names nobody that can be read. */
  identifiers: Identifier[]
}

const SAMPLE_ROWS = 100
/** Characters of a row in the columns that are read. A row names one person, or a few. */
const MAX_ROW_LENGTH = 10_000
const TELLING: ReadonlySet<string> = new Set(['contact.phone', 'contact.email', 'contact.identifiers'])

/**
 * The rows of a file, of one column or many, with headings or without. The columns that seem to hold telephones, addresses and
 * chats are read, or all if none does. What was taken for headings and is none is a row as well: nobody is lost to that.
 * `country`: ISO 3166-1 alpha-2, for numbers without a prefix.
 * @throws {TableRefused} for what is no table, an empty file, or where it cannot be read on.
 */
export async function* readExclusionList(
  chunks: AsyncIterable<Uint8Array>,
  country: string,
): AsyncGenerator<ExclusionRow> {
  const { format, headings, rows } = await openTable(chunks)
  const sample: TableRow[] = []
  let columns: number[] | null = null
  const read = ({ number, cells }: Pick<TableRow, 'number' | 'cells'>): ExclusionRow => {
    const written = columns!.map(at => cells[at] ?? '')
    if (written.reduce((sum, cell) => sum + cell.length, 0) > MAX_ROW_LENGTH) throw tooLong(number)
    return { number, identifiers: distinct(written.flatMap(cell => readCell(cell, country))) }
  }
  const begin = function* () {
    columns = tellingColumns(headings, sample)
    const first = read({ number: format.headerRow ?? 0, cells: headings })
    if (format.headerRow !== null && first.identifiers.length > 0) yield first
    for (const row of sample) yield read(row)
  }
  for await (const row of rows) {
    if (row.isTooLarge)
      throw new TableRefused(
        'ROW_TOO_LARGE',
        `Row ${row.number} is longer than 1 MiB. Put each person on a row.`,
      )
    if (columns) yield read(row)
    else if (sample.push(row) === SAMPLE_ROWS) yield* begin()
  }
  if (!columns) yield* begin()
}

/** Nobody on the list may be lost, so that the row is not passed over. */
function tooLong(row: number): TableRefused {
  const length = MAX_ROW_LENGTH.toLocaleString('en-GB')
  return new TableRefused(
    'ROW_TOO_LARGE',
    `Row ${row} has more than ${length} characters where phones, addresses and chats are read. Put each person on a row.`,
  )
}

function tellingColumns(headings: string[], sample: TableRow[]): number[] {
  const mapping = guessMapping(
    headings,
    sample.map(({ cells }) => cells),
  )
  const all = headings.map((_heading, at) => at)
  const telling = all.filter(at => TELLING.has(mapping[headings[at]!] ?? ''))
  return telling.length > 0 ? telling : all
}

/** `612 345 678 / ana@x.es`, `whatsapp:34612345678`. */
function readCell(written: string, country: string): Identifier[] {
  const text = written.trim()
  if (text === '') return []
  // A scheme that opens a call or a letter is none that a chat has.
  if (/^(?!(?:tel|phone|callto|sip|mailto):)[a-z][a-z0-9_-]*:\S+$/i.test(text)) {
    const chats = identifiersOf({ chats: [text] }, country)
    if (chats.length > 0) return chats
  }
  const emails = text.includes('@') ? [text] : []
  return identifiersOf({ phones: readPhones(text, country).phones, emails }, country)
}

function distinct(identifiers: Identifier[]): Identifier[] {
  return [...new Map(identifiers.map(identifier => [identifier.value, identifier])).values()]
}
