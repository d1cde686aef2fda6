/** Parses the first bytes of a file: its format, its headings and a guess of the mapping. Runs on any thread. */
import { toCellText } from '../../domain/table/cell-text.ts'
import { guessMapping } from '../../domain/table/guess-mapping.ts'
import { openJsonLines } from '../../domain/table/json-lines.ts'
import type { Mapping } from '../../domain/table/lead-fields.ts'
import { openTable } from '../../domain/table/open-table.ts'
import { collectColumns } from '../../domain/table/row-values.ts'
import { TableError } from '../../domain/table/table-error.ts'
import { parseJson } from '../../kit/json-limits.ts'
import type { Import } from './schemas.ts'
import type { Warning } from './warnings.ts'

export type FileKind = 'csv' | 'ndjson'

export interface ParseHeadRequest {
  kind: FileKind
  /** The first bytes of the file. */
  bytes: Uint8Array
  /** The file has more bytes. */
  isTruncated: boolean
  /** The caller says whether a table has headings; null: it does not say. */
  hasHeadings: boolean | null
}

export interface ParsedHead {
  /** False: the headings of the table may be its first row. */
  isHeaderSure: boolean
  format: Import['format']
  headings: string[]
  /** By heading. */
  guessedMapping: Mapping
  /** Sample cells of the columns that are guessed to be phones. */
  phoneCells: string[]
  /** What may be wrong with the format. */
  warnings: Warning[]
}

const sampleRows = 100
/** Limits the sample, because guessing takes time for each cell. */
const sampleCells = 10_000

const phoneCellsMax = 50
const phoneCellLengthMax = 50

/** Throws TableError if the file is not a table. */
export function parseHead({ kind, bytes, isTruncated, hasHeadings }: ParseHeadRequest): Promise<ParsedHead> {
  const chunks = yieldOnce(bytes)
  return kind === 'ndjson'
    ? readJsonHead(chunks, isTruncated)
    : readTableHead(chunks, isTruncated, hasHeadings)
}

async function* yieldOnce<T>(value: T): AsyncGenerator<T> {
  yield value
}

async function readTableHead(
  chunks: AsyncIterable<Uint8Array>,
  isTruncated: boolean,
  hasHeadings: boolean | null,
): Promise<ParsedHead> {
  const { format, headings, isHeaderSure, warnings, rows } = await openTable(chunks, hasHeadings)
  const sample: string[][] = []
  for await (const row of isTruncated ? untilError(rows) : rows) {
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
  'No line of this file is a JSON object, as every line of NDJSON must be. If the file is a table, send it as text/csv.'

async function readJsonHead(chunks: AsyncIterable<Uint8Array>, isTruncated: boolean): Promise<ParsedHead> {
  const { format, rows } = await openJsonLines(chunks, parseJson)
  const objects: Record<string, unknown>[] = []
  let unreadableLines = 0
  for await (const row of isTruncated ? untilError(rows) : rows)
    if (!('value' in row)) unreadableLines++
    else if (objects.push(row.value) === sampleRows) break
  if (objects.length === 0 && unreadableLines > 0) throw new TableError('NO_JSON_LINES', noJsonLines)
  const { headings, sample } = collectColumns(objects)
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
  const cells = sample.flatMap(row => columns.flatMap(at => toCellText(row[at] ?? '') ?? []))
  return cells.slice(0, phoneCellsMax).map(cell => cell.slice(0, phoneCellLengthMax))
}

/** Ends the sample at an error, which may come from the cut after the first bytes. The job reports real errors. */
async function* untilError<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
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
