/** Decodes replies to text. The encoding comes from the Content-Type or the first bytes of the document. */
import { gunzipSync } from 'node:zlib'
import { isGzip } from '../kit/gzip.ts'

const unpackedMaxBytes = 64 * 1024 * 1024
/** A document declares its encoding within its first bytes. */
export const prologueBytes = 1024

/**
 * Decodes a body. Supports WHATWG Encoding labels; an unknown or missing label means UTF-8. Gzip files are unpacked.
 */
export function decodeReply(body: Buffer, contentType: string | undefined): string {
  const plain = (isGzip(body) ? unpack(body, unpackedMaxBytes) : null) ?? body
  return createDecoder(plain, contentType).decode(plain)
}

/** Like `decodeReply`, but null if the body, unpacked if it is gzip, is longer than `maxBytes`. */
export function decodeIfShort(
  body: Buffer,
  contentType: string | undefined,
  maxBytes: number,
): string | null {
  const plain = isGzip(body) ? unpack(body, maxBytes) : body
  return plain === null || plain.length > maxBytes ? null : createDecoder(plain, contentType).decode(plain)
}

/**
 * Creates a decoder for a document that begins with these bytes (at least `prologueBytes`). The encoding comes from the
 * byte order mark, the header, the XML declaration or a `<meta>` tag, in this order, else it is UTF-8.
 */
export function createDecoder(start: Uint8Array, contentType: string | undefined): TextDecoder {
  const label =
    findByteOrderMark(start) ?? parseCharset(contentType ?? '') ?? findDeclaredCharset(start) ?? 'utf-8'
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}

/**
 * Null if the content is larger than `maxBytes`. Returns a broken file unchanged, which no reader accepts as a page.
 */
function unpack(body: Buffer, maxBytes: number): Buffer | null {
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? null : body
  }
}

function findByteOrderMark([a, b, c]: Uint8Array): string | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return a === 0xff && b === 0xfe ? 'utf-16le' : null
}

function parseCharset(text: string): string | null {
  return /charset\s*=\s*["']?([\w-]+)/i.exec(text)?.[1] ?? null
}

/** The encoding that a document declares within its first kilobyte (HTML, section 13.2.3.2; XML, section 4.3.3). */
function findDeclaredCharset(start: Uint8Array): string | null {
  const prologue = Buffer.from(
    start.buffer,
    start.byteOffset,
    Math.min(start.length, prologueBytes),
  ).toString('latin1')
  const declared = /^<\?xml[^>]*\bencoding=["']([\w-]+)/i.exec(prologue)?.[1]
  const meta = /<meta\s[^>]*charset[^>]*>/i.exec(prologue)?.[0]
  const label = declared ?? (meta ? parseCharset(meta) : null)
  // A declaration that is readable as ASCII is not in UTF-16: some programs declare their in-memory encoding.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label
}
