/** A property is in the market once, even with several listings. */
import { describe, expect, test } from 'vitest'
import { day, makeListing, prepareMarket, toCounts } from '../../../test/stored-market.ts'
import type { SourceListing } from './market-listing.ts'

const { store, readProperties, readListings, readPriceHistory } = prepareMarket()

describe('the same property', () => {
  const flat = () => {
    const one = makeListing()
    return {
      one,
      other: makeListing({
        latitude: one.latitude! + 0.0005,
        source: 'portal_b',
        price: 295_000,
        seenAt: day(3),
      }),
    }
  }

  test('on another portal, or with another id, is stored once; the later listing wins', async () => {
    const { one, other } = flat()
    await store([one])
    expect(await toCounts(store([{ ...other, yearBuilt: 1950 }]))).toEqual([0, 0, 0, 1, 0])
    expect(await readProperties()).toMatchObject([
      { price: 295_000, year_built: 1950, latitude: other.latitude },
    ])
    expect(await readPriceHistory()).toEqual([
      [1, 300_000],
      [3, 295_000],
    ])
    expect(
      await toCounts(store([makeListing({ ...other, listingId: 'again', price: 296_000, seenAt: day(4) })])),
    ).toEqual([0, 0, 0, 1, 0])
    expect(await readListings()).toHaveLength(3)
  })

  test('is stored once within a batch as well', async () => {
    const { one, other } = flat()
    expect(await toCounts(store([one, other]))).toEqual([1, 0, 0, 1, 0])
    expect(await readPriceHistory()).toEqual([
      [1, 300_000],
      [3, 295_000],
    ])
  })

  test('with two listings of one price has it once in its history', async () => {
    const { one, other } = flat()
    await store([one, { ...other, price: one.price }])
    expect(await readPriceHistory()).toEqual([[1, 300_000]])
  })

  test('with listings of different prices keeps the price that changed last', async () => {
    const { one, other } = flat()
    await store([one, other])
    for (const dayNumber of [5, 6])
      for (const each of [one, other]) await store([{ ...each, seenAt: day(dayNumber) }])
    expect(await readProperties()).toMatchObject([
      { price: 295_000, last_seen_at: new Date('2026-10-06T12:00:00Z') },
    ])
    expect(await readPriceHistory()).toHaveLength(2)
  })

  test('has the price of an older listing in its history', async () => {
    const { one, other } = flat()
    await store([other])
    await store([{ ...one, yearBuilt: 1950, floor: 3 }])
    expect(await readProperties()).toMatchObject([
      {
        price: 295_000,
        year_built: 1950,
        latitude: other.latitude,
        first_seen_at: new Date('2026-10-01T12:00:00Z'),
      },
    ])
    expect(await readPriceHistory()).toEqual([
      [1, 300_000],
      [3, 295_000],
    ])
  })

  test('across the border of two areas is found', async () => {
    for (const edge of [
      { latitude: 0, longitude: 30 },
      { latitude: 45, longitude: 0 },
      { latitude: 10, longitude: 180 },
    ]) {
      const other = { latitude: edge.latitude - 0.0002, longitude: edge.longitude - 0.0002 }
      expect(await toCounts(store([makeListing(edge)]))).toEqual([1, 0, 0, 0, 0])
      expect(await toCounts(store([makeListing(other)]))).toEqual([0, 0, 0, 1, 0])
    }
    const west = { latitude: 10, longitude: -179.9998 }
    expect(await toCounts(store([makeListing(west)]))).toEqual([0, 0, 0, 1, 0])
  })

  test.each<[string, Partial<SourceListing>]>([
    ['for rent', { operation: 'rent', price: 299_000 }],
    ['of another kind', { propertyType: 'offices' }],
    ['in another currency', { currency: 'USD' }],
    ['that was sold', { priceBasis: 'closed' }],
  ])('is never merged with one %s', async (_what, overrides) => {
    const one = makeListing()
    await store([one])
    expect(await toCounts(store([{ ...one, listingId: 'other', ...overrides }]))).toEqual([1, 0, 0, 0, 0])
  })

  test('that was sold twice is stored as two sales', async () => {
    const sale = makeListing({ priceBasis: 'closed' })
    expect(await toCounts(store([sale, { ...sale, listingId: 'second' }]))).toEqual([2, 0, 0, 0, 0])
  })
})
