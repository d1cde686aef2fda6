/** A search finds what a look at every property would, nearest first. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDatabase, testEncryptionKey } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { randomOf } from '../../domain/random.ts'
import { metersBetween } from '../../domain/valuation/place-cells.ts'
import type { Place } from '../../domain/valuation/property.ts'
import { type Database, openDatabase, sql, type Tx } from '../../kit/db/index.ts'
import { deriveHashPads } from '../../kit/identifier-hash.ts'
import type { OfferedAdvert } from './advert.ts'
import { readMarket } from './read-market.ts'
import {
  type ComparablesQuery,
  comparablesById,
  countComparables,
  findComparables,
  listMarkets,
  type MarketComparable,
  storeMarketAdverts,
} from './service.ts'

const madeUp = 20_000
const realFile = new URL('../../../../shared/data/es-barcelona-sale.validation.csv.gz', import.meta.url)
const market = { operation: 'sale', propertyType: 'homes', currency: 'EUR', priceBasis: 'asking' } as const

let database: Database
let tenantId: string
/** As another reader of the database sees them. */
let all: (MarketComparable & { environment: string })[]
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), {
    hashPads: deriveHashPads(testEncryptionKey),
    onError: () => {},
  })
  tenantId = (await makeWorkspace(database)).liveTenantId
  const adverts = [...madeUpAdverts(), ...realAdverts()]
  for (let at = 0; at < adverts.length; at += 2000)
    await database.outside
      .transaction()
      .execute(tx => storeMarketAdverts(tx, { environment: 'live', adverts: adverts.slice(at, at + 2000) }))
  const some = adverts.slice(0, 50)
  await database.outside
    .transaction()
    .execute(tx => storeMarketAdverts(tx, { environment: 'test', adverts: some }))
  await sql`analyze market_properties`.execute(database.owner)
  const rows = await database.owner.selectFrom('market_properties').selectAll().execute()
  all = rows.map(row => ({
    ...({ id: row.id, environment: row.environment, operation: row.operation } as MarketComparable & {
      environment: string
    }),
    ...{
      propertyType: row.property_type as 'homes',
      currency: row.currency,
      priceBasis: row.price_basis as 'asking',
    },
    ...{
      latitude: row.latitude,
      longitude: row.longitude,
      squareMeters: row.square_meters,
      bedrooms: row.bedrooms,
    },
    seenAt: Temporal.Instant.fromEpochMilliseconds(row.last_seen_at.getTime()),
  }))
}, 120_000)
afterAll(() => database.close())

const read = <T>(work: (tx: Tx) => Promise<T>) => database.readTenant({ tenantId }, work)

function offered(overrides: Partial<OfferedAdvert>): OfferedAdvert {
  return {
    ...{
      ...market,
      source: 'files',
      advertId: '',
      latitude: 0,
      longitude: 0,
      squareMeters: 80,
      plotSquareMeters: null,
    },
    ...{
      bedrooms: 3,
      bathrooms: 2,
      condition: null,
      floor: null,
      yearBuilt: null,
      subtype: null,
      amenities: null,
    },
    ...{ price: 200_000, seenAt: Temporal.Instant.from('2026-10-01T00:00:00Z') },
    ...overrides,
  }
}

/** In heaps and far apart, near the 180th meridian and far north as well; many at the same place. */
function madeUpAdverts(): OfferedAdvert[] {
  const random = randomOf(6)
  const heaps: Place[] = [
    { latitude: 41.4, longitude: 2.17 },
    { latitude: 41.9, longitude: 1.2 },
    { latitude: -16.8, longitude: 179.99 },
    { latitude: 69.6, longitude: 18.9 },
  ]
  return Array.from({ length: madeUp }, (_, at) => {
    const heap = heaps[at % heaps.length]!
    const reach = 0.001 * 300 ** random()
    const longitude = heap.longitude + reach * (random() - 0.5)
    const place =
      at % 10 === 0
        ? { latitude: heap.latitude, longitude: heap.longitude }
        : {
            latitude: heap.latitude + reach * (random() - 0.5),
            longitude: longitude > 180 ? longitude - 360 : longitude,
          }
    return offered({
      ...{
        ...place,
        advertId: String(at),
        squareMeters: Math.round(20 * 15 ** random()),
        floor: Math.floor(random() * 30),
      },
      bedrooms: random() < 0.1 ? null : Math.floor(random() * 6),
      currency: random() < 0.1 ? 'USD' : 'EUR',
      priceBasis: random() < 0.1 ? 'closed' : 'asking',
      price: 50_000 + Math.floor(random() * 1e6),
      seenAt: Temporal.Instant.from('2026-10-01T00:00:00Z').subtract({ hours: Math.floor(random() * 2000) }),
    })
  })
}

function realAdverts(): OfferedAdvert[] {
  const rows: Record<string, string>[] = parse(gunzipSync(readFileSync(realFile)), { columns: true })
  return rows.map(row =>
    offered({
      ...{ advertId: row.id!, latitude: Number(row.latitude), longitude: Number(row.longitude) },
      ...{
        squareMeters: Number(row.squareMeters),
        bedrooms: Number(row.bedrooms),
        bathrooms: Number(row.bathrooms),
      },
      ...{
        floor: row.floor ? Number(row.floor) : null,
        yearBuilt: Number(row.yearBuilt),
        price: Number(row.price),
      },
    }),
  )
}

/** Even-odd rule. */
function isInside({ latitude, longitude }: Place, polygon: Place[]): boolean {
  let inside = false
  for (const [at, one] of polygon.entries()) {
    const other = polygon[(at + 1) % polygon.length]!
    if (one.latitude > latitude === other.latitude > latitude) continue
    const share = (latitude - one.latitude) / (other.latitude - one.latitude)
    if (longitude < one.longitude + share * (other.longitude - one.longitude)) inside = !inside
  }
  return inside
}

/** All that a search may find, nearest first, by a look at each. */
function likeOnes(query: ComparablesQuery): { id: string; meters: number }[] {
  const { area, bedrooms, squareMeters, seenAfter } = query
  return all
    .filter(
      one =>
        one.environment === query.environment &&
        one.operation === query.operation &&
        one.propertyType === query.propertyType &&
        (query.currency === undefined || one.currency === query.currency) &&
        (query.priceBasis === undefined || one.priceBasis === query.priceBasis) &&
        one.squareMeters >= squareMeters / 2 &&
        one.squareMeters <= squareMeters * 2 &&
        (bedrooms === null || one.bedrooms === null || Math.abs(one.bedrooms - bedrooms) <= 2) &&
        (!seenAfter || Temporal.Instant.compare(one.seenAt, seenAfter) > 0),
    )
    .map(one => ({
      id: one.id,
      latitude: one.latitude,
      longitude: one.longitude,
      meters: metersBetween(query, one),
    }))
    .filter(one => ('radiusKm' in area ? one.meters <= area.radiusKm * 1000 : isInside(one, area.polygon)))
    .sort((a, b) => a.meters - b.meters || (a.id < b.id ? -1 : 1))
}

/** Whether the search finds just those; between places that are as far to the hair, it may choose. */
async function expectNearest(query: ComparablesQuery): Promise<number> {
  const like = likeOnes(query)
  const found = await read(tx => findComparables(tx, query))
  const meters = (id: string) => like.find(one => one.id === id)?.meters ?? Number.NaN
  const distances = found.map(({ id }) => meters(id))
  expect(found.length).toBe(Math.min(like.length, query.limit))
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
  for (const [at, distance] of distances.entries())
    expect(Math.abs(distance - like[at]!.meters)).toBeLessThan(1e-3)
  expect(await read(tx => countComparables(tx, query))).toBe(found.length)
  return found.length
}

const near = (heap: Place) =>
  fc.record({
    latitude: fc.double({ min: heap.latitude - 0.2, max: heap.latitude + 0.2, noNaN: true }),
    longitude: fc.double({
      min: heap.longitude - 0.2,
      max: Math.min(180, heap.longitude + 0.2),
      noNaN: true,
    }),
  })
const subjects = fc.oneof(
  near({ latitude: 41.4, longitude: 2.17 }),
  fc.constant({ latitude: 41.4, longitude: 2.17 }),
  near({ latitude: 41.6, longitude: 1.6 }),
  near({ latitude: -16.8, longitude: 179.99 }),
  fc.constant({ latitude: -16.8, longitude: -179.95 }),
  near({ latitude: 69.6, longitude: 18.9 }),
)
const wishes = fc.record(
  {
    squareMeters: fc.integer({ min: 15, max: 400 }),
    bedrooms: fc.option(fc.integer({ min: 0, max: 8 })),
    limit: fc.constantFrom(1, 200, 200),
    currency: fc.constantFrom('EUR', 'EUR', 'USD'),
    priceBasis: fc.constantFrom('asking' as const, 'asking' as const, 'closed' as const),
    seenAfter: fc
      .integer({ min: 0, max: 2000 })
      .map(hours => Temporal.Instant.from('2026-10-01T00:00:00Z').subtract({ hours })),
  },
  { requiredKeys: ['squareMeters', 'bedrooms', 'limit'] },
)
const base = { environment: 'live', operation: 'sale', propertyType: 'homes' } as const

describe('the nearest like properties', () => {
  test('of any place within any radius are those that a look at each finds', async () => {
    let found = 0
    const radii = fc.double({ min: Math.log(0.1), max: Math.log(100), noNaN: true }).map(Math.exp)
    await fc.assert(
      fc.asyncProperty(subjects, wishes, radii, async (subject, wish, radiusKm) => {
        found += await expectNearest({ ...base, ...subject, ...wish, area: { radiusKm } })
      }),
      { numRuns: 150, endOnFailure: true },
    )
    expect(found).toBeGreaterThan(500)
  })

  test('in a polygon are those inside it, wherever the subject is', async () => {
    let found = 0
    const corners = fc.array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: 3, maxLength: 9 })
    const size = fc.double({ min: Math.log(0.01), max: Math.log(0.5), noNaN: true }).map(Math.exp)
    const city = { latitude: 41.4, longitude: 2.17 }
    await fc.assert(
      fc.asyncProperty(
        near(city),
        near(city),
        wishes,
        corners,
        size,
        async (subject, centre, wish, lengths, degrees) => {
          const polygon = lengths.map((length, at) => {
            const direction = (at / lengths.length) * 2 * Math.PI
            return {
              latitude: centre.latitude + degrees * length * Math.cos(direction),
              longitude: centre.longitude + degrees * length * Math.sin(direction),
            }
          })
          found += await expectNearest({ ...base, ...subject, ...wish, area: { polygon } })
        },
      ),
      { numRuns: 150, endOnFailure: true },
    )
    expect(found).toBeGreaterThan(500)
  })

  test('of a polygon as small as a house do not stand in the next street', async () => {
    const at = { latitude: 41.4, longitude: 2.17 }
    const corner = (north: number, east: number) => ({
      latitude: at.latitude + north / 111_195,
      longitude: at.longitude + east / 83_400,
    })
    const house = (east: number) => [
      corner(20, east),
      corner(20, east + 30),
      corner(-20, east + 30),
      corner(-20, east),
    ]
    const query = { ...base, ...at, squareMeters: 80, bedrooms: null, limit: 200 }
    for (const east of [-15, 15, 60]) await expectNearest({ ...query, area: { polygon: house(east) } })
  })

  test('have their facts, their price and when it last stood', async () => {
    const place = { latitude: 41.4, longitude: 2.17 }
    const [one] = await read(tx =>
      findComparables(tx, {
        ...base,
        ...place,
        squareMeters: 80,
        bedrooms: 2,
        area: { radiusKm: 1 },
        limit: 1,
      }),
    )
    const row = await database.owner
      .selectFrom('market_properties')
      .selectAll()
      .where('id', '=', one!.id)
      .executeTakeFirstOrThrow()
    expect(one).toEqual({
      ...{
        id: row.id,
        operation: 'sale',
        propertyType: 'homes',
        currency: row.currency,
        priceBasis: row.price_basis,
      },
      ...{
        latitude: row.latitude,
        longitude: row.longitude,
        squareMeters: row.square_meters,
        plotSquareMeters: null,
      },
      ...{
        bedrooms: row.bedrooms,
        bathrooms: 2,
        condition: null,
        floor: row.floor,
        yearBuilt: null,
        subtype: null,
      },
      ...{ amenities: null, price: Number(row.price) },
      seenAt: Temporal.Instant.fromEpochMilliseconds(row.last_seen_at.getTime()),
    })
  })

  test('are those of the environment alone', async () => {
    const query = {
      ...base,
      latitude: 41.4,
      longitude: 2.17,
      squareMeters: 80,
      bedrooms: null,
      limit: 200,
    } as const
    const found = await read(tx =>
      findComparables(tx, { ...query, environment: 'test', area: { radiusKm: 100 } }),
    )
    const inTest = new Set(all.filter(one => one.environment === 'test').map(({ id }) => id))
    expect(found.length).toBeGreaterThan(0)
    expect(found.every(({ id }) => inTest.has(id))).toBe(true)
  })

  test('are found by looking at few of the others', async () => {
    const query = {
      ...base,
      latitude: 41.4,
      longitude: 2.17,
      squareMeters: 80,
      bedrooms: 2,
      limit: 200,
    } as const
    const looked = await database.owner.transaction().execute(async tx => {
      await findComparables(tx, { ...query, area: { radiusKm: 100 } })
      const { rows } = await sql<{ table: number; index: number }>`
        select seq_tup_read as table, pg_stat_get_xact_tuples_returned('market_places'::regclass) as index
        from pg_stat_xact_user_tables where relname = 'market_properties'`.execute(tx)
      return rows[0]!
    })
    expect(looked.table).toBe(0)
    expect(looked.index).toBeLessThan(3000)
  })
})

test('comparables are told by their ids, those of another environment or of nobody are not', async () => {
  const [live, other] = [
    all.find(one => one.environment === 'live')!,
    all.find(one => one.environment === 'test')!,
  ]
  const nobody = '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f'
  const found = await read(tx => comparablesById(tx, 'live', [live.id, other.id, nobody]))
  expect(found.map(({ id }) => id)).toEqual([live.id])
  expect(await read(tx => comparablesById(tx, 'live', []))).toEqual([])
})

test('a market is read in pages, those seen last first', async () => {
  const key = { ...market, environment: 'live' } as const
  const pages = await read(async tx => {
    const pages: MarketComparable[][] = []
    for await (const page of readMarket(tx, key, 12_000)) pages.push(page)
    return pages
  })
  expect(pages.map(page => page.length)).toEqual([5000, 5000, 2000])
  const read1 = pages.flat()
  const expected = all
    .filter(one => one.environment === 'live' && one.currency === 'EUR' && one.priceBasis === 'asking')
    .sort((a, b) => Temporal.Instant.compare(b.seenAt, a.seenAt) || (a.id < b.id ? 1 : -1))
  expect(read1.map(({ id }) => id)).toEqual(expected.slice(0, 12_000).map(({ id }) => id))
})

test('markets are told with how many properties each has', async () => {
  const markets = await read(listMarkets)
  expect(markets[0]).toMatchObject({ ...market, environment: 'live' })
  expect(markets.reduce((sum, { properties }) => sum + properties, 0)).toBe(all.length)
  expect(markets.filter(({ environment }) => environment === 'live')).toHaveLength(4)
})
