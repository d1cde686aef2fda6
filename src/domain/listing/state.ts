// The state of a page: the data that its scripts start from, embedded as text.
import { type LiteralReading, readLiteral, readQuoted } from './js-literal.ts'

// A name stands in a page a few times at most; more is hostile, or a name too short to tell anything.
const MAX_PLACES = 50
// All those places together are read no further than this many times through the page.
const MAX_TIMES_READ = 4
// Rows of other kinds are few, and to find that one is no JSON costs more than to read one that is.
const MAX_BROKEN_ROWS = 1000
const ASSIGNED = /["'`]?\]?\s*=(?![=>])/y
const SCRIPT_ID = /<script\b[^<>]*\bid=["']?$/i

/**
 * The first state of that name in a page: `<script id="NAME" type="application/json">`, `window.NAME = {…}`,
 * `window["NAME"] = JSON.parse("…")`, `var NAME = …`. Undefined if there is none that can be read. Never throws.
 */
export function readState(html: string, name: string): unknown {
  for (const value of statesOf(html, name)) return value
  return undefined
}

/** Every state of that name, in page order, each read when it is asked for. */
export function* statesOf(html: string, name: string): Generator<unknown> {
  let at = html.indexOf(name)
  let unread = html.length * MAX_TIMES_READ
  for (let place = 0; at !== -1 && place < MAX_PLACES && unread > 0; place += 1) {
    const { value, end } = stateAt(html, at, name)
    if (value !== undefined) yield value
    unread -= end - at
    at = html.indexOf(name, at + name.length)
  }
}

/** The value at a path of a state; undefined where the way ends. */
export function valueAt(state: unknown, ...path: readonly (string | number)[]): unknown {
  let value = state
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string | number, unknown>)[key]
  }
  return value
}

/**
 * The rows of a Next.js page that is streamed (`self.__next_f.push([1,"…"])`) which hold JSON, by id. Rows refer to one
 * another by `"$id"`; the references are left as they stand.
 */
export function readFlightRows(html: string): Map<string, unknown> {
  const opening = '__next_f.push([1,'
  const pieces: string[] = []
  for (let at = html.indexOf(opening); at !== -1; at = html.indexOf(opening, at + 1)) {
    const { value } = readQuoted(html, at + opening.length)
    if (typeof value === 'string') pieces.push(value)
  }
  const rows = new Map<string, unknown>()
  let brokenCount = 0
  for (const [id, json] of rowsOf(pieces.join(''))) {
    // A row of another kind: a module, a hint, an error.
    if (!/^[\s"[{\dtfn-]/.test(json)) continue
    try {
      rows.set(id, JSON.parse(json))
    } catch {
      brokenCount += 1
      if (brokenCount > MAX_BROKEN_ROWS) return rows
    }
  }
  return rows
}

/** `ID:JSON` by line, and `ID:Tlength,text` whose length in hexadecimal counts bytes and whose text may have lines. */
function* rowsOf(stream: string): Generator<[id: string, content: string]> {
  const bytes = new TextEncoder().encode(stream)
  const decoder = new TextDecoder()
  const [lineEnd, colon, comma] = [10, 58, 44]
  for (let at = 0; at < bytes.length; ) {
    const idEnd = bytes.indexOf(colon, at)
    if (idEnd === -1) return
    const id = decoder.decode(bytes.subarray(at, idEnd))
    if (bytes[idEnd + 1] === 'T'.charCodeAt(0)) {
      const textStart = bytes.indexOf(comma, idEnd) + 1
      const length = Number.parseInt(decoder.decode(bytes.subarray(idEnd + 2, textStart)), 16)
      if (textStart === 0 || !(length >= 0)) return
      at = textStart + length
      yield [id, JSON.stringify(decoder.decode(bytes.subarray(textStart, at)))]
      continue
    }
    const end = bytes.indexOf(lineEnd, idEnd)
    const rowEnd = end === -1 ? bytes.length : end
    yield [id, decoder.decode(bytes.subarray(idEnd + 1, rowEnd))]
    at = rowEnd + 1
  }
}

/** The state that the name at `at` is followed by, and how far the page was read for it. */
function stateAt(html: string, at: number, name: string): LiteralReading {
  const end = at + name.length
  if (isNamePart(html[at - 1]) || isNamePart(html[end])) return { value: undefined, end }
  ASSIGNED.lastIndex = end
  if (ASSIGNED.test(html)) return readLiteral(html, ASSIGNED.lastIndex)
  if (!SCRIPT_ID.test(html.slice(Math.max(0, at - 300), at))) return { value: undefined, end }
  const open = html.indexOf('>', end)
  return open === -1 ? { value: undefined, end: html.length } : scriptContent(html, open + 1)
}

function scriptContent(html: string, start: number): LiteralReading {
  const close = html.indexOf('</script', start)
  const end = close === -1 ? html.length : close
  const text = html.slice(start, end)
  try {
    return { value: JSON.parse(text), end }
  } catch {
    return { value: readLiteral(withoutComment(text), 0).value, end }
  }
}

/** Without the signs of a comment that hides a script from older browsers. */
function withoutComment(script: string): string {
  const text = script.trim()
  return text.slice(text.startsWith('<!--') ? 4 : 0, text.endsWith('-->') ? -3 : undefined)
}

function isNamePart(sign: string | undefined): boolean {
  return sign !== undefined && /[\w$]/.test(sign)
}
