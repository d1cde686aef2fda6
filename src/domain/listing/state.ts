/** The state of a page: the data that its scripts start from, embedded as text. */
import { type ParsedLiteral, parseLiteral, parseQuoted } from './js-literal.ts'

// A name stands in a page a few times at most; more is hostile, or a name too short to tell anything.
const occurrencesMax = 50
// All those places together are read no further than this many times through the page.
const timesReadMax = 4
// Rows of other kinds are few, and to find that one is no JSON costs more than to read one that is.
const brokenRowsMax = 1000
const assignmentPattern = /["'`]?\]?\s*=(?![=>])/y
const scriptIdPattern = /<script\b[^<>]*\bid=["']?$/i

/**
 * The first state of that name in a page: `<script id="NAME" type="application/json">`, `window.NAME = {…}`,
 * `window["NAME"] = JSON.parse("…")`, `var NAME = …`. Undefined if there is none that can be read. Never throws.
 */
export function parseState(html: string, name: string): unknown {
  for (const value of findStates(html, name)) return value
  return undefined
}

/** Every state of that name, in page order, each read when it is asked for. */
export function* findStates(html: string, name: string): Generator<unknown> {
  let position = html.indexOf(name)
  let remaining = html.length * timesReadMax
  for (let place = 0; position !== -1 && place < occurrencesMax && remaining > 0; place += 1) {
    const { value, end } = parseStateAt(html, position, name)
    if (value !== undefined) yield value
    remaining -= end - position
    position = html.indexOf(name, position + name.length)
  }
}

/** The value at a path of a state; undefined where the way ends. */
export function getPath(state: unknown, ...path: readonly (string | number)[]): unknown {
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
export function parseFlightRows(html: string): Map<string, unknown> {
  const opening = '__next_f.push([1,'
  const chunks: string[] = []
  for (
    let position = html.indexOf(opening);
    position !== -1;
    position = html.indexOf(opening, position + 1)
  ) {
    const { value } = parseQuoted(html, position + opening.length)
    if (typeof value === 'string') chunks.push(value)
  }
  const rows = new Map<string, unknown>()
  let brokenCount = 0
  for (const [id, json] of parseRows(chunks.join(''))) {
    // A row of another kind: a module, a hint, an error.
    if (!/^[\s"[{\dtfn-]/.test(json)) continue
    try {
      rows.set(id, JSON.parse(json))
    } catch {
      brokenCount += 1
      if (brokenCount > brokenRowsMax) return rows
    }
  }
  return rows
}

/** `ID:JSON` by line, and `ID:Tlength,text` whose length in hexadecimal counts bytes and whose text may have lines. */
function* parseRows(stream: string): Generator<[id: string, content: string]> {
  const bytes = new TextEncoder().encode(stream)
  const decoder = new TextDecoder()
  const [lineEnd, colon, comma] = [10, 58, 44]
  for (let position = 0; position < bytes.length; ) {
    const idEnd = bytes.indexOf(colon, position)
    if (idEnd === -1) return
    const id = decoder.decode(bytes.subarray(position, idEnd))
    if (bytes[idEnd + 1] === 'T'.charCodeAt(0)) {
      const textStart = bytes.indexOf(comma, idEnd) + 1
      const length = Number.parseInt(decoder.decode(bytes.subarray(idEnd + 2, textStart)), 16)
      if (textStart === 0 || !(length >= 0)) return
      position = textStart + length
      yield [id, JSON.stringify(decoder.decode(bytes.subarray(textStart, position)))]
      continue
    }
    const end = bytes.indexOf(lineEnd, idEnd)
    const rowEnd = end === -1 ? bytes.length : end
    yield [id, decoder.decode(bytes.subarray(idEnd + 1, rowEnd))]
    position = rowEnd + 1
  }
}

/** The state that the name at `position` is followed by, and how far the page was read for it. */
function parseStateAt(html: string, position: number, name: string): ParsedLiteral {
  const end = position + name.length
  if (isNamePart(html[position - 1]) || isNamePart(html[end])) return { value: undefined, end }
  assignmentPattern.lastIndex = end
  if (assignmentPattern.test(html)) return parseLiteral(html, assignmentPattern.lastIndex)
  if (!scriptIdPattern.test(html.slice(Math.max(0, position - 300), position)))
    return { value: undefined, end }
  const open = html.indexOf('>', end)
  return open === -1 ? { value: undefined, end: html.length } : scriptContent(html, open + 1)
}

function scriptContent(html: string, start: number): ParsedLiteral {
  const close = html.indexOf('</script', start)
  const end = close === -1 ? html.length : close
  const text = html.slice(start, end)
  try {
    return { value: JSON.parse(text), end }
  } catch {
    return { value: parseLiteral(withoutComment(text), 0).value, end }
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
