/** The values of a listing that the market stores, and the listings that it skips. */
import { describe, expect, test } from 'vitest'
import { makeListing } from '../../../test/make.ts'
import { propertyFeatures } from '../../domain/listing/features.ts'
import { toAmenities } from '../../domain/valuation/property.ts'
import { type SkipReason, type SourceListing, toMarketListing, toSourceListing } from './market-listing.ts'

const seenAt = Temporal.Instant.from('2026-11-01T00:00:00Z')
const from = { source: 'portal_a', listingId: '1', seenAt }
const makeSourceListing = (overrides: Partial<SourceListing> = {}): SourceListing => ({
  ...toSourceListing(makeListing(), from),
  ...overrides,
})

test('the figures of a listing are stored, but no text and nothing about people', () => {
  expect(toSourceListing(makeListing({ features: ['terrace', 'lift'] }), from)).toEqual({
    ...from,
    priceBasis: 'asking',
    operation: 'sale',
    propertyType: 'homes',
    currency: 'EUR',
    price: 300_000,
    latitude: 41.3917,
    longitude: 2.1611,
    squareMeters: 80,
    bedrooms: 3,
    bathrooms: 2,
    condition: 'good',
    floor: 3,
    amenities: 0b11,
    plotSquareMeters: null,
    yearBuilt: null,
    subtype: null,
  })
})

test('every feature of a listing is an amenity', () => {
  for (const feature of propertyFeatures) {
    const { amenities: set } = toSourceListing(makeListing({ features: [feature] }), from)
    expect(toAmenities(set!)).toEqual([feature])
  }
})

test.each([
  [3, 3],
  [0, 0],
  [-1, -1],
  [0.5, 0.5],
  [0.3, null],
  [null, null],
])('the floor %s is %s', (floor, expected) => {
  expect(toMarketListing(toSourceListing(makeListing({ floor }), from))).toMatchObject({ floor: expected })
})

test('without features the amenities are unknown', () => {
  expect(toSourceListing(makeListing({ features: [] }), from).amenities).toBeNull()
})

describe('a listing', () => {
  test.each<[SkipReason, Partial<SourceListing>[]]>([
    ['noMarket', [{ operation: null }, { propertyType: null }, { currency: null }, { currency: 'euro' }]],
    ['noPlace', [{ latitude: null }, { longitude: null }]],
    ['noArea', [{ squareMeters: null }]],
    ['noPrice', [{ price: null }]],
    [
      'implausiblePlace',
      [{ latitude: 91 }, { longitude: -180.1 }, { latitude: 0, longitude: 0 }, { latitude: Number.NaN }],
    ],
    [
      'implausibleArea',
      [{ squareMeters: 0 }, { squareMeters: 4 }, { squareMeters: 1e6 }, { squareMeters: -80 }],
    ],
    [
      'implausiblePrice',
      [
        { price: 0 },
        { price: 1 },
        { price: -1 },
        { price: 1e13 },
        { operation: 'rent', price: 9 },
        { price: Number.NaN },
      ],
    ],
    ['implausibleRooms', [{ bedrooms: 21 }, { bedrooms: -1 }]],
  ])('is skipped for %s', (reason, some) => {
    for (const overrides of some)
      expect([overrides, toMarketListing(makeSourceListing(overrides))]).toEqual([overrides, reason])
  })

  test('is stored with its plausible values', () => {
    const wild = {
      bathrooms: 99,
      floor: 900,
      yearBuilt: 20,
      plotSquareMeters: 0,
      subtype: 'Call Marta: 612 34 56 78',
    }
    expect(toMarketListing(makeSourceListing({ ...wild, price: 850.6, operation: 'rent' }))).toEqual({
      ...makeSourceListing(),
      bathrooms: null,
      floor: null,
      yearBuilt: null,
      plotSquareMeters: null,
      subtype: null,
      price: 851,
      operation: 'rent',
    })
    expect(toMarketListing(makeSourceListing({ bedrooms: 2.5, subtype: 'flat' }))).toMatchObject({
      bedrooms: null,
      subtype: 'flat',
    })
  })
})
