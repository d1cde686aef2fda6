/** What becomes of adverts that are brought to the market: each property once, whoever brings it, and however often. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeDatabase, testEncryptionKey } from '../../../test/harness.ts'
import { type Database, type Environment, openDatabase, sql } from '../../kit/db/index.ts'
import { deriveHashPads } from '../../kit/identifier-hash.ts'
import type { OfferedAdvert } from './advert.ts'
import { keepMarketAdverts, type StoredAdverts, storeMarketAdverts } from './service.ts'

let database: Database
let url: string
beforeAll(async () => {
  url = await makeDatabase()
  database = open()
})
afterAll(() => database.close())
beforeEach(() => sql`truncate market_properties cascade`.execute(database.owner))

const open = () => openDatabase(url, { hashPads: deriveHashPads(testEncryptionKey), onError: () => {} })
const day = (number: number) => Temporal.Instant.from(`2026-10-${String(number).padStart(2, '0')}T12:00:00Z`)

let ids = 0
/** A flat of its own place unless told otherwise. */
function advert(overrides: Partial<OfferedAdvert> = {}): OfferedAdvert {
  ids += 1
  return {
    ...{
      source: 'portal_a',
      advertId: String(ids),
      priceBasis: 'asking',
      operation: 'sale',
      propertyType: 'homes',
    },
    ...{
      currency: 'EUR',
      latitude: 41 + ids / 100,
      longitude: 2,
      squareMeters: 80,
      plotSquareMeters: null,
      bedrooms: 3,
    },
    ...{
      bathrooms: 2,
      condition: 'good',
      floor: 3,
      yearBuilt: null,
      subtype: null,
      amenities: null,
      price: 300_000,
    },
    ...{ seenAt: day(1) },
    ...overrides,
  }
}

const store = (
  adverts: OfferedAdvert[],
  environment: Environment = 'live',
  at = database,
): Promise<StoredAdverts> =>
  at.outside.transaction().execute(tx => storeMarketAdverts(tx, { environment, adverts }))
const counts = async (stored: Promise<StoredAdverts>) => {
  const { created, updated, unchanged, joined, skipped } = await stored
  return [created, updated, unchanged, joined, skipped.length]
}
const properties = () =>
  database.owner
    .selectFrom('market_properties')
    .selectAll()
    .orderBy('latitude')
    .orderBy('price', 'desc')
    .execute()
const adverts = () => database.owner.selectFrom('market_adverts').selectAll().orderBy('advert_key').execute()
const history = async () => {
  const rows = await database.owner
    .selectFrom('market_prices')
    .select(['seen_at', 'price'])
    .orderBy('seen_at')
    .execute()
  return rows.map(({ seen_at, price }) => [seen_at.getUTCDate(), Number(price)])
}
/** All that is stored. */
const everything = async () => [await properties(), await adverts(), await history()]

describe('an advert', () => {
  test('that is new is a property, with its facts', async () => {
    expect(
      await counts(
        store([advert({ amenities: 5, plotSquareMeters: 120, subtype: 'flat', yearBuilt: 1970 })]),
      ),
    ).toEqual([1, 0, 0, 0, 0])
    expect(await properties()).toMatchObject([
      {
        ...{
          environment: 'live',
          operation: 'sale',
          property_type: 'homes',
          currency: 'EUR',
          price_basis: 'asking',
        },
        ...{
          square_meters: 80,
          plot_square_meters: 120,
          bedrooms: 3,
          bathrooms: 2,
          condition: 'good',
          floor: 3,
        },
        ...{ year_built: 1970, subtype: 'flat', amenities: 5 },
        ...{
          first_seen_at: new Date('2026-10-01T12:00:00Z'),
          last_seen_at: new Date('2026-10-01T12:00:00Z'),
        },
      },
    ])
    expect(await history()).toEqual([[1, 300_000]])
  })

  test('that is brought again as it was changes nothing', async () => {
    const one = advert()
    await store([one])
    const before = await everything()
    expect(await counts(store([one, one]))).toEqual([0, 0, 2, 0, 0])
    expect(await everything()).toEqual(before)
  })

  test('that is seen again as it was is seen, first and last', async () => {
    const one = advert({ seenAt: day(5) })
    await store([one])
    for (const seenAt of [day(9), day(7), day(2)])
      expect(await counts(store([{ ...one, seenAt }]))).toEqual([0, 0, 1, 0, 0])
    const seen = {
      first_seen_at: new Date('2026-10-02T12:00:00Z'),
      last_seen_at: new Date('2026-10-09T12:00:00Z'),
    }
    expect(await properties()).toMatchObject([seen])
    expect(await adverts()).toMatchObject([seen])
    expect(await history()).toEqual([[5, 300_000]])
  })

  test('whose price changes has a history, in which a price stands once', async () => {
    const one = advert()
    for (const [at, price] of [
      [1, 300_000],
      [3, 300_000],
      [4, 280_000],
      [6, 280_000],
      [8, 300_000],
    ] as const)
      await store([{ ...one, price, seenAt: day(at) }])
    expect(await history()).toEqual([
      [1, 300_000],
      [4, 280_000],
      [8, 300_000],
    ])
    expect(await properties()).toMatchObject([{ price: 300_000 }])
  })

  test('that says more, or something else, is believed; what it no longer says stays known', async () => {
    const one = advert({ condition: null })
    await store([one])
    const later = {
      ...one,
      seenAt: day(2),
      condition: 'new',
      floor: null,
      squareMeters: 120,
      latitude: 40,
    } as const
    expect(await counts(store([later]))).toEqual([0, 1, 0, 0, 0])
    const [property] = await properties()
    expect(property).toMatchObject({ condition: 'new', floor: 3, square_meters: 120, latitude: 40 })
    expect(await properties()).toHaveLength(1)
  })

  test('older than what is known changes no fact and no price', async () => {
    const one = advert({ seenAt: day(5) })
    await store([one])
    await store([{ ...one, seenAt: day(1), price: 900_000, floor: 9 }])
    expect(await properties()).toMatchObject([{ price: 300_000, floor: 3 }])
  })

  test('that was for sale and is for rent is another property to compare with', async () => {
    const one = advert()
    await store([one])
    expect(await counts(store([{ ...one, operation: 'rent', price: 900, seenAt: day(2) }]))).toEqual([
      1, 0, 0, 0, 0,
    ])
    expect((await properties()).map(({ operation, price }) => [operation, Number(price)])).toEqual([
      ['sale', 300_000],
      ['rent', 900],
    ])
    expect(await adverts()).toHaveLength(1)
  })

  test('that is not fit is told with the reason, and the others of its batch are stored', async () => {
    const { created, skipped } = await store([
      advert(),
      advert({ price: 1 }),
      advert({ latitude: null }),
      advert(),
    ])
    expect(created).toBe(2)
    expect(skipped).toEqual([
      { at: 1, reason: 'unlikelyPrice' },
      { at: 2, reason: 'noPlace' },
    ])
  })

  test('twice in a batch is stored as if one came after the other', async () => {
    const one = advert()
    expect(await counts(store([one, { ...one, price: 290_000, seenAt: day(2) }]))).toEqual([1, 1, 0, 0, 0])
    expect(await history()).toEqual([
      [1, 300_000],
      [2, 290_000],
    ])
  })

  test('with signs in its id that no database takes is stored, and known again', async () => {
    const one = advert({ advertId: 'a\0b\ud800' })
    expect(await counts(store([one]))).toEqual([1, 0, 0, 0, 0])
    expect(await counts(store([one]))).toEqual([0, 0, 1, 0, 0])
  })
})

describe('the same property', () => {
  const flat = () => {
    const one = advert()
    return {
      one,
      other: advert({ latitude: one.latitude! + 0.0005, source: 'portal_b', price: 295_000, seenAt: day(3) }),
    }
  }

  test('on another portal, or under another id, is one, of which the later advert is believed', async () => {
    const { one, other } = flat()
    await store([one])
    expect(await counts(store([{ ...other, yearBuilt: 1950 }]))).toEqual([0, 0, 0, 1, 0])
    expect(await properties()).toMatchObject([{ price: 295_000, year_built: 1950, latitude: other.latitude }])
    expect(await history()).toEqual([
      [1, 300_000],
      [3, 295_000],
    ])
    expect(
      await counts(store([advert({ ...other, advertId: 'again', price: 296_000, seenAt: day(4) })])),
    ).toEqual([0, 0, 0, 1, 0])
    expect(await adverts()).toHaveLength(3)
  })

  test('is one within a batch as well', async () => {
    const { one, other } = flat()
    expect(await counts(store([one, other]))).toEqual([1, 0, 0, 1, 0])
    expect(await history()).toEqual([
      [1, 300_000],
      [3, 295_000],
    ])
  })

  test('whose adverts ask the same price has it once in its history', async () => {
    const { one, other } = flat()
    await store([one, { ...other, price: one.price }])
    expect(await history()).toEqual([[1, 300_000]])
  })

  test('whose adverts ask different prices keeps that of the last change, whichever is seen', async () => {
    const { one, other } = flat()
    await store([one, other])
    for (const at of [5, 6]) for (const each of [one, other]) await store([{ ...each, seenAt: day(at) }])
    expect(await properties()).toMatchObject([
      { price: 295_000, last_seen_at: new Date('2026-10-06T12:00:00Z') },
    ])
    expect(await history()).toHaveLength(2)
  })

  test('of which an older advert comes to light was asked that before', async () => {
    const { one, other } = flat()
    await store([other])
    await store([{ ...one, yearBuilt: 1950, floor: 3 }])
    expect(await properties()).toMatchObject([
      {
        price: 295_000,
        year_built: 1950,
        latitude: other.latitude,
        first_seen_at: new Date('2026-10-01T12:00:00Z'),
      },
    ])
    expect(await history()).toEqual([
      [1, 300_000],
      [3, 295_000],
    ])
  })

  test('over the edge of two areas of the globe is found', async () => {
    for (const edge of [
      { latitude: 0, longitude: 30 },
      { latitude: 45, longitude: 0 },
      { latitude: 10, longitude: 180 },
    ]) {
      const other = { latitude: edge.latitude - 0.0002, longitude: edge.longitude - 0.0002 }
      expect(await counts(store([advert(edge)]))).toEqual([1, 0, 0, 0, 0])
      expect(await counts(store([advert(other)]))).toEqual([0, 0, 0, 1, 0])
    }
    const west = { latitude: 10, longitude: -179.9998 }
    expect(await counts(store([advert(west)]))).toEqual([0, 0, 0, 1, 0])
  })

  test.each<[string, Partial<OfferedAdvert>]>([
    ['for rent', { operation: 'rent', price: 299_000 }],
    ['of another kind', { propertyType: 'offices' }],
    ['in another currency', { currency: 'USD' }],
    ['that was sold, not offered', { priceBasis: 'closed' }],
  ])('is never one %s', async (_what, overrides) => {
    const one = advert()
    await store([one])
    expect(await counts(store([{ ...one, advertId: 'other', ...overrides }]))).toEqual([1, 0, 0, 0, 0])
  })

  test('sold twice is two sales', async () => {
    const sale = advert({ priceBasis: 'closed' })
    expect(await counts(store([sale, { ...sale, advertId: 'second' }]))).toEqual([2, 0, 0, 0, 0])
  })
})

describe('adverts that are kept', () => {
  test('are seen again, property and advert, and nothing else changes; unknown ones are passed over', async () => {
    const [one, two] = [advert(), advert()]
    await store([one, two])
    const seen = [one, advert()].map(({ source, advertId }) => ({ source, advertId, seenAt: day(9) }))
    await database.outside
      .transaction()
      .execute(tx => keepMarketAdverts(tx, { environment: 'live', adverts: seen }))
    const days = (await properties()).map(row => [
      row.first_seen_at.getUTCDate(),
      row.last_seen_at.getUTCDate(),
    ])
    expect(days).toEqual([
      [1, 9],
      [1, 1],
    ])
    expect((await adverts()).map(row => row.last_seen_at.getUTCDate()).sort()).toEqual([1, 9])
  })
})

test('environments know nothing of each other', async () => {
  const one = advert()
  expect(await counts(store([one], 'live'))).toEqual([1, 0, 0, 0, 0])
  expect(await counts(store([one], 'test'))).toEqual([1, 0, 0, 0, 0])
  expect(await counts(store([{ ...one, advertId: 'other' }], 'test'))).toEqual([0, 0, 0, 1, 0])
  expect((await properties()).map(row => row.environment).sort()).toEqual(['live', 'test'])
})

test('neither the id of an advert nor a print of it that anybody could make is stored', async () => {
  await store([advert({ advertId: '98765432' })])
  const stored = JSON.stringify(await everything())
  expect(stored).not.toContain('98765432')
  const { rows } = await sql<{ key: Buffer }>`
    select substr(sha256(convert_to('market portal_a 98765432', 'UTF8')), 1, 16) as key`.execute(
    database.owner,
  )
  expect((await adverts())[0]!.advert_key).not.toEqual(rows[0]!.key)
})

describe('several at once', () => {
  const town = () =>
    Array.from({ length: 40 }, (_, at) =>
      advert({ latitude: 41.4 + (at % 10) / 500, longitude: 2.1 + Math.floor(at / 10) / 500, floor: at % 4 }),
    )
  const again = (some: OfferedAdvert[], source: string) => some.map(one => ({ ...one, source }))

  test('make each property once, though they bring the same in another order', async () => {
    const some = town()
    const others = Array.from({ length: 4 }, open)
    const orders = [some, some.toReversed(), again(some, 'portal_b'), again(some, 'portal_c').toReversed()]
    const stored = await Promise.all(orders.map((adverts, at) => store(adverts, 'live', others[at])))
    await Promise.all(others.map(other => other.close()))
    expect(stored.reduce((sum, { created }) => sum + created, 0)).toBe(40)
    expect(await properties()).toHaveLength(40)
    expect(await adverts()).toHaveLength(120)
  })

  test('do not fail for each other, whatever they change and keep', async () => {
    const some = town()
    await store([...some, ...again(some, 'portal_b')])
    const round = (at: number) =>
      database.outside.transaction().execute(async tx => {
        const mine = some.filter((_, nth) => (nth + at) % 2 === 0)
        const kept = some.filter((_, nth) => (nth + at) % 2 === 1)
        const source = at % 3 === 0 ? 'portal_a' : 'portal_b'
        const told = mine.map(one => ({ ...one, source, price: 300_000 + at, seenAt: day(1 + at) }))
        await storeMarketAdverts(tx, { environment: 'live', adverts: at % 2 ? told : told.toReversed() })
        const seen = kept.map(({ advertId }) => ({ advertId, source, seenAt: day(1 + at) }))
        await keepMarketAdverts(tx, { environment: 'live', adverts: seen })
      })
    await Promise.all(Array.from({ length: 24 }, (_, at) => round(at)))
    expect(await properties()).toHaveLength(40)
  })
})
