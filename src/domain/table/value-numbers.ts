/** Parses amounts, counts, coordinates and postcodes in cells of a table. */
import { parseArea } from '../listing/area.ts'
import { parseMoney, type SharedSign } from '../listing/money.ts'
import { parseLocalNumber } from '../listing/number.ts'
import { parseCurrency } from '../listing/values.ts'
import { parseDetailLines } from '../listing/vocabulary.ts'
import { UnreadableValue } from './unreadable-value.ts'

const noPrice =
  /^(?:a\s)?(?:consultar|consultare|consulta|sob consulta|sota consulta|preguntar|poa|p\.o\.a\.?|price on (?:application|request)|on request|trattativa (?:riservata|privata)|su richiesta|prezzo su richiesta)\.?$/i
const numberAdvice = 'Write a number, such as 250000 or 250.000 €.'

export interface ParsedPrice {
  /** Major units. */
  amount: number
  /** ISO 4217, if the cell states it. */
  currency: string | null
  /** A sign that several currencies share. */
  sharedSign?: SharedSign
}

// Fast path for most cells.
const plainPricePattern = /^(\d[\d.,]*)(?: ?(€|EUR))?$/

/** Parses a price; null if the cell states that there is none: `0`, `A consultar`. */
export function parsePrice(text: string): ParsedPrice | UnreadableValue | null {
  const plain = plainPricePattern.exec(text)
  const amount = plain === null ? null : parseLocalNumber(plain[1]!)
  if (amount !== null)
    return amount === 0 ? null : { amount, currency: plain?.[2] === undefined ? null : 'EUR' }
  if (noPrice.test(text)) return null
  if (/^[^\d]*-\s*\d/.test(text))
    return new UnreadableValue('PRICE_NEGATIVE', `A price cannot be below zero. ${numberAdvice}`)
  const bareText = text.replace(/^\+/, '').replace(/\s*(?:€|eur|euros?)\s*\.?$/i, '')
  // A trailing currency code that listings do not use (`250000 BRL`).
  const money = parseMoney(text) ?? parseBareMoney(bareText === text ? text : `${bareText} €`)
  if (money === null) return new UnreadableValue('PRICE_INVALID', `This is not a price. ${numberAdvice}`)
  return money.amount === 0 ? null : money
}

function parseBareMoney(text: string): ParsedPrice | null {
  const [, digits = '', code = ''] = /^([\d.,'’\s]+?)\s*([A-Z]{3}|€)?$/.exec(text) ?? []
  const amount = parseLocalNumber(digits)
  return amount === null ? null : { amount, currency: parseCurrency(code) }
}

/** The maximum of the API. */
const areaMax = 10_000_000

/** Square metres (`86`, `86,5 m²`, `1.250 m2 const.`); null for `0`, which means "unknown". */
export function parseAreaCell(text: string): number | UnreadableValue | null {
  const area = parseLocalNumber(text) ?? parseArea(text)
  if (area === 0) return null
  if (area !== null && area <= areaMax) return area
  return new UnreadableValue(
    'AREA_INVALID',
    'This is not an area. Write square metres as a number, such as 86 or 86,5.',
  )
}

/** A number of rooms, bedrooms or bathrooms: `3`, `3.0`, `3 hab.`, `2+1`, and for bedrooms `T2`. */
export function parseCount(text: string, kind: 'rooms' | 'bedrooms' | 'bathrooms'): number | UnreadableValue {
  const plain = /^(\d{1,3})(?:[.,](0+|5))?$/.exec(text)
  if (plain) return Number(plain[1]) + (plain[2] === '5' ? 0.5 : 0)
  const sum = /^(\d{1,2})\s*\+\s*(\d)$/.exec(text)
  if (sum) return Number(sum[1]) + Number(sum[2])
  const facts = parseDetailLines([text])
  const count = facts[kind] ?? facts.rooms ?? facts.bedrooms
  if (count !== undefined && (kind !== 'bathrooms' || facts.bathrooms !== undefined)) return count
  // The word may be unusual, or in another language than the heading: `2 dorm.`
  const countWithUnit = /^(\d{1,2})\s+\p{L}+\.?$/u.exec(text)
  return countWithUnit
    ? Number(countWithUnit[1])
    : new UnreadableValue('COUNT_INVALID', 'This is not a count. Write a number, such as 3.')
}

/** Degrees, WGS 84, with either decimal separator. `limit`: 90 or 180. */
export function parseDegrees(text: string, limit: 90 | 180): number | UnreadableValue {
  const compact = text.replace(/\s*°$/, '')
  const degrees = /^[-+]?\d{1,3}(?:[.,]\d+)?$/.test(compact) ? Number(compact.replace(',', '.')) : Number.NaN
  return Math.abs(degrees) <= limit
    ? degrees
    : new UnreadableValue(
        'COORDINATE_INVALID',
        `This is not a coordinate. Write degrees between -${limit} and ${limit}, such as 41.3851.`,
      )
}

// Number of digits, and how many leading zeros a spreadsheet may have removed.
const postcodePatterns: Record<string, { digits: number; zeros: number }> = {
  ES: { digits: 5, zeros: 1 },
  IT: { digits: 5, zeros: 2 },
  FR: { digits: 5, zeros: 1 },
  DE: { digits: 5, zeros: 1 },
}

/**
 * Forms that none of these countries use: those of Portugal, Poland, the Netherlands, Great Britain, Sweden, Ireland, …
 */
const foreignPostcode =
  /^(?:\d{4}-\d{3}|\d{2}-\d{3}|\d{3} \d{2}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[\dW] ?[A-Z\d]{4}|AD ?\d{3}|(?!CP-?|E-?|D-?|F-?|I-?)[A-Z]{1,2}-\d{3,5})$/i

/**
 * A postcode of `country`: `8001` is 08001 in Spain, `1000001` is 1000-001 in Portugal. The text is returned
 * unchanged if the country is none of these, or if only another country uses its form: `SW1A 1AA`.
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
  const inner = /(?<!\d)\d{4}-\d{3}(?!\d)|(?<!\d)\d{5}(?!\d)/.exec(form || country === 'PT' ? text : '')
  if (inner) return inner[0]
  return form || country === 'PT'
    ? new UnreadableValue('POSTCODE_INVALID', `This is not a postcode of the country (${country}).`)
    : text
}
