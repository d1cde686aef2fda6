/** Finds streets in prose, by the words of streets, and by the name of one that is known. */
import { isWord, skipHouseNumber, skipNumberBefore, skipNumberOf } from './house-number.ts'
import { longForms } from './long-forms.ts'
import {
  articles,
  basqueTypes,
  dottedTypes,
  englishTypes,
  germanSuffix,
  germanTypes,
  noGermanStreets,
  notNames,
  numberMarks,
  particles,
  shortSuffix,
  shortTypes,
  streetTypes,
  typesAfterNumber,
  vagueGermanSuffix,
} from './street-words.ts'
import { isCapitalized, isNumber, type Token } from './tokens.ts'

/** Indices of tokens; an end is the index after the last token. */
export interface StreetMention {
  start: number
  /** The street with its type, without its number. */
  street: { start: number; end: number }
  end: number
  hasNumber: boolean
  /** It is the known street. */
  isKnown: boolean
}

export interface KnownStreet {
  /** From `toStreetName`; empty: unknown. */
  name: string[]
  /** Its name alone, without type and number, means the street: it has several words, and is no place. */
  isDistinct: boolean
}

const particlesMax = 3
const nameWordsMax = 6
/** Names without capitals are shorter, so that prose is not taken for one. */
const plainWordsMax = 3

/** The words of a street's name, without its type: `Carrer de Mallorca` → `mallorca`; `Gran Vía` → `gran`, `via`. */
export function toStreetName(tokens: Token[]): string[] {
  const start = skipType(tokens, 0) ?? 0
  const listWords = (from: number) =>
    tokens.slice(from).filter(({ word }) => /^[\p{L}\d]/u.test(word) && !particles.has(word))
  const afterType = listWords(start)
  const rest = afterType.length === 0 && isGranVia(tokens, 0) ? listWords(0) : afterType
  const last = rest.at(-1)
  const hasSuffix = start === 0 && rest.length > 1 && last && isSuffixType(last.word)
  return (hasSuffix ? rest.slice(0, -1) : rest).slice(0, nameWordsMax).map(({ word }) => toLongForm(word))
}

/** The mention of a street that begins at this token. */
export function findStreetAt(tokens: Token[], at: number, known: KnownStreet): StreetMention | null {
  const { name } = known
  const afterNumber = findAfterNumberOf(tokens, at, name)
  if (afterNumber) return { start: at, ...afterNumber, end: afterNumber.street.end, hasNumber: true }
  const number = tokens[at]!
  if (isNumber(number)) {
    const start = skipNumberBefore(tokens, at)
    const street = start === null ? null : findAfterNumber(tokens, start, name)
    return street && { start: at, ...street, end: street.street.end, hasNumber: true }
  }
  const found =
    findPrefixed(tokens, at, name) ?? findSuffixed(tokens, at, name) ?? findKnown(tokens, at, known)
  if (!found) return null
  const { isPlain, ...street } = found
  const end = skipOnLine(tokens, at, skipHouseNumber(tokens, street.street.end))
  if (isPlain && (end === null || !isPhraseEnd(tokens, end))) return null
  return { start: at, ...street, end: end ?? street.street.end, hasNumber: end !== null }
}

type Found = Street & {
  /** Only a number in its place tells it from prose. */
  isPlain: boolean
}

type Street = Pick<StreetMention, 'street' | 'isKnown'>

/** `el número 5 de la calle Mayor`. Its article remains if that of the number is cut, as in `en la calle Mayor`. */
function findAfterNumberOf(tokens: Token[], at: number, name: string[]): Street | null {
  const start = skipNumberOf(tokens, at)
  if (start === null) return null
  const type = articles.has(tokens[start]?.word ?? '') ? start + 1 : start
  const found = findPrefixed(tokens, type, name)
  const isProse = found?.isPlain && !isPhraseEnd(tokens, found.street.end)
  const street = isProse ? findPrefixed(tokens, type, name, 1) : found
  if (!street || skipOnLine(tokens, at, street.street.end) === null) return null
  const first = isWord(tokens[at], 'el') ? start : type
  return { street: { start: first, end: street.street.end }, isKnown: street.isKnown }
}

/** `12, rue de Rivoli`, `12 Main St.` */
function findAfterNumber(tokens: Token[], at: number, name: string[]): Street | null {
  const type = tokens[at]
  if (!type) return null
  const prefixed = findPrefixed(tokens, at, name)
  if (prefixed && !prefixed.isPlain && (prefixed.isKnown || typesAfterNumber.has(type.word)))
    return { street: prefixed.street, isKnown: prefixed.isKnown }
  const known = skipName(tokens, at, name)
  const end = known ?? skipCapitals(tokens, at, 3, isEnglishType)
  if (end === null || !tokens[end] || !isEnglishType(tokens[end])) return null
  return { street: { start: at, end: skipSuffixDot(tokens, end + 1) }, isKnown: known !== null }
}

const isEnglishType = ({ word }: Token) => englishTypes.has(word)

/** `Carrer de Mallorca`, `C/ Mallorca`, `calle mallorca`, `Gran Vía`. `plainMax`: words of a name without capitals. */
function findPrefixed(tokens: Token[], at: number, name: string[], plainMax = plainWordsMax): Found | null {
  const afterType = skipType(tokens, at)
  if (afterType === null) return null
  let start = afterType
  for (let count = 0; count < particlesMax && particles.has(tokens[start]?.word ?? ''); count++) start++
  const whole = name.length > 1 ? skipName(tokens, at, name) : null
  const known = skipName(tokens, start, name) ?? whole
  if (known !== null) return toFound(tokens, at, known, { isKnown: true })
  const date = skipDate(tokens, start)
  const capitals = date ?? skipCapitals(tokens, start, nameWordsMax)
  if (capitals !== null) return toFound(tokens, at, capitals, {})
  if (isGranVia(tokens, at)) return toFound(tokens, at, afterType, {})
  const plain = skipPlain(tokens, start, plainMax)
  return plain === null ? null : toFound(tokens, at, plain, { isPlain: true })
}

/** `Mallorca kalea`, `Hauptstraße`. */
function findSuffixed(tokens: Token[], at: number, name: string[]): Found | null {
  const first = tokens[at]!
  if (!isCapitalized(first)) return null
  const isKnown = skipName(tokens, at, name) !== null
  if (isGermanStreet(tokens, at, isKnown))
    return toFound(tokens, at, skipSuffixDot(tokens, at + 1), { isKnown })
  const isType = ({ word }: Token) => basqueTypes.has(word) || germanTypes.has(word)
  const end = skipCapitals(tokens, at, 3, isType)
  if (end === null || !tokens[end] || !isType(tokens[end])) return null
  const streetEnd = skipSuffixDot(tokens, end + 1)
  if (isKnown) return toFound(tokens, at, streetEnd, { isKnown })
  // Capitalized words before the name may belong to the sentence.
  const isLater = tokens
    .slice(at + 1, end)
    .some((_, index) => skipName(tokens, at + 1 + index, name) !== null)
  return isLater || skipHouseNumber(tokens, streetEnd) === null ? null : toFound(tokens, at, streetEnd, {})
}

function isGermanStreet(tokens: Token[], at: number, isKnown: boolean): boolean {
  const { word } = tokens[at]!
  if (noGermanStreets.has(word)) return false
  if (germanSuffix.test(word)) return true
  return vagueGermanSuffix.test(word) && (isKnown || skipHouseNumber(tokens, at + 1) !== null)
}

/** The known name without a type. One that is not distinct needs a number. */
function findKnown(tokens: Token[], at: number, known: KnownStreet): Found | null {
  const end = isCapitalized(tokens[at]!) ? skipName(tokens, at, known.name) : null
  if (end === null) return null
  const hasType = isSuffixType(tokens[end]?.word ?? '')
  const streetEnd = hasType ? skipSuffixDot(tokens, end + 1) : end
  const isDistinct = hasType || known.isDistinct || skipHouseNumber(tokens, end) !== null
  return isDistinct ? toFound(tokens, at, streetEnd, { isKnown: true }) : null
}

function toFound(
  tokens: Token[],
  start: number,
  end: number,
  { isKnown = false, isPlain = false }: Partial<Found>,
): Found | null {
  return skipOnLine(tokens, start, end) === null ? null : { street: { start, end }, isKnown, isPlain }
}

/** Null if the tokens are not on one line. */
function skipOnLine(tokens: Token[], start: number, end: number | null): number | null {
  return end !== null && tokens[end - 1]!.line === tokens[start]!.line ? end : null
}

/** `calle`, `C/`, `Avda.`, `p.zza`, `Gran Vía`. */
export function skipType(tokens: Token[], at: number): number | null {
  const word = tokens[at]?.word ?? ''
  if (isGranVia(tokens, at)) return at + 2
  if (streetTypes.has(word)) return at + 1
  if (shortTypes.has(word)) return skipDot(tokens, at + 1)
  if (!dottedTypes.has(word) || !isWord(tokens[at + 1], '.', '/', 'º')) return null
  const goesOn =
    isWord(tokens[at + 1], '.') && isWord(tokens[at + 2], 'º', '/', 'le', 'so', 'za', 'zza', 'go')
  return goesOn ? at + 3 : at + 2
}

/** A type, and a name if none follows. */
const isGranVia = (tokens: Token[], at: number) => isWord(tokens[at], 'gran') && isWord(tokens[at + 1], 'via')

const skipDot = (tokens: Token[], at: number) => (isWord(tokens[at], '.') ? at + 1 : at)
const skipSuffixDot = (tokens: Token[], at: number) =>
  shortSuffix.test(tokens[at - 1]!.word) ? skipDot(tokens, at) : at

/** The words of the known name, with any particles between them. */
function skipName(tokens: Token[], at: number, name: string[]): number | null {
  if (name.length === 0) return null
  let next = at
  for (const [index, word] of name.entries()) {
    for (let count = 0; index > 0 && count < particlesMax && particles.has(tokens[next]?.word ?? ''); count++)
      next++
    if (!tokens[next] || !isSameWord(toLongForm(tokens[next]!.word), word)) return null
    next =
      index < name.length - 1 || tokens[next]!.word.length <= 4 ? skipAbbreviation(tokens, next) : next + 1
  }
  return next
}

/** The next index, after the full stop of a shortened word. */
const skipAbbreviation = (tokens: Token[], at: number) =>
  longForms.has(tokens[at]!.word) ? skipDot(tokens, at + 1) : at + 1

/** Names in two languages differ by one letter: `Aragó` and `Aragón`. */
function isSameWord(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return one === other || (short.length >= 5 && long.length === short.length + 1 && long.startsWith(short))
}

function toLongForm(word: string): string {
  if (/.str$/.test(word)) return `${word}asse`
  return longForms.get(word) ?? word
}

const isSuffixType = (word: string) =>
  englishTypes.has(word) || basqueTypes.has(word) || germanTypes.has(word)

/** `25 de Abril`, `4 Novembre`. */
function skipDate(tokens: Token[], at: number): number | null {
  if (!/^\d{1,2}$/.test(tokens[at]?.word ?? '')) return null
  const month = particles.has(tokens[at + 1]?.word ?? '') ? at + 2 : at + 1
  const isMonth =
    /^(?:ene|gen|jan|feb|mar|abr|avr|apr|mai|may|mag|jun|jul|giu|lug|ago|aug|se[pt]|oct|ott|out|okt|nov|dic|dec|des|dez)/
  return isMonth.test(tokens[month]?.word ?? '') ? month + 1 : null
}

/** Up to `max` capitalized words, with particles between them. Ends before `stop`, if that comes after a word. */
function skipCapitals(
  tokens: Token[],
  at: number,
  max: number,
  stop: (token: Token) => boolean = () => false,
): number | null {
  let end: number | null = null
  let next = at
  for (let words = 0; words < max; words++) {
    const token = tokens[next]
    if (!token || !isCapitalized(token) || notNames.has(token.word) || isMark(tokens, next)) break
    if (end !== null && stop(token)) break
    next = skipAbbreviation(tokens, next)
    end = next
    for (let count = 0; count < particlesMax && particles.has(tokens[next]?.word ?? ''); count++) next++
  }
  return end
}

/** `N.º`: before a house number. */
const isMark = (tokens: Token[], at: number) =>
  numberMarks.has(tokens[at]!.word) && skipHouseNumber(tokens, at) !== null

function skipPlain(tokens: Token[], at: number, max: number): number | null {
  let next = at
  for (let words = 0; words < max; words++) {
    const token = tokens[next]
    if (!token || !/^\p{L}{3,}$/u.test(token.text) || notNames.has(token.word)) break
    next++
  }
  return next === at ? null : next
}

/** The phrase ends here: no word follows that the number could count. */
function isPhraseEnd(tokens: Token[], at: number): boolean {
  const token = tokens[at]
  return (
    !token ||
    token.line !== tokens[at - 1]!.line ||
    /^[,.;:)]$/.test(token.word) ||
    isWord(token, 'en', 'in', 'em', 'de')
  )
}
