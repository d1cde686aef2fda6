/** A file as rows, whatever kind it is, and what its first rows tell of it. */
import { guessMapping } from '../../domain/table/guess-mapping.ts'
import { openJsonLines } from '../../domain/table/json-lines.ts'
import type { LeadField, Mapping } from '../../domain/table/lead-fields.ts'
import { openTable } from '../../domain/table/open-table.ts'
import { TableRefused } from '../../domain/table/refused.ts'
import { objectColumns } from '../../domain/table/row-values.ts'
import { parseJson } from '../../kit/json-depth.ts'
import { storable } from '../../kit/storable.ts'
import { exportedFields } from '../leads/service.ts'
import type { Import } from './schemas.ts'
import type { Warning } from './warnings.ts'

export type FileKind = 'csv' | 'ndjson'

export type FileRow =
  | { number: number; cells: string[]; hasExtraCells: boolean }
  | { number: number; value: Record<string, unknown> }
  | { number: number; unreadable: true }

export interface FileHead {
  /** False: what was taken for the headings of a table may be its first row. */
  isHeaderSure: boolean
  format: Import['format']
  headings: string[]
  guessedMapping: Mapping
  /** What may be wrong with how it is written. */
  warnings: Warning[]
}

/** More than the 64 Ki characters that are sniffed at, in any encoding. */
const headBytes = 256 * 1024
/** As long as the longest line of NDJSON, and more: the first is to be seen whole. */
const jsonHeadBytes = 2.5 * 1024 * 1024
const sampleRows = 100
/** Guessing what a column is takes time for each of its cells. */
const sampleCells = 10_000

/** What kind a file is, by the type it came with; where that leaves it open, by how it begins. */
export async function kindOf(contentType: string, chunks: AsyncIterable<Uint8Array>): Promise<FileKind> {
  if (contentType === 'application/x-ndjson') return 'ndjson'
  if (contentType !== 'text/plain') return 'csv'
  for await (const chunk of chunks)
    return /^\s*\{\s*"/.test(new TextDecoder().decode(chunk.subarray(0, 1000))) ? 'ndjson' : 'csv'
  return 'csv'
}

/**
 * Reads the start of a file of so many bytes; `hasHeadings`: whether a table has any, if somebody says. Throws TableRefused for
 * what is no table.
 */
export async function readHead(
  kind: FileKind,
  file: { bytes: number; read(): AsyncIterable<Uint8Array> },
  hasHeadings: boolean | null,
): Promise<FileHead> {
  const bytes = kind === 'ndjson' ? jsonHeadBytes : headBytes
  const head = firstBytes(file.read(), bytes)
  // A row that is cut where the sample ends is no reason to refuse the file.
  const isCut = file.bytes > bytes
  return kind === 'ndjson' ? readJsonHead(head, isCut) : readTableHead(head, isCut, hasHeadings)
}

async function readTableHead(
  chunks: AsyncIterable<Uint8Array>,
  isCut: boolean,
  hasHeadings: boolean | null,
): Promise<FileHead> {
  const { format, headings, isHeaderSure, warnings, rows } = await openTable(chunks, hasHeadings)
  const sample: string[][] = []
  for await (const { cells } of isCut ? untilRefused(rows) : rows)
    if (sample.push(cells) === sampleRows || sample.length * headings.length > sampleCells) break
  const { encoding, separator, hasHeader, headerRow } = format
  return {
    isHeaderSure,
    format: { kind: 'csv', encoding, separator, hasHeader, headerRow },
    headings: headings.map(storable),
    guessedMapping: ordered(headings, guessMapping(headings, sample)),
    warnings,
  }
}

const noJsonLines =
  'No line of this is a JSON object. Of NDJSON every line is one; if this is a table, send it as text/csv.'

async function readJsonHead(chunks: AsyncIterable<Uint8Array>, isCut: boolean): Promise<FileHead> {
  const { format, rows } = await openJsonLines(chunks, parseJson)
  const objects: Record<string, unknown>[] = []
  let others = 0
  for await (const row of isCut ? untilRefused(rows) : rows)
    if (!('value' in row)) others++
    else if (objects.push(row.value) === sampleRows) break
  if (objects.length === 0 && others > 0) throw new TableRefused('NO_JSON_LINES', noJsonLines)
  const { headings, sample } = objectColumns(objects)
  return {
    isHeaderSure: true,
    format: { kind: 'ndjson', ...format, separator: null, hasHeader: null, headerRow: null },
    headings: headings.map(storable),
    guessedMapping: ordered(headings, guessMapping(headings, sample)),
    warnings: [],
  }
}

function ordered(headings: string[], mapping: Mapping): Mapping {
  const fieldOf = exportedFields(headings)
  return Object.fromEntries(
    headings.map((heading): [string, LeadField | null] => {
      const field = fieldOf(heading)
      return [storable(heading), field === undefined ? (mapping[heading] ?? null) : field]
    }),
  )
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

async function* firstBytes(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes
  for await (const chunk of chunks) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}

/** Every row of a file, without what is not stored; those up to `after` are passed over. Throws TableRefused where it can not be read on. */
export async function* readRows(
  { kind, hasHeader }: { kind: FileKind; hasHeader: boolean | null },
  chunks: AsyncIterable<Uint8Array>,
  after: number,
): AsyncGenerator<FileRow> {
  if (kind === 'csv') {
    const { rows } = await openTable(chunks, hasHeader)
    for await (const { number, cells, warning } of rows)
      if (number > after) yield { number, cells: cells.map(storable), hasExtraCells: warning !== null }
    return
  }
  const { rows } = await openJsonLines(chunks, parseJson)
  for await (const row of rows) {
    if (row.number <= after) continue
    if ('problem' in row) yield { number: row.number, unreadable: true }
    else yield row
  }
}
