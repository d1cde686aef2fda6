/** What the first bytes of a file tell of it, on whichever thread. */
import { cellText } from '../../domain/table/cell-text.ts'
import { guessMapping } from '../../domain/table/guess-mapping.ts'
import { openJsonLines } from '../../domain/table/json-lines.ts'
import type { Mapping } from '../../domain/table/lead-fields.ts'
import { openTable } from '../../domain/table/open-table.ts'
import { TableRefused } from '../../domain/table/refused.ts'
import { objectColumns } from '../../domain/table/row-values.ts'
import { parseJson } from '../../kit/json-depth.ts'
import type { Import } from './schemas.ts'
import type { Warning } from './warnings.ts'

export type FileKind = 'csv' | 'ndjson'

export interface HeadOrder {
  kind: FileKind
  /** The first bytes of the file. */
  bytes: Uint8Array
  /** There are more. */
  isCut: boolean
  /** Whether a table has headings, if somebody says. */
  hasHeadings: boolean | null
}

export interface HeadReading {
  /** False: what was taken for the headings of a table may be its first row. */
  isHeaderSure: boolean
  format: Import['format']
  headings: string[]
  /** By heading. */
  guessedMapping: Mapping
  /** Cells of the columns that are taken for phones. */
  phoneCells: string[]
  /** What may be wrong with how it is written. */
  warnings: Warning[]
}

const sampleRows = 100
/** Guessing what a column is takes time for each of its cells. */
const sampleCells = 10_000

const phoneCellsMax = 50
const phoneCellLengthMax = 50

/** Throws TableRefused for what is no table. */
export function readHeadBytes({ kind, bytes, isCut, hasHeadings }: HeadOrder): Promise<HeadReading> {
  // A row that is cut where the sample ends is no reason to refuse the file.
  const chunks = once(bytes)
  return kind === 'ndjson' ? readJsonHead(chunks, isCut) : readTableHead(chunks, isCut, hasHeadings)
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value
}

async function readTableHead(
  chunks: AsyncIterable<Uint8Array>,
  isCut: boolean,
  hasHeadings: boolean | null,
): Promise<HeadReading> {
  const { format, headings, isHeaderSure, warnings, rows } = await openTable(chunks, hasHeadings)
  const sample: string[][] = []
  for await (const row of isCut ? untilRefused(rows) : rows) {
    if (row.isTooLarge) continue
    if (sample.push(row.cells) === sampleRows || sample.length * headings.length > sampleCells) break
  }
  const { encoding, separator, hasHeader, headerRow } = format
  const guessedMapping = guessMapping(headings, sample)
  return {
    isHeaderSure,
    format: { kind: 'csv', encoding, separator, hasHeader, headerRow },
    headings,
    guessedMapping,
    phoneCells: findPhoneCells(headings, sample, guessedMapping),
    warnings,
  }
}

const noJsonLines =
  'No line of this is a JSON object. Of NDJSON every line is one; if this is a table, send it as text/csv.'

async function readJsonHead(chunks: AsyncIterable<Uint8Array>, isCut: boolean): Promise<HeadReading> {
  const { format, rows } = await openJsonLines(chunks, parseJson)
  const objects: Record<string, unknown>[] = []
  let others = 0
  for await (const row of isCut ? untilRefused(rows) : rows)
    if (!('value' in row)) others++
    else if (objects.push(row.value) === sampleRows) break
  if (objects.length === 0 && others > 0) throw new TableRefused('NO_JSON_LINES', noJsonLines)
  const { headings, sample } = objectColumns(objects)
  const guessedMapping = guessMapping(headings, sample)
  return {
    isHeaderSure: true,
    format: { kind: 'ndjson', ...format, separator: null, hasHeader: null, headerRow: null },
    headings,
    guessedMapping,
    phoneCells: findPhoneCells(headings, sample, guessedMapping),
    warnings: [],
  }
}

function findPhoneCells(
  headings: readonly string[],
  sample: readonly string[][],
  mapping: Mapping,
): string[] {
  const columns = headings.flatMap((heading, at) => (mapping[heading] === 'contact.phone' ? [at] : []))
  const cells = sample.flatMap(row => columns.flatMap(at => cellText(row[at] ?? '') ?? []))
  return cells.slice(0, phoneCellsMax).map(cell => cell.slice(0, phoneCellLengthMax))
}

/** The job tells of a row where the file can not be read on; here it is only the end of the sample. */
async function* untilRefused<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
  const source = rows[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await source.next().catch(() => ({ done: true as const, value: undefined }))
      if (next.done) return
      yield next.value
    }
  } finally {
    await source.return?.()
  }
}
