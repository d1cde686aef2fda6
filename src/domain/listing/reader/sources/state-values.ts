/** Converts the values of embedded data to values of the reader's fields. */
import { toPlainWords } from '../../../plain-words.ts'
import { parseFloor } from '../../floor.ts'
import { parseMoney, parseSharedSign, startsWithMultiplier } from '../../money.ts'
import { parseLocalNumber } from '../../number.ts'
import { parseInstant, toMultilineText, toSingleLine } from '../../values.ts'
import { parseFeature } from '../../vocabulary.ts'
import { parseAreaText, toSquareMeters } from '../area-units.ts'
import {
  parseConditionCode,
  parseEnergyCode,
  parseOperationCode,
  parseStatusCode,
  parseTypeCode,
} from '../codes.ts'
import { toIsoCountry } from '../countries.ts'
import { type EnergyQuantity, findOnlyQuantity } from '../energy-values.ts'
import { isAboutLoans, isAreaPrice } from '../guards/other-amounts.ts'
import type { ListingValues } from '../page-listing.ts'
import type { StateKind } from './state-key-words.ts'

type Found = Partial<{ [Field in keyof ListingValues]: NonNullable<ListingValues[Field]> }>
type Scalar = string | number | boolean

/** `unit` is the text of a unit beside the value; `isMetric` says what a number without a unit means, if known. */
export interface ValueContext {
  unit: string | null
  isMetric: boolean | null
}

type Reader = (value: Scalar, context: ValueContext) => Found

const priceMax = 1e11
const lineMax = 300

const readers: Record<Exclude<StateKind, 'point' | 'images'>, Reader> = {
  title: value => text('title', value, lineMax),
  description: value =>
    typeof value === 'string' && value.length > 30
      ? pick('description', toMultilineText(value.slice(0, 20_000)))
      : {},
  operation: value => pick('operation', parseOperationCode(String(value))),
  type: value => ({
    ...parseTypeCode(String(value)),
    ...pick('operation', parseOperationCode(String(value))),
  }),
  price: readPrice,
  currency: value => pick('currency', readCurrency(value)),
  period: value => pick('pricePeriod', readPeriod(value)),
  priceMin: value => pick('priceMin', readAmount(value)),
  priceMax: value => pick('priceMax', readAmount(value)),
  area: (value, context) => pick('squareMeters', readArea(value, context)),
  areaFeet: value => pick('squareMeters', readArea(value, { unit: 'sqft', isMetric: false })),
  usableArea: (value, context) => pick('usableSquareMeters', readArea(value, context)),
  plotArea: (value, context) => pick('plotSquareMeters', readArea(value, context)),
  plotFeet: value => pick('plotSquareMeters', readArea(value, { unit: 'sqft', isMetric: false })),
  plotAcres: value => pick('plotSquareMeters', readArea(value, { unit: 'acres', isMetric: false })),
  rooms: value => pick('rooms', readCount(value)),
  bedrooms: value => pick('bedrooms', readCount(value)),
  bathrooms: value => pick('bathrooms', readCount(value)),
  floor: readFloor,
  year: value => pick('yearBuilt', readYear(value)),
  condition: value => pick('condition', parseConditionCode(String(value))),
  // Without a unit a number is the score of a certificate.
  energy: value => ({
    ...pick('energyRating', parseEnergyCode(String(value))),
    ...pick('energyConsumptionKwhM2', findOnlyQuantity(String(value), 'energyConsumptionKwhM2')),
  }),
  emissions: value => pick('emissionsRating', parseEnergyCode(String(value))),
  consumption: value => ({
    ...pick('energyConsumptionKwhM2', readQuantity('energyConsumptionKwhM2', value)),
    ...pick('energyRating', typeof value === 'string' ? parseEnergyCode(value) : null),
  }),
  emissionsAmount: value => pick('emissionsKgM2', readQuantity('emissionsKgM2', value)),
  features: value => readFeatures([value]),
  address: value => text('address', value, lineMax),
  street: value => text('address', value, lineMax),
  number: () => ({}),
  // `Avilés, Zona de` is a region.
  neighbourhood: value => (String(value).includes(',') ? {} : name('neighbourhood', value)),
  municipality: value => name('municipality', value),
  province: value => name('province', value),
  postcode: value => pick('postcode', readPostcode(value)),
  country: value => pick('country', toIsoCountry(String(value))),
  latitude: () => ({}),
  longitude: () => ({}),
  // Not an e-mail address or an id.
  advertiserName: value =>
    /@|\d{4}|^\P{Lu}+$|^.{1,2}$/u.test(String(value)) ? {} : text('advertiserName', value, 120),
  phone: value => pick('advertiserPhone', readPhone(value)),
  advertiserType: readAdvertiserType,
  status: value => ({
    ...pick('status', parseStatusCode(String(value))),
    ...pick('operation', parseOperationCode(String(value))),
  }),
  reference: value => pick('reference', readReference(value)),
  publishedAt: value => pick('publishedAt', readInstant(value)),
  updatedAt: value => pick('updatedAt', readInstant(value)),
}

/** The fields that a scalar of this kind states; {} if it is none of the usual forms. */
export function readStateValue(kind: StateKind, value: Scalar, context: ValueContext): Found {
  return kind === 'point' || kind === 'images' ? {} : readers[kind](value, context)
}

export function readFeatures(labels: readonly unknown[]): Found {
  const printed = labels.flatMap(label =>
    typeof label === 'string' ? splitLabels(toSingleLine(label.slice(0, lineMax)) ?? '') : [],
  )
  if (printed.length === 0) return {}
  const features = new Set(printed.flatMap(label => parseFeature(label) ?? []))
  return { featureLabels: printed, ...(features.size > 0 && { features: [...features] }) }
}

/** `pool,garden,lift` */
function splitLabels(line: string): string[] {
  const parts = line.split(/[,;|]/).map(part => part.trim())
  return parts.length >= 3 && parts.every(part => part.length <= 30)
    ? parts.filter(part => part !== '')
    : line === ''
      ? []
      : [line]
}

/** The feature that a key with the value true names: `hasSecureAccessAlarm`. */
export function readFeatureKey(key: string): Found {
  const words = /^(?:has|is|with)_?([A-Z_a-z]{3,40})$/
    .exec(key)?.[1]
    ?.replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
  const feature = words === undefined ? null : parseFeature(words)
  return feature === null ? {} : { features: [feature] }
}

function pick<Field extends keyof ListingValues>(field: Field, value: ListingValues[Field]): Found {
  return value === null ? {} : ({ [field]: value } as Found)
}

function text(field: 'title' | 'address' | 'advertiserName', value: Scalar, lengthMax: number): Found {
  const line = typeof value === 'string' && value.length <= lengthMax ? toSingleLine(value) : null
  return line === null || !/\p{L}/u.test(line) || /^(?:null|https?:.*|\{.*)$|undefined/i.test(line)
    ? {}
    : pick(field, line)
}

/** Place names are short and have no digits at their beginning. */
function name(field: 'neighbourhood' | 'municipality' | 'province', value: Scalar): Found {
  const line = typeof value === 'string' && value.length <= 80 ? toSingleLine(value) : null
  const isName =
    line !== null &&
    /^\p{L}/u.test(line) &&
    line.length > 1 &&
    !/^(?:null|https?:.*|[A-Z_]{4,}|[A-Z]{2}-[A-Z]{2,})$/.test(line) &&
    !/undefined/.test(line)
  return isName ? pick(field, line) : {}
}

/** A large number without a unit is that of the whole home. */
const quantityMax = 1000

function readQuantity(quantity: EnergyQuantity, value: Scalar): number | null {
  if (typeof value === 'boolean') return null
  if (typeof value === 'string' && /\p{L}/u.test(value)) return findOnlyQuantity(value, quantity)
  const amount = typeof value === 'number' ? value : parseLocalNumber(value)
  return amount !== null && amount > 0 && amount <= quantityMax ? amount : null
}

function readAmount(value: Scalar): number | null {
  const amount =
    typeof value === 'number'
      ? value
      : typeof value === 'string'
        ? /^\s*\d+(?:\.\d{1,2})?\s*$/.test(value)
          ? Number(value)
          : (parseMoney(value)?.amount ?? null)
        : null
  return amount !== null && amount > 1 && amount < priceMax ? amount : null
}

const rangePattern = /(\d[\d.,\s'’]*)\s*[€£$]?\s*[-–—]\s*[^\d]{0,4}(\d[\d.,\s'’]*)/

function readPrice(value: Scalar): Found {
  const line = typeof value === 'string' ? (toSingleLine(value.slice(0, lineMax)) ?? '') : ''
  if (isAreaPrice(line) || isAboutLoans(line)) return {}
  const range = rangePattern.exec(line)
  if (range) {
    if (startsWithMultiplier(line.slice(range.index + range[0].length))) return {}
    const [low, high] = [range[1]!, range[2]!].map(amount => parseLocalNumber(amount.trim()))
    return low && high && low < high ? { priceMin: low, priceMax: high } : {}
  }
  const amount = readAmount(typeof value === 'string' ? line : value)
  if (amount === null) return {}
  const money = parseMoney(line)
  return {
    price: amount,
    ...(money?.currency && { currency: money.currency }),
    ...(money?.sharedSign && { currency: money.sharedSign }),
    ...(money?.period && { pricePeriod: money.period }),
  }
}

function readCurrency(value: Scalar): string | null {
  if (typeof value !== 'string') return null
  const code = value.trim().toUpperCase()
  if (/^[A-Z]{3}$/.test(code)) return code === 'RUR' ? 'RUB' : code
  return (
    { '€': 'EUR', '£': 'GBP', R$: 'BRL', '₹': 'INR', ZŁ: 'PLN', KČ: 'CZK' }[code] ?? parseSharedSign(value)
  )
}

const monthPattern =
  /^(?:month(?:ly)?|pcm|per month|mes|mensual|mensile|mois|monat(?:lich)?|miesiac|maand|mon|p\/m)\b/

function readPeriod(value: Scalar): ListingValues['pricePeriod'] {
  const words = toPlainWords(String(value)).trim()
  if (monthPattern.test(words)) return 'month'
  if (/^(?:week(?:ly)?|pw|per week)\b/.test(words)) return 'week'
  if (/^(?:year(?:ly)?|annual(?:ly)?|pa|per (?:year|annum))\b/.test(words)) return 'year'
  return /^(?:day|daily|night|per (?:day|night))/.test(words) ? 'day' : null
}

function readArea(value: Scalar, { unit, isMetric }: ValueContext): number | null {
  if (typeof value === 'boolean') return null
  const written = typeof value === 'string' ? value : ''
  const amount =
    typeof value === 'number'
      ? value
      : /^\s*\d+(?:\.\d+)?\s*$/.test(value)
        ? Number(value)
        : parseLocalNumber(value)
  if (amount === null) return parseAreaText(written)
  if (!(amount > 0)) return null
  if (unit !== null) return toSquareMeters(amount, unit.replace(/_/g, ' '))
  return isMetric ? toSquareMeters(amount, 'm²') : null
}

function readCount(value: Scalar): number | null {
  if (typeof value === 'boolean') return null
  const full = /^\s*(\d{1,2}) full(?![\p{L}])/iu.exec(String(value))
  if (full) return Number(full[1])
  const match = /^\s*(\d{1,2}(?:[.,]\d)?)(?:\.0+)?\s*(?:\p{L}[\p{L}\s.]*)?$/u.exec(String(value))
  const count = match ? Number(match[1]!.replace(',', '.')) : null
  return count !== null && count > 0 && count < 100 ? count : null
}

/** The number 0 is that of a floor that is not stated as often as that of the ground floor. */
function readFloor(value: Scalar): Found {
  if (typeof value === 'boolean' || value === 0) return {}
  const line = toSingleLine(String(value).slice(0, 100))
  const floor = line === null ? null : parseFloor(line)
  return floor === null ? {} : { floor, ...(typeof value === 'string' && { floorText: line! }) }
}

function readYear(value: Scalar): number | null {
  const year = /^\s*((?:1[5-9]|20)\d\d)(?:\.0)?\s*$/.exec(String(value))?.[1]
  return year === undefined || Number(year) > 2100 ? null : Number(year)
}

function readPostcode(value: Scalar): string | null {
  const code = typeof value === 'boolean' ? '' : String(value).trim()
  return /^(?=.*\d)[\dA-Za-z][\dA-Za-z -]{2,9}$/.test(code) ? code : null
}

function readPhone(value: Scalar): string | null {
  if (typeof value !== 'string' || value.length > 40) return null
  const line = toSingleLine(value.replace(/^tel:/i, ''))
  const digits = line?.replace(/\D/g, '').length ?? 0
  // A masked number is none.
  return line !== null && digits >= 7 && digits <= 15 && !/[x*]{2}|\.{2,}|…|[a-z]{4}/i.test(line)
    ? line
    : null
}

const agencyPattern =
  /agen[ct]|professional|broker|company|business|commercial|developer|inmobiliaria|makler|realtor|office/

function readAdvertiserType(value: Scalar): Found {
  const words = toPlainWords(String(value))
  if (/private|particular|privat|owner|proprietaire|privato|eigenaar|osoba/.test(words))
    return { advertiserType: 'private' }
  return agencyPattern.test(words) ? { advertiserType: 'agency' } : {}
}

function readReference(value: Scalar): string | null {
  const line = typeof value === 'boolean' ? null : toSingleLine(String(value).slice(0, 60))
  return line !== null && /\d/.test(line) && /^[\p{L}\p{N}][\p{L}\p{N} ./_#-]{2,39}$/u.test(line)
    ? line
    : null
}

function readInstant(value: Scalar): string | null {
  if (typeof value === 'number') {
    const ms = value < 1e11 ? value * 1000 : value
    return ms > 9e11 && ms < 4e12 ? new Date(ms).toISOString() : null
  }
  return parseInstant(typeof value === 'string' ? value.replace(/(\.\d{3})\d+/, '$1') : value)
}
