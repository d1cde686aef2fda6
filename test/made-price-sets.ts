/** Files of adverts and sales as publishers of price data make them, gaps included; the same each time, and nobody's. */
import { between, gaussian, pick, type Random, randomOf } from '../src/domain/random.ts'

export type MadeSet = 'es-barcelona-sale' | 'es-valencia-sale' | 'us-kingcounty-sale' | 'pl-cities-rent'

const columns = [
  ...['id', 'operation', 'propertyType', 'subtype', 'city', 'latitude', 'longitude', 'squareMeters'],
  ...['plotSquareMeters', 'bedrooms', 'bathrooms', 'condition', 'floor', 'yearBuilt', 'amenities', 'price'],
  'period',
] as const

export type PriceRow = Record<(typeof columns)[number], string>

interface Town {
  operation: 'sale' | 'rent'
  city: string
  latitude: number
  longitude: number
  pricePerSquareMeter: number
  amenities: string[]
  period(random: Random): string
  /** What differs from a flat in Spain. */
  rest(random: Random): Partial<PriceRow>
}

const twoDigits = (number: number) => String(number).padStart(2, '0')
const degrees = (number: number) => String(Number(number.toFixed(6)))
const spanishAmenities = [
  ...['lift', 'terrace', 'parking', 'pool', 'garden', 'airConditioning', 'storage', 'wardrobes', 'doorman'],
  ...['exterior', 'topFloor'],
]
const spanish = {
  operation: 'sale' as const,
  amenities: spanishAmenities,
  period: (random: Random) => `2018-Q${between(random, 1, 4)}`,
  rest: () => ({}),
}

const towns: Record<MadeSet, Town> = {
  'es-barcelona-sale': {
    ...spanish,
    city: 'barcelona',
    latitude: 41.4,
    longitude: 2.165,
    pricePerSquareMeter: 3900,
  },
  'es-valencia-sale': {
    ...spanish,
    city: 'valencia',
    latitude: 39.47,
    longitude: -0.375,
    pricePerSquareMeter: 1700,
  },
  'us-kingcounty-sale': {
    operation: 'sale',
    city: 'king county',
    latitude: 47.56,
    longitude: -122.2,
    pricePerSquareMeter: 2600,
    amenities: ['view', 'basement', 'waterfront', 'renovated'],
    period: random => `2014-${twoDigits(between(random, 5, 12))}-${twoDigits(between(random, 1, 28))}`,
    rest: random => ({
      subtype: 'house',
      plotSquareMeters: String(between(random, 300, 6000)),
      bathrooms: String(between(random, 4, 12) / 4),
      condition: 'good',
      floor: '',
      yearBuilt: String(between(random, 1905, 2010)),
    }),
  },
  'pl-cities-rent': {
    operation: 'rent',
    city: 'warszawa',
    latitude: 52.23,
    longitude: 21.01,
    pricePerSquareMeter: 75,
    amenities: ['lift', 'balcony', 'parking', 'security', 'storage'],
    period: random => `2024-${twoDigits(between(random, 1, 6))}`,
    rest: random => ({
      subtype: pick(random, ['blockOfFlats', 'tenement', 'apartmentBuilding', '']),
      bathrooms: '',
      condition: random() < 0.7 ? '' : 'good',
    }),
  },
}

/** So many rows of a set, each at a place of its own. */
export function madePriceRows(set: MadeSet, count: number): PriceRow[] {
  const random = randomOf(Object.keys(towns).indexOf(set), 2018)
  return Array.from({ length: count }, (_, at) => madeRow(towns[set], random, at))
}

function madeRow(town: Town, random: Random, at: number): PriceRow {
  const bedrooms = between(random, 0, 5)
  const squareMeters = 28 + 16 * bedrooms + between(random, 0, 60)
  const some = town.amenities.filter((_, nth) => random() < (nth === 0 ? 0.8 : 0.15))
  const price = squareMeters * town.pricePerSquareMeter * Math.exp(0.2 * gaussian(random))
  const step = price > 20_000 ? 1000 : 10
  return {
    id: `M${1_000_000_007 * (at + 1)}`,
    operation: town.operation,
    propertyType: 'homes',
    subtype: random() < 0.9 ? 'flat' : 'duplex',
    city: town.city,
    latitude: degrees(town.latitude + 0.06 * (random() - 0.5)),
    longitude: degrees(town.longitude + 0.08 * (random() - 0.5)),
    squareMeters: String(squareMeters),
    plotSquareMeters: '',
    bedrooms: String(bedrooms),
    bathrooms: String(random() < 0.01 ? 0 : between(random, 1, 3)),
    condition: pick(random, ['good', 'good', 'good', 'to_renovate', 'new']),
    floor: random() < 0.1 ? '' : String(between(random, -1, 9)),
    yearBuilt: random() < 0.05 ? '' : String(between(random, 1900, 2018)),
    amenities: random() < 0.05 ? '' : some.join(';'),
    price: String(Math.round(price / step) * step),
    period: town.period(random),
    ...town.rest(random),
  }
}

/** One heading, and a line for each row. */
export function priceCsv(rows: PriceRow[]): string {
  return [columns.join(','), ...rows.map(row => columns.map(name => row[name]).join(','))]
    .map(line => `${line}\n`)
    .join('')
}
