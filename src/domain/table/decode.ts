/** Decodes an uploaded file of any encoding into text, in memory bounded by one chunk. */
import { rejectBinary } from './signatures.ts'
import { TableError } from './table-error.ts'
import { countUtf8Sequences, detectLegacyEncoding, getUtf8Length, isPlausibleText } from './text-bytes.ts'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'macintosh'

export interface DecodedText {
  /** As detected in the head of the file. A file detected as UTF-8 may turn out to be windows-1252 later. */
  encoding: Encoding
  /** Chunks of up to 64 Ki characters, without byte order mark and NUL characters. */
  texts: AsyncIterable<string>
}

const headBytesMax = 65_536
const chunkBytesMax = 65_536
const byteOrderMarks: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * Decodes the text of a file. The encoding is that of its byte order mark, otherwise it is detected in the first 64
 * KiB: UTF-16 by its zero bytes, UTF-8 by its form, otherwise Mac Roman or windows-1252. Plain ASCII is decoded as
 * UTF-8 up to the first invalid byte. From there on the file is windows-1252; if there was UTF-8 before, only that byte
 * is.
 * @throws {TableError} if the file is not text (a workbook, a PDF, …).
 */
export async function decodeText(chunks: AsyncIterable<Uint8Array>): Promise<DecodedText> {
  const source = chunks[Symbol.asyncIterator]()
  try {
    const { head, overflow, isWhole } = await readHead(source)
    rejectBinary(head)
    const { encoding, markLength } = detectEncoding(head, isWhole)
    const chunkParts = splitSource(head.subarray(markLength), overflow, source)
    const texts =
      encoding === 'utf-8' ? decodeUtf8(chunkParts, markLength > 0) : decodeAs(encoding, chunkParts)
    return { encoding, texts: dropNuls(texts) }
  } catch (error) {
    await source.return?.()
    throw error
  }
}

/** Reads exactly the first bytes, so that detection does not depend on the chunks, and what was read beyond them. */
async function readHead(source: AsyncIterator<Uint8Array>) {
  const chunks: Uint8Array[] = []
  let length = 0
  let isWhole = false
  while (length <= headBytesMax && !isWhole) {
    const next = await source.next()
    if (next.done) isWhole = true
    else {
      chunks.push(next.value)
      length += next.value.length
    }
  }
  const all = joinBytes(chunks)
  return { head: all.subarray(0, headBytesMax), overflow: all.subarray(headBytesMax), isWhole }
}

function detectEncoding(head: Uint8Array, isWhole: boolean): { encoding: Encoding; markLength: number } {
  for (const [encoding, byteOrderMark] of byteOrderMarks)
    if (byteOrderMark.every((byte, index) => head[index] === byte))
      return { encoding, markLength: byteOrderMark.length }
  const utf16Encoding = detectUtf16(head)
  if (utf16Encoding !== null) return { encoding: utf16Encoding, markLength: 0 }
  const { sequences, invalidBytes } = countUtf8Sequences(head, isWhole)
  if (!isPlausibleText(head, invalidBytes > 0))
    throw new TableError('NOT_TEXT', 'This is not a text file. Save the table as CSV and import that file.')
  // A few broken bytes do not change the encoding of a file that is otherwise UTF-8.
  const encoding = invalidBytes === 0 || sequences > invalidBytes ? 'utf-8' : detectLegacyEncoding(head)
  return { encoding, markLength: 0 }
}

/** Detects UTF-16 without a mark: every second byte of western text is zero. */
function detectUtf16(head: Uint8Array): Encoding | null {
  const zeros = [0, 0]
  for (let index = 0; index < head.length; index += 1) if (head[index] === 0) zeros[index % 2]! += 1
  const pairs = head.length / 2
  const [even = 0, odd = 0] = zeros.map(count => count / pairs)
  if (pairs < 2) return null
  return odd > 0.4 && even < 0.05 ? 'utf-16le' : even > 0.4 && odd < 0.05 ? 'utf-16be' : null
}

/** Splits the input into small chunks, so that derived data stay small too. Releases the source if the reader stops. */
async function* splitSource(head: Uint8Array, overflow: Uint8Array, source: AsyncIterator<Uint8Array>) {
  try {
    yield* splitChunks(head)
    yield* splitChunks(overflow)
    for (let next = await source.next(); !next.done; next = await source.next())
      yield* splitChunks(next.value)
  } finally {
    await source.return?.()
  }
}

function* splitChunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let index = 0; index < bytes.length; index += chunkBytesMax)
    yield bytes.subarray(index, index + chunkBytesMax)
}

async function* decodeAs(encoding: Encoding, chunkParts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  for await (const chunkPart of chunkParts) yield decoder.decode(chunkPart, { stream: true })
  yield decoder.decode()
}

/** `isMarked`: the file has a UTF-8 byte order mark. */
async function* decodeUtf8(chunkParts: AsyncIterable<Uint8Array>, isMarked: boolean): AsyncGenerator<string> {
  const reader = new Utf8Decoder(isMarked)
  for await (const chunkPart of chunkParts) yield reader.read(chunkPart, false)
  yield reader.read(new Uint8Array(0), true)
}

async function* dropNuls(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts)
    if (text !== '') yield text.includes('\0') ? text.replaceAll('\0', '') : text
}

class Utf8Decoder {
  /** Beginning of a sequence that the last chunk truncated. */
  #carry = new Uint8Array(0)
  #hasUtf8: boolean
  #isWindows = false
  readonly #strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  readonly #windows = new TextDecoder('windows-1252')

  constructor(hasUtf8: boolean) {
    this.#hasUtf8 = hasUtf8
  }

  read(chunkPart: Uint8Array, isLast: boolean): string {
    const all = this.#carry.length === 0 ? chunkPart : joinBytes([this.#carry, chunkPart])
    const end = isLast || this.#isWindows ? all.length : getCompleteLength(all)
    this.#carry = all.slice(end)
    const bytes = all.subarray(0, end)
    if (this.#isWindows) return this.#windows.decode(bytes)
    try {
      const text = this.#strict.decode(bytes)
      this.#hasUtf8 ||= text.length !== bytes.length
      return text
    } catch {
      return this.#readBroken(bytes)
    }
  }

  #readBroken(bytes: Uint8Array): string {
    let text = ''
    let from = 0
    let index = 0
    while (index < bytes.length) {
      const length = getUtf8Length(bytes, index)
      if (length > 1) this.#hasUtf8 = true
      if (length < 1) {
        text += this.#strict.decode(bytes.subarray(from, index))
        this.#isWindows = !this.#hasUtf8
        from = this.#isWindows ? bytes.length : index + 1
        text += this.#windows.decode(bytes.subarray(index, from))
        index = from
      } else index += length
    }
    return text + this.#strict.decode(bytes.subarray(from))
  }
}

/** The number of bytes up to the last complete sequence. */
function getCompleteLength(bytes: Uint8Array): number {
  for (let backward = 1; backward <= Math.min(3, bytes.length); backward += 1) {
    const length = getUtf8Length(bytes, bytes.length - backward)
    if (length === -1) return bytes.length - backward
    if (length > 0) break
  }
  return bytes.length
}

function joinBytes(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let index = 0
  for (const part of parts) {
    joined.set(part, index)
    index += part.length
  }
  return joined
}
