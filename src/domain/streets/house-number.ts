/** Finds house numbers, with floor and door. */
import {
  doors,
  doorWords,
  isUnit,
  joints,
  numberMarks,
  numberSuffixes,
  ordinalEndings,
  ordinalSigns,
  particles,
} from './street-words.ts'
import { isAdjacent, isNumber, type Token } from './tokens.ts'

const digitsMax = 4
const doorPartsMax = 4

/** `, núm. 214, 3º 2ª` at this token. Returns the index after it; null: there is no house number. */
export function skipHouseNumber(tokens: Token[], at: number): number | null {
  const afterSeparator = isWord(tokens[at], ',', '-', '–') ? at + 1 : at
  const afterMark = skipMark(tokens, afterSeparator)
  const end =
    skipDigits(tokens, afterMark) ?? skipUnnumbered(tokens, afterMark) ?? skipKilometre(tokens, afterMark)
  return end === null ? null : skipDoors(tokens, end)
}

/** `12`, `12 bis` before a street. Returns the index of the street; null: there is no such number. */
export function skipNumberBefore(tokens: Token[], at: number): number | null {
  const previous = tokens[at - 1]
  if (isAdjacent(previous, tokens[at]) && /[.,\d]/.test(previous!.word)) return null
  const end = skipDigits(tokens, at)
  if (end === null) return null
  return isWord(tokens[end], ',') ? end + 1 : end
}

/**
 * `número 5 de`, `el 5 de`, `nº 5,` before a street and its article. Returns the index after it; null: there is no such
 * number. Without a mark, only an article tells the number from an amount.
 */
export function skipNumberOf(tokens: Token[], at: number): number | null {
  const mark = isWord(tokens[at], 'el') ? at + 1 : at
  const hasMark = skipMark(tokens, mark) > mark
  if (!hasMark && mark === at && !isWord(tokens[at - 1], 'al', 'au', 'no', 'nel')) return null
  const end = hasMark || (tokens[mark] && isNumber(tokens[mark])) ? skipHouseNumber(tokens, mark) : null
  const isJoint =
    end !== null && (joints.has(tokens[end]?.word ?? '') || (hasMark && isWord(tokens[end], ',')))
  return isJoint ? end + 1 : null
}

/** `214`, `12 bis`, `12/A`, `5a`, `214-216`, `12 y 14`. */
function skipDigits(tokens: Token[], at: number): number | null {
  const number = tokens[at]
  if (!isHouseNumber(tokens, at)) return null
  let end = at + 1
  const next = tokens[end]
  if (isAdjacent(number, next) && /^\p{L}$/u.test(next.text)) end++
  else if (next && /^[A-D]$/.test(next.text) && !isWord(tokens[end + 1], "'", '’')) end++
  if (next && numberSuffixes.has(next.word)) end++
  const joined = tokens[end + 1]
  if (isWord(tokens[end], '-', '–', '/') && joined) {
    if (isHouseNumber(tokens, end + 1)) return end + 2
    if (isAdjacent(tokens[end], joined) && /^\p{L}$/u.test(joined.text)) return end + 2
  }
  if (isWord(tokens[end], 'y', 'i', 'e') && isHouseNumber(tokens, end + 1)) return end + 2
  return end
}

function isHouseNumber(tokens: Token[], at: number): boolean {
  const [number, next, after] = tokens.slice(at, at + 3)
  if (!number || !isNumber(number) || number.word.length > digitsMax) return false
  if (!next) return true
  if (ordinalSigns.has(next.word) || /^[%€$£²]$/.test(next.word) || isUnit(next.word)) return false
  if (!isAdjacent(number, next)) return true
  // A decimal, an amount, a time of day.
  if (/^[.,:]$/.test(next.word))
    return !isAdjacent(next, after) || !isNumber(after) || isOrdinal(tokens, at + 2)
  return next.text.length === 1 || numberSuffixes.has(next.word)
}

/** `núm.`, `n.º`, `nº`, `no.`, `#`. */
function skipMark(tokens: Token[], at: number): number {
  const mark = tokens[at]
  if (!mark) return at
  if (isWord(mark, '#')) return at + 1
  const isMark = numberMarks.has(mark.word) || (mark.word === 'no' && isWord(tokens[at + 1], '.'))
  if (!isMark) return at
  let end = at + 1
  while (isWord(tokens[end], '.', 'º', '°', 'o') && end < at + 3) end++
  return end
}

/** `s/n`. */
function skipUnnumbered(tokens: Token[], at: number): number | null {
  const isUnnumbered = isWord(tokens[at], 's') && isWord(tokens[at + 1], '/') && isWord(tokens[at + 2], 'n')
  return isUnnumbered ? at + 3 : null
}

/** `km 12,5`. */
function skipKilometre(tokens: Token[], at: number): number | null {
  if (!isWord(tokens[at], 'km', 'pk')) return null
  const digits = isWord(tokens[at + 1], '.') ? at + 2 : at + 1
  if (!tokens[digits] || !isNumber(tokens[digits])) return null
  const hasDecimals =
    isWord(tokens[digits + 1], ',', '.') && isAdjacent(tokens[digits + 1], tokens[digits + 2])
  return hasDecimals ? digits + 3 : digits + 1
}

function skipDoors(tokens: Token[], at: number): number {
  let end = at
  for (let part = 0; part < doorPartsMax; part++) {
    const start = isWord(tokens[end], ',', '-', '–') ? end + 1 : end
    const next = skipDoor(tokens, start)
    if (next === null) break
    end = next
  }
  return end
}

/** `3º`, `2ª planta`, `1r`, `esc. B`, `piso 4`, `dcha.` */
function skipDoor(tokens: Token[], at: number): number | null {
  const token = tokens[at]
  if (!token) return null
  if (doors.has(token.word)) return isWord(tokens[at + 1], '.') ? at + 2 : at + 1
  if (isNumber(token)) {
    if (!isOrdinal(tokens, at)) return null
    const end = isWord(tokens[at + 1], '.') ? at + 3 : at + 2
    const next = tokens[end]
    if (next && (doorWords.has(next.word) || /^[A-H]$/.test(next.text)) && !isValue(tokens[end + 1]))
      return end + 1
    return end
  }
  if (!doorWords.has(token.word)) return null
  const value = isWord(tokens[at + 1], '.') ? at + 2 : at + 1
  if (!isValue(tokens[value]) || isUnitAfter(tokens, value)) return null
  return ordinalSigns.has(tokens[value + 1]?.word ?? '') ? value + 2 : value + 1
}

const isValue = (token: Token | undefined) =>
  token !== undefined &&
  (/^\d{1,3}$/.test(token.word) || /^[A-Z]$/.test(token.text)) &&
  !particles.has(token.text)

const isUnitAfter = (tokens: Token[], at: number) => isUnit(tokens[at + 1]?.word ?? '')

/** `3º`, `3.º`, `3r`. */
function isOrdinal(tokens: Token[], at: number): boolean {
  const [number, next, after] = tokens.slice(at, at + 3)
  if (!number || !next || number.word.length > 2) return false
  if (ordinalSigns.has(next.word)) return true
  if (isWord(next, '.') && ordinalSigns.has(after?.word ?? '')) return true
  return isAdjacent(number, next) && ordinalEndings.has(next.word)
}

export const isWord = (token: Token | undefined, ...words: string[]) =>
  token !== undefined && words.includes(token.word)
