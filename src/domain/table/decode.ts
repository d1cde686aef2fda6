// From the bytes of an uploaded file to its text, whatever program wrote it, in memory bounded by a piece.
import { TableRefused } from './refused.ts'
import { refuseBinary } from './signatures.ts'
import { isPlausibleText, legacyEncodingOf, surveyUtf8, utf8Length } from './text-bytes.ts'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'macintosh'

export interface DecodedText {
  /** As the head of the file tells it; a file taken for UTF-8 may turn out to be windows-1252 far below. */
  encoding: Encoding
  /** Pieces of up to 64 Ki characters, without byte order mark and NUL characters. */
  texts: AsyncIterable<string>
}

const HEAD_BYTES = 65_536
const PIECE_BYTES = 65_536
const BYTE_ORDER_MARKS: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * The text of a file. The encoding is that of its byte order mark, else what its first 64 KiB tell: UTF-16 by its zero
 * bytes, UTF-8 by its form, Mac Roman or windows-1252 otherwise. Plain ASCII so far is read as UTF-8 until a byte says
 * otherwise; from there on the file is windows-1252, or, if it did have UTF-8 before, that byte alone.
 * @throws {TableRefused} for what is no text (a workbook, a PDF, …).
 */
export async function decodeText(chunks: AsyncIterable<Uint8Array>): Promise<DecodedText> {
  const source = chunks[Symbol.asyncIterator]()
  try {
    const { head, left, isWhole } = await takeHead(source)
    refuseBinary(head)
    const { encoding, markLength } = encodingOf(head, isWhole)
    const pieces = cutPieces(head.subarray(markLength), left, source)
    const texts = encoding === 'utf-8' ? decodeUtf8(pieces, markLength > 0) : decodeAs(encoding, pieces)
    return { encoding, texts: withoutNul(texts) }
  } catch (error) {
    await source.return?.()
    throw error
  }
}

/** Exactly the first bytes, so that what they tell does not depend on how the file was cut, and what came beyond them. */
async function takeHead(source: AsyncIterator<Uint8Array>) {
  const chunks: Uint8Array[] = []
  let length = 0
  let isWhole = false
  while (length <= HEAD_BYTES && !isWhole) {
    const next = await source.next()
    if (next.done) isWhole = true
    else {
      chunks.push(next.value)
      length += next.value.length
    }
  }
  const all = joinBytes(chunks)
  return { head: all.subarray(0, HEAD_BYTES), left: all.subarray(HEAD_BYTES), isWhole }
}

function encodingOf(head: Uint8Array, isWhole: boolean): { encoding: Encoding; markLength: number } {
  for (const [encoding, mark] of BYTE_ORDER_MARKS)
    if (mark.every((byte, at) => head[at] === byte)) return { encoding, markLength: mark.length }
  const wide = wideEncodingOf(head)
  if (wide !== null) return { encoding: wide, markLength: 0 }
  const { sequences, strays } = surveyUtf8(head, isWhole)
  if (!isPlausibleText(head, strays > 0))
    throw new TableRefused('NOT_TEXT', 'This is no text file. Save the table as CSV and import that file.')
  // A few broken bytes in a file that is otherwise UTF-8 do not make it another encoding.
  const encoding = strays === 0 || sequences > strays ? 'utf-8' : legacyEncodingOf(head)
  return { encoding, markLength: 0 }
}

/** UTF-16 without a mark: every second byte of western text is zero. */
function wideEncodingOf(head: Uint8Array): Encoding | null {
  const zeros = [0, 0]
  for (let at = 0; at < head.length; at += 1) if (head[at] === 0) zeros[at % 2]! += 1
  const pairs = head.length / 2
  const [even = 0, odd = 0] = zeros.map(count => count / pairs)
  if (pairs < 2) return null
  return odd > 0.4 && even < 0.05 ? 'utf-16le' : even > 0.4 && odd < 0.05 ? 'utf-16be' : null
}

/** Small pieces, so that what is made of one stays small too; the source is let go of when the reader leaves. */
async function* cutPieces(head: Uint8Array, left: Uint8Array, source: AsyncIterator<Uint8Array>) {
  try {
    yield* piecesOf(head)
    yield* piecesOf(left)
    for (let next = await source.next(); !next.done; next = await source.next()) yield* piecesOf(next.value)
  } finally {
    await source.return?.()
  }
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

async function* decodeAs(encoding: Encoding, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

/** `isMarked`: a byte order mark has said that this is UTF-8. */
async function* decodeUtf8(pieces: AsyncIterable<Uint8Array>, isMarked: boolean): AsyncGenerator<string> {
  const reader = new Utf8Reader(isMarked)
  for await (const piece of pieces) yield reader.read(piece, false)
  yield reader.read(new Uint8Array(0), true)
}

async function* withoutNul(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts)
    if (text !== '') yield text.includes('\0') ? text.replaceAll('\0', '') : text
}

class Utf8Reader {
  /** The start of a sequence that the last piece cut. */
  #carry = new Uint8Array(0)
  #hasUtf8: boolean
  #isWindows = false
  readonly #strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  readonly #windows = new TextDecoder('windows-1252')

  constructor(hasUtf8: boolean) {
    this.#hasUtf8 = hasUtf8
  }

  read(piece: Uint8Array, isLast: boolean): string {
    const all = this.#carry.length === 0 ? piece : joinBytes([this.#carry, piece])
    const end = isLast || this.#isWindows ? all.length : completeLength(all)
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
    let at = 0
    while (at < bytes.length) {
      const length = utf8Length(bytes, at)
      if (length > 1) this.#hasUtf8 = true
      if (length < 1) {
        text += this.#strict.decode(bytes.subarray(from, at))
        this.#isWindows = !this.#hasUtf8
        from = this.#isWindows ? bytes.length : at + 1
        text += this.#windows.decode(bytes.subarray(at, from))
        at = from
      } else at += length
    }
    return text + this.#strict.decode(bytes.subarray(from))
  }
}

/** How many of the bytes are there with the whole of their sequence. */
function completeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const length = utf8Length(bytes, bytes.length - back)
    if (length === -1) return bytes.length - back
    if (length > 0) break
  }
  return bytes.length
}

function joinBytes(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
