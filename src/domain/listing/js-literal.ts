/** Parses JavaScript literals, as pages assign them to variables, by scanning. Nothing is executed. */

/** A value, and the position after its text. */
export interface ParsedLiteral {
  /** Undefined if it is not a literal: a call, an operation, a name. */
  value: unknown
  end: number
}

/** How many characters of literals that are not JSON may still be parsed. */
export interface LiteralBudget {
  left: number
}

const depthMax = 100
/** Brackets that may be open. The code of pages nests dozens. */
const nestingMax = 2000
const backslash = 0x5c
const noValue = undefined
const literalWords: Record<string, unknown> = {
  true: true,
  false: false,
  null: null,
  undefined: noValue,
  '!0': true,
  '!1': false,
}
// Wrappers around embedded data, and how to unwrap each.
const wrappers: readonly [string, (value: unknown) => unknown][] = [
  ['JSON.parse(', value => (typeof value === 'string' ? JSON.parse(value) : noValue)],
  ['decodeURIComponent(', value => (typeof value === 'string' ? decodeURIComponent(value) : noValue)],
  ['(', value => value],
]
const isQuoteOrBracket = new Uint8Array(0x80)
for (const char of '"\'`{}()[]') isQuoteOrBracket[char.charCodeAt(0)] = 1
const closingBrackets: Record<string, string> = { '{': '}', '[': ']', '(': ')' }
// An unterminated comment matches up to the end of the text, so that its end is searched only once.
const blankPattern = /(?:\s|\/\/[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$))*/y
const numberPattern = /[+-]?(?:0x[\da-f]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(?![\w$])/iy
const numberStartPattern = /[\d.+-]/
const wordPattern = /(?:![01]|[a-z_$][\w$]*)(?![\w$])/iy
const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', 0: '\0' }

/**
 * Parses the literal at `position`: JSON, and the JavaScript syntax beyond it (bare and single-quoted keys, template
 * strings, comments, trailing commas, `undefined`, `!0`), also wrapped in `JSON.parse(…)` or `decodeURIComponent(…)`.
 * Members that are not literals are omitted from objects and null in arrays. Never throws. A literal that is not JSON is
 * only parsed if the budget suffices for its length.
 */
export function parseLiteral(
  text: string,
  position: number,
  budget: LiteralBudget = { left: Number.POSITIVE_INFINITY },
): ParsedLiteral {
  const start = skipBlank(text, position)
  if (text[start] === '{' || text[start] === '[') {
    const end = findClosingBracket(text, start)
    if (end === -1) return { value: noValue, end: text.length }
    // Most literals are JSON, which the engine parses a hundred times faster.
    const value = mayBeJson(text, start) ? tryParse(() => JSON.parse(text.slice(start, end))) : noValue
    if (value !== noValue) return { value, end }
    budget.left -= end - start
    if (budget.left < 0) return { value: noValue, end }
  }
  return tryParse(() => parseValue(text, start, 0)) ?? { value: noValue, end: text.length }
}

/** False for an object, or a list of objects, whose first key has no quotes: a refusal of the engine takes long. */
function mayBeJson(text: string, start: number): boolean {
  const next = skipBlank(text, start + 1)
  if (text[start] === '[') return text[next] !== '{' || mayBeJson(text, next)
  return text[next] === '"' || text[next] === '}'
}

/**
 * The position after the bracket that closes the one at `start`, or -1, also if thousands are nested. Brackets in strings
 * are skipped.
 */
export function findClosingBracket(text: string, start: number): number {
  const open: string[] = []
  for (let position = start; position < text.length; position += 1) {
    const code = text.charCodeAt(position)
    // Most characters are neither quotes nor brackets.
    if (code > 0x7d || isQuoteOrBracket[code] === 0) continue
    const char = text[position]!
    if (char === '"' || char === "'" || char === '`') {
      position = findQuoteEnd(text, position)
      if (position === -1) return -1
    } else if (char === '{' || char === '[' || char === '(') {
      if (open.push(closingBrackets[char]!) > nestingMax) return -1
    } else {
      if (open.pop() !== char) return -1
      if (open.length === 0) return position + 1
    }
  }
  return -1
}

/** The string that begins at `position`, in quotes of any kind; undefined if it is unterminated or has `${…}`. */
export function parseQuoted(text: string, position: number): ParsedLiteral {
  const close = findQuoteEnd(text, position)
  if (close === -1) return { value: noValue, end: text.length }
  const inner = text.slice(position + 1, close)
  const quote = text[position]!
  const value =
    (quote === '"' ? tryParse(() => JSON.parse(text.slice(position, close + 1))) : noValue) ??
    (quote === '`' && inner.includes('${') ? noValue : decodeEscapes(inner))
  return { value, end: close + 1 }
}

function decodeEscapes(inner: string): string {
  if (!inner.includes('\\')) return inner
  return inner.replace(
    /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|\r\n|([\s\S]))/gi,
    (_, codePoint?: string, unit?: string, byte?: string, char?: string) => {
      const code = Number.parseInt(codePoint ?? unit ?? byte ?? '', 16)
      if (!Number.isNaN(code)) return code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code)
      // A backslash before a line break continues the line.
      if (char === undefined || /[\n\r\u2028\u2029]/.test(char)) return ''
      return escapes[char] ?? char
    },
  )
}

/** The position of the quote that closes the one at `position`, or -1. */
function findQuoteEnd(text: string, position: number): number {
  const quote = text.charCodeAt(position)
  for (let end = position + 1; end < text.length; end += 1) {
    const char = text.charCodeAt(end)
    if (char === quote) return end
    if (char === backslash) end += 1
  }
  return -1
}

function parseValue(text: string, from: number, depth: number): ParsedLiteral {
  const position = skipBlank(text, from)
  const char = text[position]
  if (char === '"' || char === "'" || char === '`') return parseQuoted(text, position)
  if (char === '{' || char === '[')
    return depth < depthMax ? parseMembers(text, position, depth) : skipExpression(text, position)
  // The first characters of the wrappers: most values begin with none of them.
  for (const [opening, unwrap] of char !== undefined && 'Jd('.includes(char) ? wrappers : []) {
    if (!text.startsWith(opening, position)) continue
    const inner =
      depth < depthMax
        ? parseMember(text, position + opening.length, depth + 1)
        : skipExpression(text, position)
    if (text[inner.end] !== ')') return skipExpression(text, inner.end)
    return { value: tryParse(() => unwrap(inner.value)), end: inner.end + 1 }
  }
  const number = numberStartPattern.test(char ?? '') ? skip(numberPattern, text, position) : position
  if (number > position) return { value: Number(text.slice(position, number)), end: number }
  const word = text.slice(position, skip(wordPattern, text, position))
  return Object.hasOwn(literalWords, word)
    ? { value: literalWords[word], end: position + word.length }
    : { value: noValue, end: position + word.length }
}

/** Parses a value up to the following comma or bracket; undefined if it is part of an expression. */
function parseMember(text: string, from: number, depth: number): ParsedLiteral {
  const { value, end } = parseValue(text, from, depth)
  const next = skipBlank(text, end)
  return next >= text.length || ',]})'.includes(text[next]!)
    ? { value, end: next }
    : skipExpression(text, next)
}

function parseMembers(text: string, start: number, depth: number): ParsedLiteral {
  const isList = text[start] === '['
  const entries: [string, unknown][] = []
  let position = skipBlank(text, start + 1)
  while (position < text.length && !']})'.includes(text[position]!)) {
    const key = isList ? { value: '', end: position } : parseKey(text, position)
    const member = parseMember(text, key.end, depth + 1)
    if (isList) entries.push(['', member.value === noValue ? null : member.value])
    else if (typeof key.value === 'string' && member.value !== noValue)
      entries.push([key.value, member.value])
    position = text[member.end] === ',' ? skipBlank(text, member.end + 1) : member.end
  }
  const isClosed = text[position] === closingBrackets[text[start]!]
  const value = isList ? entries.map(([, item]) => item) : Object.fromEntries(entries)
  return { value: isClosed ? value : noValue, end: isClosed ? position + 1 : text.length }
}

/** Parses a key; `end` is where its value begins. Members without a colon (methods, spreads) are skipped. */
function parseKey(text: string, position: number): ParsedLiteral {
  const quoted = text[position] === '"' || text[position] === "'" ? parseQuoted(text, position) : null
  const number = skip(numberPattern, text, position)
  const bareEnd = number > position ? number : skip(wordPattern, text, position)
  const { value, end } = quoted ?? { value: text.slice(position, bareEnd), end: bareEnd }
  const colon = skipBlank(text, end)
  return text[colon] === ':' ? { value, end: colon + 1 } : skipExpression(text, Math.max(colon, position))
}

/** Skips to the comma or bracket that ends an expression. */
function skipExpression(text: string, from: number): ParsedLiteral {
  let position = from
  while (position < text.length && !',]})'.includes(text[position]!)) {
    const char = text[position]!
    if (char === '"' || char === "'" || char === '`')
      position = findQuoteEnd(text, position) + 1 || text.length
    else if ('{[('.includes(char)) position = findClosingBracket(text, position)
    else position += 1
    if (position === -1) position = text.length
  }
  return { value: noValue, end: position }
}

function skipBlank(text: string, position: number): number {
  const char = text.charCodeAt(position)
  // Neither white space nor a comment begins here: most often there is nothing to skip.
  return char > 0x20 && char < 0x80 && char !== 0x2f ? position : skip(blankPattern, text, position)
}

function skip(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position
  return pattern.test(text) ? pattern.lastIndex : position
}

function tryParse<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return noValue
  }
}
