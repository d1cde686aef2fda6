/** Converts the value of a label to candidates: the label states the meaning, and the value must have its form. */
import { parseDay } from '../dates.ts'
import { floorTextLengthMax, parseFloor } from '../floor.ts'
import { parseInstant } from '../values.ts'
import { parseAddressLine } from './address-line.ts'
import { toIsoCountry } from './countries.ts'
import type { Candidate, ListingField, ListingValues } from './page-listing.ts'
import {
  isProperName,
  parseAreaValue,
  parseCountValue,
  parseEnergyValue,
  parsePhoneValue,
  parsePriceRange,
  parsePriceText,
  parseTypology,
  parseYearValue,
  type TextContext,
} from './text-values.ts'
import type { LabelMeaning } from './words/language-words.ts'
import {
  allLanguages,
  findWords,
  type Label,
  parseHeading,
  parseLabel,
  type WordKind,
} from './words/words.ts'

type Found = Partial<{ [Field in ListingField]: NonNullable<ListingValues[Field]> }>
type Parser = (text: string, context: TextContext, unit: string | null) => Found | null

const shortMax = 60

const toArea =
  (field: 'squareMeters' | 'usableSquareMeters' | 'plotSquareMeters'): Parser =>
  (text, context, unit) => {
    const area = parseAreaValue(text, unit, context)
    return area === null ? null : { [field]: area }
  }
const toCount =
  (field: 'rooms' | 'bedrooms' | 'bathrooms'): Parser =>
  text => {
    const count = parseCountValue(text)
    return count === null ? null : { [field]: count }
  }
const toName =
  (field: 'neighbourhood' | 'municipality' | 'province'): Parser =>
  (text, { country }) => {
    const line = parseAddressLine(text, country)
    if (line?.municipality !== undefined && field === 'municipality')
      return {
        municipality: line.municipality,
        ...(line.postcode !== undefined && { postcode: line.postcode }),
      }
    return isName(text) && isPlaceName(text) ? { [field]: text.replace(/\s*\(.*\)$/, '') } : null
  }
const toDate =
  (field: 'publishedAt' | 'updatedAt'): Parser =>
  text => {
    const instant =
      parseInstant(text) ?? parseDay(text)?.toZonedDateTime('UTC').toInstant().toString() ?? null
    return instant === null ? null : { [field]: new Date(instant).toISOString() }
  }

/** Short values are also read in other languages than that of the page: programs translate only some of their words. */
function findValues<Kind extends WordKind>(kind: Kind, text: string, { languages }: TextContext) {
  if (text.length > shortMax) return []
  const found = findWords(kind, text, languages)
  return found.length > 0 ? found : findWords(kind, text, allLanguages)
}

/** The value of a word kind, if all statements of the text agree. */
function findOnly<Value>(found: readonly { value: Value }[]): Value | null {
  const values = new Set(found.map(({ value }) => value))
  return values.size === 1 ? found[0]!.value : null
}

const parsers: Record<LabelMeaning, Parser> = {
  price: (text, context) => {
    const range = parsePriceRange(text)
    if (range !== null) return { priceMin: range.min, priceMax: range.max }
    const price = parsePriceText(text, context)
    if (price === null || text.length > 120 || (price.currency === null && price.amount < 100)) return null
    return {
      price: price.amount,
      ...(price.currency !== null && { currency: price.currency }),
      ...(price.period !== null && { pricePeriod: price.period }),
    }
  },
  coldRent: (text, context) => {
    const found = parsers.price(text, context, null)
    return found === null ? null : { operation: 'rent', pricePeriod: 'month', ...found }
  },
  warmRent: (text, context) => parsers.coldRent(text, context, null),
  otherAmount: () => null,
  area: toArea('squareMeters'),
  usableArea: toArea('usableSquareMeters'),
  totalArea: toArea('squareMeters'),
  plotArea: toArea('plotSquareMeters'),
  otherArea: () => null,
  rooms: toCount('rooms'),
  bedrooms: toCount('bedrooms'),
  bathrooms: toCount('bathrooms'),
  typology: text => parseTypology(text),
  floor: text => {
    if (text.length > shortMax) return null
    const floor = parseFloor(text)
    return floor === null ? null : { floor, floorText: text.slice(0, floorTextLengthMax) }
  },
  otherCount: () => null,
  yearBuilt: text => {
    const year = parseYearValue(text)
    return year === null ? null : { yearBuilt: year }
  },
  condition: (text, context) => {
    // `New construction: no`
    if (text.includes(':')) return null
    const condition = findOnly(findValues('condition', text, context))
    return condition === null ? null : { condition }
  },
  energyRating: (text, context) => {
    const rating = parseEnergyValue(text, context)
    return rating === null ? null : { energyRating: rating }
  },
  emissionsRating: (text, context) => {
    const rating = parseEnergyValue(text, context)
    return rating === null ? null : { emissionsRating: rating }
  },
  operation: (text, context) => {
    const operation = findOnly(findValues('operation', text, context))
    return operation === null ? null : { operation }
  },
  type: (text, context) => {
    const [first] = findValues('subtype', text, context)
    return first === undefined ? null : { subtype: first.value }
  },
  status: (text, context) => {
    const [first] = findValues('status', text, context)
    return first === undefined || first.index > 1 ? null : { status: first.value }
  },
  reference: text =>
    text.length <= 40 &&
    /\d/.test(text) &&
    text.split(' ').length <= 3 &&
    !/[€$£]|\d{1,2}[./]\d{1,2}[./]\d{2,4}/.test(text)
      ? { reference: text.replace(/^#\s*/, '') }
      : null,
  publishedAt: toDate('publishedAt'),
  updatedAt: toDate('updatedAt'),
  advertiserName: text => (isProperName(text) && !isKnownWord(text) ? { advertiserName: text } : null),
  advertiserPhone: text => {
    const phone = parsePhoneValue(text)
    return phone === null ? null : { advertiserPhone: phone }
  },
  advertiserType: (text, context) => {
    const [first] = findValues('advertiserType', text, context)
    return first === undefined ? null : { advertiserType: first.value }
  },
  address: (text, { country }) => {
    if (text.length > 140 || text.length < 4 || !/\p{L}{3}/u.test(text) || isKnownWord(text)) return null
    // `ID: 4711` is another label with its value.
    if (!isPlaceName(text) || /[?!]$|^\P{L}*[\p{L} ]{2,20}:/u.test(text)) return null
    const line = parseAddressLine(text, country)
    return line === null ? { address: text } : line
  },
  neighbourhood: toName('neighbourhood'),
  municipality: toName('municipality'),
  province: toName('province'),
  postcode: text => (/^[A-Z\d][A-Z\d -]{2,9}$/.test(text) && /\d/.test(text) ? { postcode: text } : null),
  country: text => {
    const country = toIsoCountry(text)
    return country === null ? null : { country }
  },
  location: (text, { country }) => parseAddressLine(text, country),
}

/** Meanings whose values are less certain than those of an exact label. */
const certainty: Partial<Record<LabelMeaning, number>> = {
  warmRent: 0.45,
  totalArea: 0.6,
  advertiserName: 0.7,
  status: 0.7,
  location: 0.8,
  province: 0.5,
}

/** The advertiser's own number, beside the portal's. */
const externalPattern = /anbieter|extern|agen|intern|cliente|kunde|makler/i

function isName(text: string): boolean {
  return (
    text.length >= 2 &&
    text.length <= shortMax &&
    /\p{L}{2}/u.test(text) &&
    !/\d{3}|[€$£:@]|https?/.test(text)
  )
}

/** No sentence: most of its longer words begin with a capital letter. */
function isPlaceName(text: string): boolean {
  const words = text.match(/[\p{L}'’]{4,}/gu) ?? []
  return words.length < 3 || words.filter(word => /^\p{Lu}/u.test(word)).length * 2 > words.length
}

function isKnownWord(text: string): boolean {
  return parseLabel(text) !== null || parseHeading(text) !== null
}

/** The candidates of a labelled value; null if the value fits no meaning of the label. */
export function toLabelledCandidates(
  label: Label,
  value: string,
  where: string,
  weight: number,
  context: TextContext,
): Candidate[] | null {
  const text = value.replace(/^[\s:;–-]+/, '').trim()
  if (text === '') return null
  for (const meaning of label.meanings) {
    const found = parsers[meaning](text, context, label.unit)
    if (found === null) continue
    if (meaning === 'advertiserName') {
      const [kind] = findValues('advertiserType', where, context)
      if (kind !== undefined) found.advertiserType = kind.value
    }
    const share = meaning === 'reference' && externalPattern.test(where) ? 0.35 : (certainty[meaning] ?? 1)
    return Object.entries(found).map(
      ([field, fieldValue]) =>
        ({
          field,
          value: fieldValue,
          source: 'pairs',
          where: where.slice(0, 60),
          weight: weight * share,
        }) as Candidate,
    )
  }
  return null
}
