/** Reads the rows of a file of either kind. */
import { openJsonLines } from '../../domain/table/json-lines.ts'
import { openTable, type TableRow } from '../../domain/table/open-table.ts'
import { parseJson } from '../../kit/json-limits.ts'
import { sanitizeText } from '../../kit/sanitize-text.ts'
import type { FileKind } from './parse-head.ts'

export type FileRow =
  | { number: number; cells: string[]; hasExtraCells: boolean }
  | { number: number; value: Record<string, unknown> }
  | { number: number; failure: 'NOT_JSON' | 'TOO_LARGE' }

/** `size`: the approximate number of characters. */
type SizedRow = FileRow & { size: number }

/**
 * Yields the rows after `afterRow`, with text that PostgreSQL cannot store removed. Throws TableError if the file is damaged,
 * after the rows before the damage.
 */
export async function* readRows(
  { kind, hasHeader }: { kind: FileKind; hasHeader: boolean | null },
  chunks: AsyncIterable<Uint8Array>,
  afterRow: number,
): AsyncGenerator<SizedRow> {
  if (kind === 'csv') {
    const { rows } = await openTable(chunks, hasHeader)
    for await (const row of rows) {
      const { number } = row
      if (number <= afterRow) continue
      if (row.isTooLarge) yield { number, failure: 'TOO_LARGE', size: 0 }
      else yield { number, ...toCells(row) }
    }
    return
  }
  let size = 0
  const { rows } = await openJsonLines(chunks, line => {
    size = line.length
    return parseJson(line)
  })
  for await (const row of rows) {
    if (row.number <= afterRow) continue
    if ('problem' in row)
      yield { number: row.number, failure: row.isTooLong ? 'TOO_LARGE' : 'NOT_JSON', size: 0 }
    else yield { ...row, size }
  }
}

function toCells({ cells, warning }: TableRow) {
  const size = cells.reduce((sum, cell) => sum + cell.length, 0)
  return { cells: cells.map(sanitizeText), hasExtraCells: warning !== null, size }
}
