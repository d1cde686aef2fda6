/** Amounts, counts and places as the cells of a table have them. */
import { parseArea } from '../listing/area.ts'
import { parseMoney, type SharedSign } from '../listing/money.ts'
import { parseLocalNumber } from '../listing/number.ts'
import { parseCurrency } from '../listing/values.ts'
import { parseDetailLines } from '../listing/vocabulary.ts'
import { UnreadableValue } from './unreadable-value.ts'

const noPrice =
  /^(?:a\s)?(?:consultar|consultare|consulta|sob consulta|sota consulta|preguntar|poa|p\.o\.a\.?|price on (?:application|request)|on request|trattativa (?:riservata|privata)|su richiesta|prezzo su richiesta)\.?$/i
const numberPattern = 'Write a number, as 250000 or 250.000 €.'

export interface ParsedPrice {
  /** Major units. */
  amount: number
  /** ISO 4217, where the cell names it. */
  currency: string | null
  /** A sign that several currencies share. */
  sharedSign?: SharedSign
}

// What most cells have, told without the long way.
const plainPricePattern = /^(\d[\d.,]*)(?: ?(€|EUR))?$/

/** A price; null where the cell says that there is none to be read: `0`, `A consultar`. */
export function parsePrice(text: string): ParsedPrice | UnreadableValue | null {
  const plain = plainPricePattern.exec(text)
  const amount = plain === null ? null : parseLocalNumber(plain[1]!)
  if (amount !== null)
    return amount === 0 ? null : { amount, currency: plain?.[2] === undefined ? null : 'EUR' }
  if (noPrice.test(text)) return null
  if (/^[^\d]*-\s*\d/.test(text))
    return new UnreadableValue('PRICE_NEGATIVE', `A price cannot be below zero. ${numberPattern}`)
  const bareText = text.replace(/^\+/, '').replace(/\s*(?:€|eur|euros?)\s*\.?$/i, '')
  // A trailing code that the words of adverts do not have (`250000 BRL`).
  const money = parseMoney(text) ?? parseBareMoney(bareText === text ? text : `${bareText} €`)
  if (money === null) return new UnreadableValue('PRICE_INVALID', `This is no price. ${numberPattern}`)
  return money.amount === 0 ? null : money
}

function parseBareMoney(text: string): ParsedPrice | null {
  const [, digits = '', code = ''] = /^([\d.,'’\s]+?)\s*([A-Z]{3}|€)?$/.exec(text) ?? []
  const amount = parseLocalNumber(digits)
  return amount === null ? null : { amount, currency: parseCurrency(code) }
}

/** As the API has it. */
const areaMax = 10_000_000

/** Square metres (`86`, `86,5 m²`, `1.250 m2 const.`); null for `0`, which stands for "not known". */
export function parseAreaCell(text: string): number | UnreadableValue | null {
  const area = parseLocalNumber(text) ?? parseArea(text)
  if (area === 0) return null
  if (area !== null && area <= areaMax) return area
  return new UnreadableValue(
    'AREA_INVALID',
    'This is no area. Write square metres as a number, as 86 or 86,5.',
  )
}

/** A count of rooms, bedrooms or bathrooms: `3`, `3.0`, `3 hab.`, `2+1`, and for bedrooms `T2`. */
export function parseCount(text: string, of: 'rooms' | 'bedrooms' | 'bathrooms'): number | UnreadableValue {
  const plain = /^(\d{1,3})(?:[.,](0+|5))?$/.exec(text)
  if (plain) return Number(plain[1]) + (plain[2] === '5' ? 0.5 : 0)
  const sum = /^(\d{1,2})\s*\+\s*(\d)$/.exec(text)
  if (sum) return Number(sum[1]) + Number(sum[2])
  const facts = parseDetailLines([text])
  const count = facts[of] ?? facts.rooms ?? facts.bedrooms
  if (count !== undefined && (of !== 'bathrooms' || facts.bathrooms !== undefined)) return count
  // The word may be one that adverts do not use, or in another language than the heading: `2 dorm.`
  const wordedNumbers = /^(\d{1,2})\s+\p{L}+\.?$/u.exec(text)
  return wordedNumbers
    ? Number(wordedNumbers[1])
    : new UnreadableValue('COUNT_INVALID', 'This is no count. Write a number, as 3.')
}

/** Degrees, WGS 84, with either decimal sign. `limit`: 90 or 180. */
export function parseDegrees(text: string, limit: 90 | 180): number | UnreadableValue {
  const compact = text.replace(/\s*°$/, '')
  const degrees = /^[-+]?\d{1,3}(?:[.,]\d+)?$/.test(compact) ? Number(compact.replace(',', '.')) : Number.NaN
  return Math.abs(degrees) <= limit
    ? degrees
    : new UnreadableValue(
        'COORDINATE_INVALID',
        `This is no coordinate. Write degrees between -${limit} and ${limit}, as 41.3851.`,
      )
}

// Digits of a postcode, and how many of its first zeros a spreadsheet may have taken away.
const postcodePatterns: Record<string, { digits: number; zeros: number }> = {
  ES: { digits: 5, zeros: 1 },
  IT: { digits: 5, zeros: 2 },
  FR: { digits: 5, zeros: 1 },
  DE: { digits: 5, zeros: 1 },
}

/** Forms that none of those countries has: of Portugal, Poland, the Netherlands, Great Britain, Sweden, Ireland, Andorra, … */
const foreignPostcode =
  /^(?:\d{4}-\d{3}|\d{2}-\d{3}|\d{3} \d{2}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[\dW] ?[A-Z\d]{4}|AD ?\d{3}|(?!CP-?|E-?|D-?|F-?|I-?)[A-Z]{1,2}-\d{3,5})$/i

/**
 * A postcode of `country`: `8001` is 08001 in Spain, `1000001` is 1000-001 in Portugal. Elsewhere the text as it is, and so
 * is one that can only be of another country: `SW1A 1AA`.
 */
export function parsePostcode(text: string, country: string): string | UnreadableValue {
  if (foreignPostcode.test(text)) return text
  const form = postcodePatterns[country]
  const compact = text.replace(/[.,]0+$/, '')
  const digits = compact.replace(/^(?:CP|C\.P\.|CAP|[A-Z]-)\s*/i, '').replace(/[\s-]/g, '')
  if (country === 'PT') {
    const portuguese = /^(\d{4})(\d{3})?$/.exec(digits)
    if (portuguese) return portuguese[2] === undefined ? portuguese[1]! : `${portuguese[1]}-${portuguese[2]}`
  }
  if (
    form &&
    /^\d+$/.test(digits) &&
    digits.length <= form.digits &&
    digits.length >= form.digits - form.zeros
  )
    return digits.padStart(form.digits, '0')
  const isWithin = /(?<!\d)\d{4}-\d{3}(?!\d)|(?<!\d)\d{5}(?!\d)/.exec(form || country === 'PT' ? text : '')
  if (isWithin) return isWithin[0]
  return form || country === 'PT'
    ? new UnreadableValue('POSTCODE_INVALID', `This is no postcode of the country (${country}).`)
    : text
}
