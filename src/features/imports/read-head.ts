/** Reads the head of an uploaded file. */
import { findExportedFields } from '../../domain/table/exported-headings.ts'
import type { LeadField, Mapping } from '../../domain/table/lead-fields.ts'
import { TableError } from '../../domain/table/table-error.ts'
import { sanitizeText } from '../../kit/sanitize-text.ts'
import { type Client, createThreadPool, inlineMaxBytes, ThreadFailed } from '../../kit/thread-pool.ts'
import { type FileKind, type ParsedHead, type ParseHeadRequest, parseHead } from './parse-head.ts'
import type { ParseHeadReply } from './parse-head-thread.ts'

/** A parsed head; its headings and mapping are sanitized for storage. */
export type FileHead = ParsedHead

/** Enough for the 64 Ki characters that the format detection reads, in any encoding. */
const headBytes = 256 * 1024
/** Longer than the longest allowed line of NDJSON, so that the first line is complete. */
const jsonHeadBytes = 2.5 * 1024 * 1024

const headThreads = createThreadPool<ParseHeadRequest, ParseHeadReply>({
  name: 'files',
  module: new URL('./parse-head-thread.ts', import.meta.url),
  size: 2,
})

/** Detects the kind of a file by its content type; for `text/plain`, by how it begins. */
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
 * Reads the head of a file. `hasHeadings`: the caller says whether a table has headings; null: it does not say. Throws
 * TableError if the file is not a table, or if its format takes too long to detect.
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
