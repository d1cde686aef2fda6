/** What the first rows of a file tell of it. */
import { exportedFields } from '../../domain/table/exported-headings.ts'
import type { LeadField, Mapping } from '../../domain/table/lead-fields.ts'
import { TableRefused } from '../../domain/table/refused.ts'
import { storable } from '../../kit/storable.ts'
import { type Client, createThreadPool, inPlaceMaxBytes, ThreadFailed } from '../../kit/thread-pool.ts'
import { type FileKind, type HeadOrder, type HeadReading, readHeadBytes } from './head-reading.ts'
import type { HeadReply } from './head-thread.ts'

/** Headings and mapping as they are stored. */
export type FileHead = HeadReading

/** More than the 64 Ki characters that are sniffed at, in any encoding. */
const headBytes = 256 * 1024
/** As long as the longest line of NDJSON, and more: the first is to be seen whole. */
const jsonHeadBytes = 2.5 * 1024 * 1024

const headThreads = createThreadPool<HeadOrder, HeadReply>({
  of: 'files',
  module: new URL('./head-thread.ts', import.meta.url),
  places: 2,
})

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
 * what is no table, and for what takes too long to be told from one.
 */
export async function readHead(
  kind: FileKind,
  file: { bytes: number; read(): AsyncIterable<Uint8Array> },
  hasHeadings: boolean | null,
  client: Client,
): Promise<FileHead> {
  const bytesMax = kind === 'ndjson' ? jsonHeadBytes : headBytes
  const bytes = await collect(firstBytes(file.read(), bytesMax))
  const order = { kind, bytes, isCut: file.bytes > bytesMax, hasHeadings }
  const reading =
    bytes.length > inPlaceMaxBytes ? await readOnThread(order, client) : await readHeadBytes(order)
  const { headings, guessedMapping } = reading
  return {
    ...reading,
    headings: headings.map(storable),
    guessedMapping: ordered(headings, guessedMapping),
  }
}

async function readOnThread(
  order: HeadOrder & { bytes: Uint8Array<ArrayBuffer> },
  client: Client,
): Promise<HeadReading> {
  try {
    const reply = await headThreads.run(client, order, [order.bytes.buffer])
    if ('refused' in reply) throw new TableRefused(reply.refused.code, reply.refused.message)
    return reply.head
  } catch (error) {
    if (!(error instanceof ThreadFailed)) throw error
    throw new TableRefused('TOO_COSTLY', `The head of this file can't be read: ${error.message}.`)
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  return new Blob((await Array.fromAsync(chunks)) as Uint8Array<ArrayBuffer>[]).bytes()
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

async function* firstBytes(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes
  for await (const chunk of chunks) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}
