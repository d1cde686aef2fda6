/** Hides where a property is in a text about it: its house number, or also its street. */
import { findStreetAt, type StreetMention, skipType, toStreetName } from './find-streets.ts'
import { isWord, skipHouseNumber, skipNumberBefore } from './house-number.ts'
import { articles, landmarks, locations, prepositions } from './street-words.ts'
import { type Token, toTokens } from './tokens.ts'

export interface HiddenPlace {
  /** The street of the property, without its number; null: unknown. */
  street: string | null
  /** Names of the places that it is in, which texts may state. */
  places?: string[]
  /** `number`: hides house numbers; `street`: also their streets, and the street of the property without a number. */
  hides: 'number' | 'street'
}

/**
 * Every street with a number counts as that of the property. Without a number, a street stays unless it is that of the
 * property: it may be a landmark (`a 200 m de la calle Mayor`). If the property's street is unknown, or may be no street
 * (`Edificio Sol`), a street of which the text says that the property is there (`Piso en calle Mayor`) counts as that.
 * Null if nothing is left.
 */
export function hideStreets(text: string, { street, places = [], hides }: HiddenPlace): string | null {
  const tokens = toTokens(text)
  const streetTokens = toTokens(street ?? '')
  const name = toStreetName(streetTokens)
  const isUnknown = findFirstStreet(streetTokens) === null
  const isDistinct = name.length > 1 && !places.some(place => isNameOfPlace(name, toTokens(place)))
  const known = { name, isDistinct }
  const cuts: [start: number, end: number][] = []
  for (let at = 0; at < tokens.length; ) {
    const mention = findStreetAt(tokens, at, known)
    if (mention) cuts.push(...toCuts(tokens, mention, hides, isUnknown))
    at = mention?.end ?? at + 1
  }
  const sentenceStarts = hides === 'street' ? '\n(.!?' : '\n('
  return cuts.reduceRight((left, range) => cut(left, range, sentenceStarts), text).trim() || null
}

/** A place with the type or the number of a street is a street. */
function isNameOfPlace(name: string[], place: Token[]): boolean {
  if (place.length === 0 || skipType(place, 0) !== null) return false
  if (findStreetAt(place, 0, { name, isDistinct: true })?.hasNumber) return false
  return ` ${toStreetName(place).join(' ')} `.includes(` ${name.join(' ')} `)
}

function findFirstStreet(tokens: Token[]): StreetMention | null {
  for (const at of tokens.keys()) {
    const mention = findStreetAt(tokens, at, { name: [], isDistinct: false })
    if (mention) return mention
  }
  return null
}

/** Positions in the text. */
function toCuts(
  tokens: Token[],
  { start, street, end, hasNumber, isKnown }: StreetMention,
  hides: HiddenPlace['hides'],
  isUnknown: boolean,
): [start: number, end: number][] {
  const toRange = (from: number, to: number): [number, number][] =>
    from < to ? [[tokens[from]!.start, tokens[to - 1]!.end]] : []
  if (hides === 'number') return [...toRange(start, street.start), ...toRange(street.end, end)]
  const isHidden = hasNumber || isKnown || (isUnknown && isLocation(tokens, start))
  return isHidden ? toRange(skipBack(tokens, start), end) : []
}

/** The index of the first word that goes with the street: `en la calle Mayor`. */
function skipBack(tokens: Token[], start: number): number {
  const { line } = tokens[start]!
  const has = (words: Set<string>, at: number) => tokens[at]?.line === line && words.has(tokens[at]!.word)
  const first = has(articles, start - 1) && has(prepositions, start - 2) ? start - 1 : start
  return has(prepositions, first - 1) || has(articles, first - 1) ? first - 1 : first
}

function isLocation(tokens: Token[], start: number): boolean {
  const first = skipBack(tokens, start)
  if (first < start) {
    const { word } = tokens[first]!
    return locations.has(word) && !(word === 'al' && landmarks.has(tokens[first - 1]?.word ?? ''))
  }
  const previous = tokens[start - 1]
  return !previous || previous.line !== tokens[start]!.line || /^[-–,:(|]$/.test(previous.word)
}

/** Removes a part of a text, with the signs and spaces that nothing needs any more. */
function cut(text: string, [start, end]: [start: number, end: number], sentenceStarts: string): string {
  let from = start
  let to = end
  const widen = (signs: string) => {
    while (from > 0 && signs.includes(text[from - 1]!)) from--
  }
  const extend = (signs: string) => {
    while (to < text.length && signs.includes(text[to]!)) to++
  }
  widen(' \t')
  extend(' \t')
  const previous = text[from - 1] ?? '\n'
  const next = text[to] ?? '\n'
  if (previous === '(' && next === ')') return cut(text, [from - 1, to + 1], sentenceStarts)
  const isStart = sentenceStarts.includes(previous)
  const isEnd = '\n,.;:)!?'.includes(next)
  if (isStart) extend(',.;:–- \t')
  else if (isEnd) widen(',;:–- \t')
  const space = '\n('.includes(previous) || (isEnd && !isStart) ? '' : ' '
  return text.slice(0, from) + space + text.slice(to)
}

/**
 * The first street of an address: `Edificio Sol, Carrer de Mallorca, 214, 3r` → `Carrer de Mallorca`. Numbers within the
 * name stay: `Calle 8 de Marzo, 5`.
 */
export function toStreet(address: string): string {
  const tokens = toTokens(address)
  const toText = (from: number, to: number) =>
    from < to ? address.slice(tokens[from]!.start, tokens[to - 1]!.end).replace(/[\s,;–-]+$/, '') : ''
  const mention = findFirstStreet(tokens)
  if (mention?.hasNumber) return toText(mention.street.start, mention.street.end)
  const before = tokens.length > 0 && !isWord(tokens[1], 'de') ? skipNumberBefore(tokens, 0) : null
  const start = mention?.start ?? (before !== null && before < tokens.length ? before : 0)
  const first = mention?.street.end ?? (skipType(tokens, start) ?? start) + 1
  for (let at = first; at < tokens.length; at++)
    if (skipHouseNumber(tokens, at) !== null) return toText(start, at)
  return toText(start, tokens.length)
}
