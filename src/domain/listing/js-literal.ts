// Values written as JavaScript, as pages assign them to variables: read by scanning, never run.

/** A value and where its text ends. */
export interface LiteralReading {
  /** Undefined where it is no literal: a call, a sum, a name. */
  value: unknown
  end: number
}

const MAX_DEPTH = 100
const BACKSLASH = 0x5c
const NOTHING = undefined
const WORDS: Record<string, unknown> = {
  true: true,
  false: false,
  null: null,
  undefined: NOTHING,
  '!0': true,
  '!1': false,
}
// What a page wraps around its data, and how each is undone.
const WRAPPERS: readonly [string, (value: unknown) => unknown][] = [
  ['JSON.parse(', value => (typeof value === 'string' ? JSON.parse(value) : NOTHING)],
  ['decodeURIComponent(', value => (typeof value === 'string' ? decodeURIComponent(value) : NOTHING)],
  ['(', value => value],
]
const CLOSING: Record<string, string> = { '{': '}', '[': ']', '(': ')' }
// A comment without an end reaches to the end of the text, so that nobody looks for its end again.
const BLANK = /(?:\s|\/\/[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$))*/y
const NUMBER = /[+-]?(?:0x[\da-f]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(?![\w$])/iy
const MAY_BE_NUMBER = /[\d.+-]/
const WORD = /(?:![01]|[a-z_$][\w$]*)(?![\w$])/iy
const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', 0: '\0' }

/**
 * Reads the literal that begins at `at`: JSON, and what JavaScript allows beyond it (bare and single-quoted keys, template
 * strings, comments, commas at the end, `undefined`, `!0`), also wrapped in `JSON.parse(…)` or `decodeURIComponent(…)`.
 * A member that is no literal is left out of its object, and null in its list. Never throws.
 */
export function readLiteral(text: string, at: number): LiteralReading {
  const start = skipBlank(text, at)
  if (text[start] === '{' || text[start] === '[') {
    const end = closingOf(text, start)
    if (end === -1) return { value: NOTHING, end: text.length }
    // Most often it is JSON, which the engine itself reads a hundred times quicker.
    const value = tryRead(() => JSON.parse(text.slice(start, end)))
    if (value !== NOTHING) return { value, end }
  }
  return tryRead(() => readValue(text, start, 0)) ?? { value: NOTHING, end: text.length }
}

/** Where the bracket that opens at `start` is closed: the place after it; -1 if it is not. Strings are passed over. */
export function closingOf(text: string, start: number): number {
  const open: string[] = []
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at]!
    if (sign === '"' || sign === "'" || sign === '`') {
      at = quoteEnd(text, at)
      if (at === -1) return -1
    } else if (sign === '{' || sign === '[' || sign === '(') open.push(CLOSING[sign]!)
    else if (sign === '}' || sign === ']' || sign === ')') {
      if (open.pop() !== sign) return -1
      if (open.length === 0) return at + 1
    }
  }
  return -1
}

/** The string in quotes of any kind that begins at `at`; undefined if it has no end, or parts to be computed. */
export function readQuoted(text: string, at: number): LiteralReading {
  const close = quoteEnd(text, at)
  if (close === -1) return { value: NOTHING, end: text.length }
  const inner = text.slice(at + 1, close)
  const quote = text[at]!
  const value =
    (quote === '"' ? tryRead(() => JSON.parse(text.slice(at, close + 1))) : NOTHING) ??
    (quote === '`' && inner.includes('${') ? NOTHING : withoutEscapes(inner))
  return { value, end: close + 1 }
}

function withoutEscapes(inner: string): string {
  if (!inner.includes('\\')) return inner
  return inner.replace(
    /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|\r\n|([\s\S]))/gi,
    (_, wide?: string, unit?: string, byte?: string, sign?: string) => {
      const code = Number.parseInt(wide ?? unit ?? byte ?? '', 16)
      if (!Number.isNaN(code)) return code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code)
      // A line end behind a backslash is none.
      if (sign === undefined || /[\n\r\u2028\u2029]/.test(sign)) return ''
      return ESCAPES[sign] ?? sign
    },
  )
}

/** Where the quote is closed that opens at `at`; -1 if it is not. */
function quoteEnd(text: string, at: number): number {
  const quote = text.charCodeAt(at)
  for (let end = at + 1; end < text.length; end += 1) {
    const sign = text.charCodeAt(end)
    if (sign === quote) return end
    if (sign === BACKSLASH) end += 1
  }
  return -1
}

function readValue(text: string, from: number, depth: number): LiteralReading {
  const at = skipBlank(text, from)
  const sign = text[at]
  if (sign === '"' || sign === "'" || sign === '`') return readQuoted(text, at)
  if (sign === '{' || sign === '[')
    return depth < MAX_DEPTH ? readMembers(text, at, depth) : passOver(text, at)
  // The signs that a wrapper can begin with: most values begin with none of them.
  for (const [wrapper, unwrap] of sign !== undefined && 'Jd('.includes(sign) ? WRAPPERS : []) {
    if (!text.startsWith(wrapper, at)) continue
    const inner = depth < MAX_DEPTH ? readMember(text, at + wrapper.length, depth + 1) : passOver(text, at)
    if (text[inner.end] !== ')') return passOver(text, inner.end)
    return { value: tryRead(() => unwrap(inner.value)), end: inner.end + 1 }
  }
  const number = MAY_BE_NUMBER.test(sign ?? '') ? skip(NUMBER, text, at) : at
  if (number > at) return { value: Number(text.slice(at, number)), end: number }
  const word = text.slice(at, skip(WORD, text, at))
  return Object.hasOwn(WORDS, word)
    ? { value: WORDS[word], end: at + word.length }
    : { value: NOTHING, end: at + word.length }
}

/** A value up to the comma or bracket that ends it; undefined if more than a literal stands there. */
function readMember(text: string, from: number, depth: number): LiteralReading {
  const { value, end } = readValue(text, from, depth)
  const next = skipBlank(text, end)
  return next >= text.length || ',]})'.includes(text[next]!) ? { value, end: next } : passOver(text, next)
}

function readMembers(text: string, start: number, depth: number): LiteralReading {
  const isList = text[start] === '['
  const entries: [string, unknown][] = []
  let at = skipBlank(text, start + 1)
  while (at < text.length && !']})'.includes(text[at]!)) {
    const key = isList ? { value: '', end: at } : readKey(text, at)
    const member = readMember(text, key.end, depth + 1)
    if (isList) entries.push(['', member.value === NOTHING ? null : member.value])
    else if (typeof key.value === 'string' && member.value !== NOTHING)
      entries.push([key.value, member.value])
    at = text[member.end] === ',' ? skipBlank(text, member.end + 1) : member.end
  }
  const isClosed = text[at] === CLOSING[text[start]!]
  const value = isList ? entries.map(([, item]) => item) : Object.fromEntries(entries)
  return { value: isClosed ? value : NOTHING, end: isClosed ? at + 1 : text.length }
}

/** A key and where its value begins; without a colon (a method, a spread) the member is passed over. */
function readKey(text: string, at: number): LiteralReading {
  const quoted = text[at] === '"' || text[at] === "'" ? readQuoted(text, at) : null
  const number = skip(NUMBER, text, at)
  const bareEnd = number > at ? number : skip(WORD, text, at)
  const { value, end } = quoted ?? { value: text.slice(at, bareEnd), end: bareEnd }
  const colon = skipBlank(text, end)
  return text[colon] === ':' ? { value, end: colon + 1 } : passOver(text, Math.max(colon, at))
}

/** To the comma or the bracket that ends an expression. */
function passOver(text: string, from: number): LiteralReading {
  let at = from
  while (at < text.length && !',]})'.includes(text[at]!)) {
    const sign = text[at]!
    if (sign === '"' || sign === "'" || sign === '`') at = quoteEnd(text, at) + 1 || text.length
    else if ('{[('.includes(sign)) at = closingOf(text, at)
    else at += 1
    if (at === -1) at = text.length
  }
  return { value: NOTHING, end: at }
}

function skipBlank(text: string, at: number): number {
  const sign = text.charCodeAt(at)
  // No white space, and no comment: most often there is nothing to skip.
  return sign > 0x20 && sign < 0x80 && sign !== 0x2f ? at : skip(BLANK, text, at)
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return NOTHING
  }
}
