/** Helpers for tests of tables: uploads as text or bytes, and what is read from them. */
import type { LeadField, Mapping } from './lead-fields.ts'
import { openTable, type Table, type TableRow } from './open-table.ts'
import { type ParsedRow, parseRow } from './parse-row.ts'

export type ReadTable = Omit<Table, 'rows'> & { rows: TableRow[] }

/** Splits bytes into chunks of `size`. */
export async function* toChunks(bytes: Uint8Array, size = bytes.length): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < bytes.length; index += size) yield bytes.subarray(index, index + size)
}

export async function readTable(content: string | Uint8Array, size?: number): Promise<ReadTable> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const { rows, ...table } = await openTable(toChunks(bytes, size))
  return { ...table, rows: await Array.fromAsync(rows) }
}

/** The code with which a file is refused, on opening or while reading; null if it is accepted. */
export async function findErrorCode(content: string | Uint8Array): Promise<string | null> {
  try {
    await readTable(content)
    return null
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code)
    throw error
  }
}

/** Parses one cell together with a name, so that the row is never refused. */
export function parseCell(field: LeadField, cell: string, country = 'ES', heading = 'x'): ParsedRow {
  const mapping: Mapping = { who: 'contact.name', [heading]: field }
  return parseRow(['Ana', cell], mapping, { country, currency: 'EUR', headings: ['who', heading] })
}
