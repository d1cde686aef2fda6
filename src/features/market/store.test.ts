/** Storing listings in the market, once and repeatedly. */
import { describe, expect, test } from 'vitest'
import { day, makeListing, prepareMarket, toCounts } from '../../../test/stored-market.ts'
import { sql } from '../../kit/db/index.ts'
import { findComparables, hasPropertyNear, recordListingsSeen, storeMarketListings } from './service.ts'

const market = prepareMarket()
const { store, readProperties, readListings, readPriceHistory, readAll } = market

describe('a listing', () => {
  test('that is new becomes a property, with its facts', async () => {
    expect(
      await toCounts(
        store([makeListing({ amenities: 5, plotSquareMeters: 120, subtype: 'flat', yearBuilt: 1970 })]),
      ),
    ).toEqual([1, 0, 0, 0, 0])
    expect(await readProperties()).toMatchObject([
      {
        environment: 'live',
        operation: 'sale',
        property_type: 'homes',
        currency: 'EUR',
        price_basis: 'asking',
        square_meters: 80,
        plot_square_meters: 120,
        bedrooms: 3,
        bathrooms: 2,
        condition: 'good',
        floor: 3,
        year_built: 1970,
        subtype: 'flat',
        amenities: 5,
        first_seen_at: new Date('2026-10-01T12:00:00Z'),
        last_seen_at: new Date('2026-10-01T12:00:00Z'),
      },
    ])
    expect(await readPriceHistory()).toEqual([[1, 300_000]])
  })

  test('that is stored again unchanged changes nothing', async () => {
    const one = makeListing()
    await store([one])
    const before = await readAll()
    expect(await toCounts(store([one, one]))).toEqual([0, 0, 2, 0, 0])
    expect(await readAll()).toEqual(before)
  })

  test('that is seen again unchanged extends the period in which it was seen', async () => {
    const one = makeListing({ seenAt: day(5) })
    await store([one])
    for (const seenAt of [day(9), day(7), day(2)])
      expect(await toCounts(store([{ ...one, seenAt }]))).toEqual([0, 0, 1, 0, 0])
    const seen = {
      first_seen_at: new Date('2026-10-02T12:00:00Z'),
      last_seen_at: new Date('2026-10-09T12:00:00Z'),
    }
    expect(await readProperties()).toMatchObject([seen])
    expect(await readListings()).toMatchObject([seen])
    expect(await readPriceHistory()).toEqual([[5, 300_000]])
  })

  test('whose price changes has a history, with each price once', async () => {
    const one = makeListing()
    for (const [index, price] of [
      [1, 300_000],
      [3, 300_000],
      [4, 280_000],
      [6, 280_000],
      [8, 300_000],
    ] as const)
      await store([{ ...one, price, seenAt: day(index) }])
    expect(await readPriceHistory()).toEqual([
      [1, 300_000],
      [4, 280_000],
      [8, 300_000],
    ])
    expect(await readProperties()).toMatchObject([{ price: 300_000 }])
  })

  test('that changes updates its property; values that it no longer has are kept', async () => {
    const one = makeListing({ condition: null })
    await store([one])
    const later = {
      ...one,
      seenAt: day(2),
      condition: 'new',
      floor: null,
      squareMeters: 120,
      latitude: 40,
    } as const
    expect(await toCounts(store([later]))).toEqual([0, 1, 0, 0, 0])
    const [property] = await readProperties()
    expect(property).toMatchObject({ condition: 'new', floor: 3, square_meters: 120, latitude: 40 })
    expect(await readProperties()).toHaveLength(1)
  })

  test('older than the known version changes no fact and no price', async () => {
    const one = makeListing({ seenAt: day(5) })
    await store([one])
    await store([{ ...one, seenAt: day(1), price: 900_000, floor: 9 }])
    expect(await readProperties()).toMatchObject([{ price: 300_000, floor: 3 }])
  })

  test('that changes from sale to rent becomes another property', async () => {
    const one = makeListing()
    await store([one])
    expect(await toCounts(store([{ ...one, operation: 'rent', price: 900, seenAt: day(2) }]))).toEqual([
      1, 0, 0, 0, 0,
    ])
    expect((await readProperties()).map(({ operation, price }) => [operation, Number(price)])).toEqual([
      ['sale', 300_000],
      ['rent', 900],
    ])
    expect(await readListings()).toHaveLength(1)
  })

  test('that is invalid is reported with a reason; the others of its batch are stored', async () => {
    const { created, skipped } = await store([
      makeListing(),
      makeListing({ price: 1 }),
      makeListing({ latitude: null }),
      makeListing(),
    ])
    expect(created).toBe(2)
    expect(skipped).toEqual([
      { index: 1, reason: 'implausiblePrice' },
      { index: 2, reason: 'noPlace' },
    ])
  })

  test('twice in a batch is stored as in two batches', async () => {
    const one = makeListing()
    expect(await toCounts(store([one, { ...one, price: 290_000, seenAt: day(2) }]))).toEqual([1, 1, 0, 0, 0])
    expect(await readPriceHistory()).toEqual([
      [1, 300_000],
      [2, 290_000],
    ])
  })

  test('with characters in its id that PostgreSQL cannot store is stored, and recognised again', async () => {
    const one = makeListing({ listingId: 'a\0b\ud800' })
    expect(await toCounts(store([one]))).toEqual([1, 0, 0, 0, 0])
    expect(await toCounts(store([one]))).toEqual([0, 0, 1, 0, 0])
  })
})

describe('recordListingsSeen', () => {
  test('updates when a listing and its property were seen, and nothing else; it ignores unknown ones', async () => {
    const [one, two] = [makeListing(), makeListing()]
    await store([one, two])
    const seen = [one, makeListing()].map(({ source, listingId }) => ({ source, listingId, seenAt: day(9) }))
    await market.database.unscoped
      .transaction()
      .execute(tx => recordListingsSeen(tx, { environment: 'live', listings: seen }))
    const days = (await readProperties()).map(row => [
      row.first_seen_at.getUTCDate(),
      row.last_seen_at.getUTCDate(),
    ])
    expect(days).toEqual([
      [1, 9],
      [1, 1],
    ])
    expect((await readListings()).map(row => row.last_seen_at.getUTCDate()).sort()).toEqual([1, 9])
  })
})

test('environments are separate', async () => {
  const one = makeListing()
  expect(await toCounts(store([one], 'live'))).toEqual([1, 0, 0, 0, 0])
  expect(await toCounts(store([one], 'test'))).toEqual([1, 0, 0, 0, 0])
  expect(await toCounts(store([{ ...one, listingId: 'other' }], 'test'))).toEqual([0, 0, 0, 1, 0])
  expect((await readProperties()).map(row => row.environment).sort()).toEqual(['live', 'test'])
})

test('neither the id of a listing nor an unkeyed hash of it is stored', async () => {
  await store([makeListing({ listingId: '98765432' })])
  const stored = JSON.stringify(await readAll())
  expect(stored).not.toContain('98765432')
  const { rows } = await sql<{ key: Buffer }>`
    select substr(sha256(convert_to('market portal_a 98765432', 'UTF8')), 1, 16) as key`.execute(
    market.database.owner,
  )
  expect((await readListings())[0]!.listing_key).not.toEqual(rows[0]!.key)
})

test('without table statistics, a market is filled and searched while reading few of its properties', async () => {
  const makeListings = (count: number) => Array.from({ length: count }, () => makeListing())
  await store(makeListings(600))
  await sql`analyze market_properties`.execute(market.database.owner)
  await store(makeListings(600), 'test')
  const tuplesRead = await market.database.unscoped.transaction().execute(async tx => {
    await storeMarketListings(tx, { environment: 'test', listings: makeListings(100) })
    const place = { latitude: 45, longitude: 2 }
    await hasPropertyNear(tx, 'test', place, 1000)
    await findComparables(tx, {
      environment: 'test',
      operation: 'sale',
      propertyType: 'homes',
      currency: 'EUR',
      priceBasis: 'asking',
      ...place,
      squareMeters: 80,
      bedrooms: 3,
      area: { radiusKm: 50 },
      limit: 200,
    })
    const { rows } = await sql<{ tuplesRead: number }>`
      select sum(pg_stat_get_xact_tuples_returned(indexrelid))::int as "tuplesRead" from pg_index
      where indrelid = 'market_properties'::regclass`.execute(tx)
    return rows[0]!.tuplesRead
  })
  // With an index that does not separate places, it would be hundreds of thousands.
  expect(tuplesRead).toBeLessThan(20_000)
})
