/** Extracts the state of a page: the initial data of its scripts, embedded as text. */
import { type ParsedLiteral, parseLiteral, parseQuoted } from './js-literal.ts'

// A name occurs a few times at most. With more, the page is hostile or the name is too short.
const occurrencesMax = 50
// Limits the characters read at all occurrences together to this multiple of the page.
const readFactorMax = 4
// Rows of other kinds are few, and failing to parse one costs more than parsing a valid one.
const brokenRowsMax = 1000
const assignmentPattern = /["'`]?\]?\s*=(?![=>])/y
const scriptIdPattern = /<script\b[^<>]*\bid=["']?$/i

/**
 * The first state with this name in a page: `<script id="NAME" type="application/json">`, `window.NAME = {…}`,
 * `window["NAME"] = JSON.parse("…")`, `var NAME = …`. Undefined if there is none that can be parsed. Never throws.
 */
export function parseState(html: string, name: string): unknown {
  for (const value of findStates(html, name)) return value
  return undefined
}

/** All states with this name in page order, each parsed when it is requested. */
export function* findStates(html: string, name: string): Generator<unknown> {
  let position = html.indexOf(name)
  let remaining = html.length * readFactorMax
  for (let count = 0; position !== -1 && count < occurrencesMax && remaining > 0; count += 1) {
    const { value, end } = parseStateAt(html, position, name)
    if (value !== undefined) yield value
    remaining -= end - position
    position = html.indexOf(name, position + name.length)
  }
}

/** The value at a path of a state; undefined if the path does not exist. */
export function getPath(state: unknown, ...path: readonly (string | number)[]): unknown {
  let value = state
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string | number, unknown>)[key]
  }
  return value
}

/**
 * The JSON rows of a streamed Next.js page (`self.__next_f.push([1,"…"])`), by id. Rows refer to each other as `"$id"`;
 * references are not resolved.
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
    // Not JSON: a module, a hint, an error.
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

/**
 * Rows are `ID:JSON` lines, or `ID:Tlength,text`, with a hexadecimal length in bytes and text that may have line
 * breaks.
 */
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

/** The state after the name at `position`, and the position up to which the page was read. */
function parseStateAt(html: string, position: number, name: string): ParsedLiteral {
  const end = position + name.length
  if (isNamePart(html[position - 1]) || isNamePart(html[end])) return { value: undefined, end }
  assignmentPattern.lastIndex = end
  if (assignmentPattern.test(html)) return parseLiteral(html, assignmentPattern.lastIndex)
  if (!scriptIdPattern.test(html.slice(Math.max(0, position - 300), position)))
    return { value: undefined, end }
  const open = html.indexOf('>', end)
  return open === -1 ? { value: undefined, end: html.length } : parseScriptContent(html, open + 1)
}

function parseScriptContent(html: string, start: number): ParsedLiteral {
  const close = html.indexOf('</script', start)
  const end = close === -1 ? html.length : close
  const text = html.slice(start, end)
  try {
    return { value: JSON.parse(text), end }
  } catch {
    return { value: parseLiteral(removeCommentMarks(text), 0).value, end }
  }
}

/** Removes the comment marks that hide a script from old browsers. */
function removeCommentMarks(script: string): string {
  const text = script.trim()
  return text.slice(text.startsWith('<!--') ? 4 : 0, text.endsWith('-->') ? -3 : undefined)
}

function isNamePart(char: string | undefined): boolean {
  return char !== undefined && /[\w$]/.test(char)
}
