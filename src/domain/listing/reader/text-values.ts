/** Parses the visible values of labels: prices, areas, counts, letters and names, as pages print them. */
import { parseMoney, type SharedSign, startsWithMultiplier } from '../money.ts'
import { numberPattern, parseLocalNumber } from '../number.ts'
import { parseAreaText, toSquareMeters } from './area-units.ts'
import { isAreaPrice } from './guards/other-amounts.ts'
import type { EnergyRating, PricePeriod } from './page-listing.ts'
import { findPhrase, findWords, type Language, toPhrase } from './words/words.ts'

/** What is known of the page before its texts are read. */
export interface TextContext {
  url: string
  country: string | null
  /** True if an area without a unit is in square metres; null if unknown. */
  isMetric: boolean | null
  languages: readonly Language[]
}

export interface PriceText {
  amount: number
  currency: string | SharedSign | null
  period: PricePeriod | null
}

const textMax = 300
/** Signs that `parseMoney` does not know, with the codes that it knows. */
const signCodes: [RegExp, string][] = [
  [/kč|czk/gi, 'CZK'],
  [/₦|ngn/gi, 'NGN'],
  [/[₸〒]|\bтг\b|\bтенге/gi, 'KZT'],
  [/₽|\bруб\.?/gi, 'RUB'],
  [/\b(?:aed|dhs?)\b/gi, 'AED'],
  [/(?<![\p{L}])R(?=\s?\d)/gu, 'ZAR'],
  [/(?<![\p{L}])(?:MN|MXN|M\.N\.)(?=\s?\$?\s?\d)/gu, 'MXN'],
  [/\bft\b(?=$|\s*[/|])|\bhuf\b/gi, 'HUF'],
]
const extraCodes =
  /\b(CZK|NGN|KZT|RUB|AED|ZAR|MXN|HUF|ARS|CLP|COP|PEN|UYU|SEK|NOK|DKK|CAD|NZD|THB|BGN|RON|HRK|TRY)\b/
const rangePattern = new RegExp(
  `(${numberPattern})\\s*(?:€|EUR|£|\\$|zł|Kč)?\\s*(?:[-–—]|to|a|bis|à|tot|do)\\s*(?:€|EUR|£|\\$)?\\s*(${numberPattern})`,
  'iu',
)

/** The price in a short text, also with a currency that only its code names; null if it states none, or a range. */
export function parsePriceText(text: string, context: TextContext): PriceText | null {
  let known = text.slice(0, textMax)
  if (isAreaPrice(known)) return null
  for (const [pattern, code] of signCodes) known = known.replace(pattern, ` ${code} `)
  const code = extraCodes.exec(known)?.[1] ?? null
  // A code that `parseMoney` does not know is read as if it were euros.
  const money = parseMoney(code === null ? known : known.replaceAll(code, 'EUR'))
  if (money === null || money.amount <= 0) return null
  const currency = code ?? money.currency ?? money.sharedSign ?? null
  return { amount: money.amount, currency, period: money.period ?? findPeriod(known, context) }
}

/** The lowest and the highest price of a range (`200.000 - 250.000 €`), or null. */
export function parsePriceRange(text: string): { min: number; max: number } | null {
  const match = rangePattern.exec(text.slice(0, 100))
  // `1 - 2 million`: the first amount may be one or one million.
  if (match !== null && startsWithMultiplier(text.slice(match.index + match[0].length))) return null
  const [, low, high] = match ?? []
  const min = low === undefined ? null : parseLocalNumber(low)
  const max = high === undefined ? null : parseLocalNumber(high)
  return min === null || max === null || min < 50 || max <= min || max > min * 50 ? null : { min, max }
}

/** The period that follows an amount (`/mois`, `per week`, `mtl.`). */
function findPeriod(text: string, { languages }: TextContext): PricePeriod | null {
  const rest = text.slice(0, 120).replace(/^.*\d/s, '').slice(0, 40)
  const all = languages.includes('en') ? languages : [...languages, 'en' as const]
  const [first] = findWords('period', rest, all)
  return first !== undefined && first.index <= 3 ? first.value : null
}

/** The area of a value, in square metres. The label or the country may state the unit instead. */
export function parseAreaValue(text: string, labelUnit: string | null, context: TextContext): number | null {
  if (text.length > 80) return null
  const area = parseAreaText(text)
  if (area !== null) return area
  const digits = new RegExp(
    `^(?:ca\\.?|±|~|approx\\.?|aprox\\.?|circa)?\\s*(${numberPattern})\\s*$`,
    'iu',
  ).exec(text.trim())?.[1]
  const amount = digits === undefined ? null : parseLocalNumber(digits)
  if (amount === null) return null
  if (labelUnit !== null) return toSquareMeters(amount, labelUnit)
  return context.isMetric === true && amount >= 8 ? amount : null
}

/** A number of rooms (`3`, `3 doubles`, `2,5`, `2 (1 en suite)`), or null. */
export function parseCountValue(text: string): number | null {
  const match =
    /^(\d{1,2})(?:[.,](5|0))?(?![\d.,]|\s*(?:[x×%€$£]|m²|m2|sq|m\b|cm|st\b|nd\b|rd\b|th\b|min|km|\/|-\d))/i.exec(
      text.trim(),
    )
  if (match === null || text.length > 60) return null
  const count = Number(match[1]) + (match[2] === '5' ? 0.5 : 0)
  return count > 0 && count <= 60 ? count : null
}

/** The number of bedrooms or rooms that a typology states: `T3` (Portuguese), `3+kk`, `2+1` (Czech). */
export function parseTypology(text: string): { bedrooms?: number; rooms?: number } | null {
  const words = text.trim().toLowerCase()
  const bedrooms = /^[tv](\d{1,2})(?:\+\d)?$/.exec(words)?.[1]
  if (bedrooms !== undefined) return { bedrooms: Number(bedrooms) }
  const rooms = /(?:^|\s)(\d)\s?\+\s?(?:kk|[0-2])(?=$|[\s,])/.exec(words)?.[1]
  return rooms === undefined ? null : { rooms: Number(rooms) }
}

/** The only year in a short text, or null. */
export function parseYearValue(text: string): number | null {
  if (text.length > 40) return null
  const years = new Set(text.match(/(?<![\d.,])(?:1[5-9]\d\d|20[0-4]\d)(?![\d.,]\d|\d)/g))
  const [year] = years
  return years.size === 1 && !/\b(q[1-4]|\d)\s*[/.]\s*20(2[6-9]|[34])/i.test(text) ? Number(year) : null
}

const energyPattern =
  /^(?:[\p{L}]{2,14}\.?:? ){0,2}?([A-G])(?:\+{1,3}|[1-3])?(?=$|\s*[([,;:/|–-]|\s+\d|\s+kwh)|^[\d.,\s]+(?:kwh\S*\s*)?\(?([A-G])(?:\+{1,3}|[1-3])?\)?$/u

/** The energy rating of a value (`B3`, `A+`, `54 (E)`, `Klasse D`, `en trámite`), or null. */
export function parseEnergyValue(text: string, { languages }: TextContext): EnergyRating | null {
  if (text.length > 60) return null
  const match = energyPattern.exec(text.trim())
  const letter = match?.[1] ?? match?.[2]
  if (letter !== undefined) return letter as EnergyRating
  return findPhrase('energy', toPhrase(text), languages)
}

const phonePattern = /^\(?\+?[\d(][\d\s().\u00a0/-]{5,22}\d$/

/** A phone number as printed, or null. */
export function parsePhoneValue(text: string): string | null {
  const trimmed = text.trim().replace(/^(?:tel|phone|t|call|mobile)[.:\s]+/i, '')
  const digits = trimmed.replace(/\D/g, '')
  if (/^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/.test(trimmed)) return null
  return phonePattern.test(trimmed) && digits.length >= 7 && digits.length <= 15 && !/^(\d)\1+$/.test(digits)
    ? trimmed
    : null
}

const nameWordsMax = 8
const particles = new Set(
  'de del la las los el di da do dos das der den van von zu y e i und et and & of the le les d l en in a'.split(
    ' ',
  ),
)

/** True for the name of a person or company: most words begin with a capital letter, and no sentence does so. */
export function isProperName(text: string): boolean {
  if (text.length < 3 || text.length > 60 || /\d{3}|[?!@:€£$]|\.\.\.$|…$/.test(text)) return false
  const words = text.split(/[\s,()/|–-]+/).filter(word => /\p{L}/u.test(word))
  if (words.length === 0 || words.length > nameWordsMax || !/^\p{Lu}/u.test(text)) return false
  return words.every(word => /^[^\p{L}]*\p{Lu}/u.test(word) || particles.has(word))
}
