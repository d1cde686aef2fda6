/** Generates files in the formats of public price data, with gaps. Deterministic, without real data. */
import { createRandom, pickRandom, type Random, randomGaussian, randomInteger } from '../src/domain/random.ts'

export type SyntheticSet = 'es-barcelona-sale' | 'es-valencia-sale' | 'us-kingcounty-sale' | 'pl-cities-rent'

const columns = [
  'id',
  'operation',
  'propertyType',
  'subtype',
  'city',
  'latitude',
  'longitude',
  'squareMeters',
  'plotSquareMeters',
  'bedrooms',
  'bathrooms',
  'condition',
  'floor',
  'yearBuilt',
  'amenities',
  'price',
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
  /** Differences from a flat in Spain. */
  deviations(random: Random): Partial<PriceRow>
}

const twoDigits = (number: number) => String(number).padStart(2, '0')
const degrees = (number: number) => String(Number(number.toFixed(6)))
const spanishAmenities = [
  'lift',
  'terrace',
  'parking',
  'pool',
  'garden',
  'airConditioning',
  'storage',
  'wardrobes',
  'doorman',
  'exterior',
  'topFloor',
]
const spanish = {
  operation: 'sale' as const,
  amenities: spanishAmenities,
  period: (random: Random) => `2018-Q${randomInteger(random, 1, 4)}`,
  deviations: () => ({}),
}

const towns: Record<SyntheticSet, Town> = {
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
    period: random =>
      `2014-${twoDigits(randomInteger(random, 5, 12))}-${twoDigits(randomInteger(random, 1, 28))}`,
    deviations: random => ({
      subtype: 'house',
      plotSquareMeters: String(randomInteger(random, 300, 6000)),
      bathrooms: String(randomInteger(random, 4, 12) / 4),
      condition: 'good',
      floor: '',
      yearBuilt: String(randomInteger(random, 1905, 2010)),
    }),
  },
  'pl-cities-rent': {
    operation: 'rent',
    city: 'warszawa',
    latitude: 52.23,
    longitude: 21.01,
    pricePerSquareMeter: 75,
    amenities: ['lift', 'balcony', 'parking', 'security', 'storage'],
    period: random => `2024-${twoDigits(randomInteger(random, 1, 6))}`,
    deviations: random => ({
      subtype: pickRandom(random, ['blockOfFlats', 'tenement', 'apartmentBuilding', '']),
      bathrooms: '',
      condition: random() < 0.7 ? '' : 'good',
    }),
  },
}

/** Generates rows of a set, each at another place. */
export function makePriceRows(set: SyntheticSet, count: number): PriceRow[] {
  const random = createRandom(Object.keys(towns).indexOf(set), 2018)
  return Array.from({ length: count }, (_, index) => makeRow(towns[set], random, index))
}

function makeRow(town: Town, random: Random, index: number): PriceRow {
  const bedrooms = randomInteger(random, 0, 5)
  const squareMeters = 28 + 16 * bedrooms + randomInteger(random, 0, 60)
  const amenities = town.amenities.filter((_, nth) => random() < (nth === 0 ? 0.8 : 0.15))
  const price = squareMeters * town.pricePerSquareMeter * Math.exp(0.2 * randomGaussian(random))
  const step = price > 20_000 ? 1000 : 10
  return {
    id: `M${1_000_000_007 * (index + 1)}`,
    operation: town.operation,
    propertyType: 'homes',
    subtype: random() < 0.9 ? 'flat' : 'duplex',
    city: town.city,
    latitude: degrees(town.latitude + 0.06 * (random() - 0.5)),
    longitude: degrees(town.longitude + 0.08 * (random() - 0.5)),
    squareMeters: String(squareMeters),
    plotSquareMeters: '',
    bedrooms: String(bedrooms),
    bathrooms: String(random() < 0.01 ? 0 : randomInteger(random, 1, 3)),
    condition: pickRandom(random, ['good', 'good', 'good', 'to_renovate', 'new']),
    floor: random() < 0.1 ? '' : String(randomInteger(random, -1, 9)),
    yearBuilt: random() < 0.05 ? '' : String(randomInteger(random, 1900, 2018)),
    amenities: random() < 0.05 ? '' : amenities.join(';'),
    price: String(Math.round(price / step) * step),
    period: town.period(random),
    ...town.deviations(random),
  }
}

/** A header line, and one line per row. */
export function toPriceCsv(rows: PriceRow[]): string {
  return [columns.join(','), ...rows.map(row => columns.map(name => row[name]).join(','))]
    .map(line => `${line}\n`)
    .join('')
}
