// The state of a page: the data that its scripts start from, embedded as text.
import { readLiteral, readQuoted } from './js-literal.ts'

// A name stands in a page a few times at most; more is hostile, or a name too short to tell anything.
const MAX_PLACES = 50
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
  for (let place = 0; at !== -1 && place < MAX_PLACES; place += 1) {
    const value = stateAt(html, at, name)
    if (value !== undefined) yield value
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
  for (const [id, json] of rowsOf(pieces.join(''))) {
    try {
      rows.set(id, JSON.parse(json))
    } catch {
      // A row of another kind: a module, a hint, an error.
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

function stateAt(html: string, at: number, name: string): unknown {
  const end = at + name.length
  if (isNamePart(html[at - 1]) || isNamePart(html[end])) return undefined
  ASSIGNED.lastIndex = end
  if (ASSIGNED.test(html)) return readLiteral(html, ASSIGNED.lastIndex).value
  if (!SCRIPT_ID.test(html.slice(Math.max(0, at - 300), at))) return undefined
  const open = html.indexOf('>', end)
  return open === -1 ? undefined : scriptContent(html, open + 1)
}

function scriptContent(html: string, start: number): unknown {
  const close = html.indexOf('</script', start)
  const text = html.slice(start, close === -1 ? html.length : close)
  try {
    return JSON.parse(text)
  } catch {
    return readLiteral(text.replace(/^\s*<!--|-->\s*$/g, ''), 0).value
  }
}

function isNamePart(sign: string | undefined): boolean {
  return sign !== undefined && /[\w$]/.test(sign)
}
