/** What the first rows of a file tell of it. */
import { findExportedFields } from '../../domain/table/exported-headings.ts'
import type { LeadField, Mapping } from '../../domain/table/lead-fields.ts'
import { TableError } from '../../domain/table/table-error.ts'
import { sanitizeText } from '../../kit/sanitize-text.ts'
import { type Client, createThreadPool, inlineMaxBytes, ThreadFailed } from '../../kit/thread-pool.ts'
import { type FileKind, type ParsedHead, type ParseHeadRequest, parseHead } from './parse-head.ts'
import type { ParseHeadReply } from './parse-head-thread.ts'

/** Headings and mapping as they are stored. */
export type FileHead = ParsedHead

/** More than the 64 Ki characters that are sniffed at, in any encoding. */
const headBytes = 256 * 1024
/** As long as the longest line of NDJSON, and more: the first is to be seen whole. */
const jsonHeadBytes = 2.5 * 1024 * 1024

const headThreads = createThreadPool<ParseHeadRequest, ParseHeadReply>({
  name: 'files',
  module: new URL('./parse-head-thread.ts', import.meta.url),
  size: 2,
})

/** What kind a file is, by the type it came with; where that leaves it open, by how it begins. */
export async function detectFileKind(
  contentType: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<FileKind> {
  if (contentType === 'application/x-ndjson') return 'ndjson'
  if (contentType !== 'text/plain') return 'csv'
  for await (const chunk of chunks)
    return /^\s*\{\s*"/.test(new TextDecoder().decode(chunk.subarray(0, 1000))) ? 'ndjson' : 'csv'
  return 'csv'
}

/**
 * Reads the start of a file of so many bytes; `hasHeadings`: whether a table has any, if somebody says. Throws TableError for
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
  const request = { kind, bytes, isTruncated: file.bytes > bytesMax, hasHeadings }
  const parsed =
    bytes.length > inlineMaxBytes ? await parseOnThread(request, client) : await parseHead(request)
  const { headings, guessedMapping } = parsed
  return {
    ...parsed,
    headings: headings.map(sanitizeText),
    guessedMapping: sanitizeMapping(headings, guessedMapping),
  }
}

async function parseOnThread(
  request: ParseHeadRequest & { bytes: Uint8Array<ArrayBuffer> },
  client: Client,
): Promise<ParsedHead> {
  try {
    const reply = await headThreads.run(client, request, [request.bytes.buffer])
    if ('refused' in reply) throw new TableError(reply.refused.code, reply.refused.message)
    return reply.head
  } catch (error) {
    if (!(error instanceof ThreadFailed)) throw error
    throw new TableError('TOO_COMPLEX', `The head of this file can't be read: ${error.message}.`)
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  return new Blob((await Array.fromAsync(chunks)) as Uint8Array<ArrayBuffer>[]).bytes()
}

function sanitizeMapping(headings: string[], mapping: Mapping): Mapping {
  const findExportedField = findExportedFields(headings)
  return Object.fromEntries(
    headings.map((heading): [string, LeadField | null] => {
      const field = findExportedField(heading)
      return [sanitizeText(heading), field === undefined ? (mapping[heading] ?? null) : field]
    }),
  )
}

async function* firstBytes(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let remaining = bytes
  for await (const chunk of chunks) {
    yield chunk.subarray(0, remaining)
    remaining -= chunk.length
    if (remaining <= 0) return
  }
}
