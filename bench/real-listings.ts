/** Real listings (one per dwelling, according to the publishers), and relistings of some of them with noise. */
import { gunzipSync } from 'node:zlib'
import type { PropertyFacts } from '../src/domain/dedupe/property-facts.ts'
import { createRandom, type Random } from '../src/domain/random.ts'
import { type LabelledListing, moveLocation } from '../test/relisted-properties.ts'
import { assertShared, readSharedBytes } from '../test/shared.ts'

/**
 * Reads the listings of a set, which have no addresses, texts or photos. Phones are generated: a quarter of them are
 * private, the others belong to 300 agencies. Every fifth listing is repeated with a price of ±2.5 % and a place 30 to
 * 60 m away; half of the repetitions are by another agency.
 */
export function readRealListings(set: string): LabelledListing[] {
  assertShared()
  const text = gunzipSync(readSharedBytes(`data/${set}.reference.csv.gz`)).toString()
  const [header = '', ...lines] = text.trim().split('\n')
  const names = header.split(',')
  return lines.flatMap((line, index) => {
    const cells = line.split(',')
    const random = createRandom(index, 5)
    const facts = toPropertyFacts(new Map(names.map((name, column) => [name, cells[column] ?? ''])), random)
    const first = { facts, property: String(index), kind: 'first' }
    if (index % 5 !== 0) return [first]
    const price = roundPrice(facts.price! * (0.975 + 0.05 * random()))
    const relisted: PropertyFacts = { ...facts, ...moveLocation(facts, 60, random, 30), price }
    if (index % 10 === 0) return [first, { ...first, facts: relisted, kind: 'same phone' }]
    const other: PropertyFacts = { ...relisted, phone: makeAgencyPhone(random), advertiserType: 'agency' }
    return [first, { ...first, facts: other, kind: 'other agency' }]
  })
}

function toPropertyFacts(row: Map<string, string>, random: Random): PropertyFacts {
  const text = (name: string) => row.get(name) || null
  const number = (name: string) => (text(name) === null ? null : Number(text(name)))
  const isPrivate = random() < 0.25
  return {
    phone: isPrivate ? `+346${String(Math.floor(random() * 1e8)).padStart(8, '0')}` : makeAgencyPhone(random),
    advertiserType: isPrivate ? 'private' : 'agency',
    operation: text('operation'),
    propertyType: text('propertyType'),
    squareMeters: number('squareMeters'),
    price: number('price'),
    bedrooms: number('bedrooms'),
    bathrooms: number('bathrooms'),
    floor: number('floor'),
    latitude: number('latitude'),
    longitude: number('longitude'),
    address: null,
    municipality: text('city'),
    postcode: null,
    condition: text('condition'),
    features: text('amenities')?.split(';') ?? [],
  }
}

/** Rounds a sale price to thousands like the publisher, and a rent to tens like advertisers. */
function roundPrice(price: number): number {
  const step = price > 20_000 ? 1000 : 10
  return Math.round(price / step) * step
}

/** Large agencies have more listings. */
function makeAgencyPhone(random: Random): string {
  return `+3493${1_000_000 + Math.floor(random() ** 1.7 * 300)}`
}
