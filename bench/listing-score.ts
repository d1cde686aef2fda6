/** Compares what a reader found on a page with what a careful person found (`*.expected.json`). */
import { metersBetween } from '../src/domain/geo.ts'
import type { Listing } from '../src/domain/listing/listing.ts'
import { parseTypeCode } from '../src/domain/listing/reader/codes.ts'
import type { ListingField, ListingValues } from '../src/domain/listing/reader/page-listing.ts'
import { emptyValues, toPhoneKey } from '../src/domain/listing/reader/reconcile.ts'
import { parseFeature } from '../src/domain/listing/vocabulary.ts'
import { toPlainWords } from '../src/domain/plain-words.ts'
import { findInventedFeatures } from './listing-features.ts'

export type Verdict = 'right' | 'wrong' | 'missing'
export interface FieldScore {
  field: string
  verdict: Verdict
  expected: unknown
  found: unknown
}

type Expected = Record<string, unknown>

/** A judged field: the names in the expected file, and how values are compared. */
interface Judge {
  field: ListingField
  names: string[]
  isEqual: (expected: unknown, found: unknown) => boolean
}

const squareMetersPerSquareFoot = 0.09290304
const judges: Judge[] = [
  { field: 'title', names: ['title'], isEqual: isSimilarText },
  { field: 'description', names: ['descriptionStart'], isEqual: isBeginning },
  { field: 'operation', names: ['operation'], isEqual: isSame },
  { field: 'subtype', names: ['propertyType'], isEqual: isSameType },
  ...exact(
    'price',
    'currency',
    'pricePeriod',
    'priceMin',
    'priceMax',
    'rooms',
    'bedrooms',
    'bathrooms',
    'floor',
    'yearBuilt',
    'country',
    'advertiserType',
    'condition',
    'status',
  ),
  { field: 'publishedAt', names: ['publishedAt'], isEqual: isSameDay },
  { field: 'updatedAt', names: ['updatedAt'], isEqual: isSameDay },
  { field: 'energyConsumptionKwhM2', names: ['energyConsumptionKwhM2'], isEqual: isNear },
  { field: 'emissionsKgM2', names: ['emissionsKgM2'], isEqual: isNear },
  { field: 'squareMeters', names: ['squareMeters', 'squareFeet'], isEqual: isNear },
  { field: 'usableSquareMeters', names: ['usableSquareMeters'], isEqual: isNear },
  { field: 'plotSquareMeters', names: ['plotSquareMeters', 'plotSquareFeet', 'plotAcres'], isEqual: isNear },
  {
    field: 'energyRating',
    names: ['energyClass'],
    isEqual: (expected, found) => String(expected)[0] === found,
  },
  {
    field: 'emissionsRating',
    names: ['emissionsClass'],
    isEqual: (expected, found) => String(expected)[0] === found,
  },
  { field: 'address', names: ['address'], isEqual: isSimilarText },
  { field: 'neighbourhood', names: ['neighbourhood'], isEqual: isSameText },
  { field: 'municipality', names: ['municipality'], isEqual: isSameText },
  { field: 'province', names: ['region'], isEqual: isSameText },
  {
    field: 'postcode',
    names: ['postalCode'],
    isEqual: (expected, found) => toKey(expected) === toKey(found),
  },
  { field: 'images', names: ['imageUrl'], isEqual: hasImage },
  { field: 'advertiserName', names: ['advertiserName'], isEqual: isSimilarText },
  {
    field: 'advertiserPhone',
    names: ['advertiserPhone'],
    isEqual: (expected, found) => toPhoneKey(String(expected)) === toPhoneKey(String(found)),
  },
  {
    field: 'reference',
    names: ['reference'],
    isEqual: (expected, found) => toKey(expected) === toKey(found),
  },
]

function exact(...fields: ListingField[]): Judge[] {
  return fields.map(field => ({ field, names: [field], isEqual: isSame }))
}

/**
 * The judged fields of a page. Fields that the page does not state, and that the reader left empty, are not in the
 * result; a value that the page does not state is wrong.
 */
export function scoreListing(expected: Expected, values: ListingValues | null, html: string): FieldScore[] {
  const scores: FieldScore[] = []
  for (const judge of judges) {
    const options = listOptions(expected, judge.names)
    const found = values === null ? null : values[judge.field]
    const isMissing = found === null || (Array.isArray(found) && found.length === 0)
    if (options === null || (isMissing && options.includes(null))) continue
    const isRight = !isMissing && options.some(option => option !== null && judge.isEqual(option, found))
    // A plot without a building has no living area, and a type that the reader cannot name has none.
    if (options.length === 0 && isMissing) continue
    scores.push({
      field: judge.field,
      verdict: isRight ? 'right' : isMissing ? 'missing' : 'wrong',
      expected: options,
      found,
    })
  }
  scorePoint(expected, values, scores)
  scoreFeatures(expected, values, html, scores)
  return scores
}

/** The accepted values; null if the field is not judged. Null among them: it may be left empty. */
function listOptions(expected: Expected, names: readonly string[]): unknown[] | null {
  const known = names.filter(name => Object.hasOwn(expected, name))
  if (known.length === 0) return null
  const options = known.flatMap(name => toOptions(expected[name]).map(option => convert(name, option)))
  // A page without a photograph that can be named may have photographs.
  if (names.includes('imageUrl') && options.every(option => option === null)) return null
  const stated = options.filter(option => option !== null)
  // Square feet replace missing square metres.
  return known.length > 1 && stated.length > 0 ? stated : options
}

function toOptions(value: unknown): unknown[] {
  const isChoice = typeof value === 'object' && value !== null && 'anyOf' in value
  return isChoice ? (value.anyOf as unknown[]) : [value]
}

function convert(name: string, option: unknown): unknown {
  if (option === 'auction') return null
  if (typeof option !== 'number') return option
  if (/Feet$/.test(name)) return option * squareMetersPerSquareFoot
  return name === 'plotAcres' ? option * 4046.8564 : option
}

function scorePoint(expected: Expected, values: ListingValues | null, scores: FieldScore[]): void {
  if (!Object.hasOwn(expected, 'latitude')) return
  const latitudes = toOptions(expected.latitude)
  const longitudes = toOptions(expected.longitude)
  const found =
    values !== null && values.latitude !== null && values.longitude !== null
      ? { latitude: values.latitude, longitude: values.longitude }
      : null
  if (found === null && latitudes.includes(null)) return
  const isRight = latitudes.some(
    (latitude, index) =>
      typeof latitude === 'number' &&
      typeof longitudes[index] === 'number' &&
      found !== null &&
      metersBetween({ latitude, longitude: longitudes[index] }, found) < 50,
  )
  const verdict = isRight ? 'right' : found === null ? 'missing' : 'wrong'
  scores.push({ field: 'point', verdict, expected: [latitudes, longitudes], found })
}

/**
 * Right if half of the labels are found, or half of the features that the labels name; wrong if one is invented.
 */
function scoreFeatures(
  expected: Expected,
  values: ListingValues | null,
  html: string,
  scores: FieldScore[],
): void {
  if (!Array.isArray(expected.features) || expected.features.length === 0) return
  const labels = expected.features.map(String)
  const printed = (values?.featureLabels ?? []).map(toKey)
  const isFound = (label: string) =>
    printed.some(text => text.includes(toKey(label)) || (text.length > 4 && toKey(label).includes(text)))
  const named = new Set(labels.flatMap(label => parseFeature(label) ?? []))
  const foundCount = labels.filter(isFound).length
  const namedCount = [...named].filter(feature => values?.features.includes(feature)).length
  const isRight = foundCount * 2 >= labels.length || (named.size > 0 && namedCount * 2 >= named.size)
  const invented = findInventedFeatures(
    values?.features ?? [],
    { expected: labels, printed: values?.featureLabels ?? [] },
    html,
  )
  scores.push({
    field: 'features',
    verdict: invented.length > 0 ? 'wrong' : isRight ? 'right' : 'missing',
    expected: labels,
    found: invented.length > 0 ? invented : (values?.features ?? null),
  })
}

function isSame(expected: unknown, found: unknown): boolean {
  return expected === found
}

function isNear(expected: unknown, found: unknown): boolean {
  return (
    typeof expected === 'number' &&
    typeof found === 'number' &&
    Math.abs(expected - found) <= Math.max(0.6, expected * 0.01)
  )
}

/** Pages state a day, or a time without its zone. */
function isSameDay(expected: unknown, found: unknown): boolean {
  return Math.abs(Date.parse(String(found)) - Date.parse(String(expected))) <= 86_400_000
}

function isSameType(expected: unknown, found: unknown): boolean {
  const { subtype } = parseTypeCode(String(expected))
  return subtype === found
}

function toWords(text: unknown): string {
  return toPlainWords(String(text))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function toKey(text: unknown): string {
  return toWords(text).replaceAll(' ', '')
}

/** A part of a name is another place: Frankfurt is not Frankfurt am Main. The expected file lists other right forms. */
function isSameText(expected: unknown, found: unknown): boolean {
  return toKey(expected) === toKey(found)
}

/** Equal, or one contains the other: sites add their name, and addresses their town. */
function isSimilarText(expected: unknown, found: unknown): boolean {
  const [one, other] = [toKey(expected), toKey(found)]
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= 3 && long.includes(short)
}

function isBeginning(expected: unknown, found: unknown): boolean {
  return toKey(found).slice(0, 600).includes(toKey(expected).slice(0, 60))
}

/** The same photograph in any size: a part of the path with a digit is equal, or a long number in it. */
function hasImage(expected: unknown, found: unknown): boolean {
  const ids = new Set(toImageIds(String(expected)))
  const isSamePhoto = (url: string) => url === expected || toImageIds(url).some(id => ids.has(id))
  return Array.isArray(found) && found.some(url => isSamePhoto(String(url)))
}

function toImageIds(url: string): string[] {
  const path = url.replace(/[?#].*$/, '').replace(/^https?:\/\/[^/]+\//, '')
  const parts = path.split('/').map(part =>
    part
      .replace(/\.(?:jpe?g|png|webp)$/i, '')
      .replace(/[-_]?\d{2,4}x\d{2,4}/, '')
      .replace(/[-_](?:[a-z]|[a-z]+_ft_\d+|[a-z]_[a-z])$/, ''),
  )
  const numbers = path.match(/\d{8,}/g) ?? []
  return [...parts.filter(part => part.length >= 7 && /\d/.test(part)), ...numbers]
}

/** The values of the quick parser, in the form of the reader. */
export function toListingValues({ contact, url: _, ...listing }: Listing): ListingValues {
  return {
    ...emptyValues(),
    ...listing,
    advertiserName: contact.name,
    advertiserPhone: contact.phoneRaw,
    advertiserType: contact.advertiserType,
  }
}
