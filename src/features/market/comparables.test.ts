/** The search of comparables returns the same properties as a full scan, nearest first. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeListings, makeTownListings, prepareLargeMarket } from '../../../test/large-market.ts'
import { metersBetween } from '../../domain/geo.ts'
import type { Place } from '../../domain/valuation/property.ts'
import { sql } from '../../kit/db/index.ts'
import { type ComparablesQuery, countComparables, findComparables, findComparablesById } from './service.ts'

const market = prepareLargeMarket(() => [...makeListings(20_000), ...makeTownListings()])
const { read } = market

/** Point in polygon by the even-odd rule. */
function isInside({ latitude, longitude }: Place, polygon: Place[]): boolean {
  let inside = false
  for (const [position, one] of polygon.entries()) {
    const other = polygon[(position + 1) % polygon.length]!
    if (one.latitude > latitude === other.latitude > latitude) continue
    const share = (latitude - one.latitude) / (other.latitude - one.latitude)
    if (longitude < one.longitude + share * (other.longitude - one.longitude)) inside = !inside
  }
  return inside
}

/** The expected result of a search, nearest first, by a full scan. */
function findMatchesByScan(query: ComparablesQuery): { id: string; meters: number }[] {
  const { area, bedrooms, squareMeters, seenAfter } = query
  return market.all
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

/** Checks that the search finds exactly these. Among places at the same distance it may choose any. */
async function expectNearest(query: ComparablesQuery): Promise<number> {
  const matches = findMatchesByScan(query)
  const found = await read(tx => findComparables(tx, query))
  const meters = (id: string) => matches.find(one => one.id === id)?.meters ?? Number.NaN
  const distances = found.map(({ id }) => meters(id))
  expect(found.length).toBe(Math.min(matches.length, query.limit))
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
  for (const [position, distance] of distances.entries())
    expect(Math.abs(distance - matches[position]!.meters)).toBeLessThan(1e-3)
  expect(await read(tx => countComparables(tx, query))).toBe(found.length)
  return found.length
}

const arbitraryPlaceNear = (centre: Place) =>
  fc.record({
    latitude: fc.double({ min: centre.latitude - 0.2, max: centre.latitude + 0.2, noNaN: true }),
    longitude: fc.double({
      min: centre.longitude - 0.2,
      max: Math.min(180, centre.longitude + 0.2),
      noNaN: true,
    }),
  })
const subjects = fc.oneof(
  arbitraryPlaceNear({ latitude: 41.4, longitude: 2.17 }),
  fc.constant({ latitude: 41.4, longitude: 2.17 }),
  arbitraryPlaceNear({ latitude: 41.6, longitude: 1.6 }),
  arbitraryPlaceNear({ latitude: -16.8, longitude: 179.99 }),
  fc.constant({ latitude: -16.8, longitude: -179.95 }),
  arbitraryPlaceNear({ latitude: 69.6, longitude: 18.9 }),
)
const searches = fc.record(
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

/** A search of the whole town, which each run includes, because the random ones may find hardly anything. */
const town = { latitude: 41.4, longitude: 2.17 }
const wideSearch = { squareMeters: 80, bedrooms: null, limit: 200 as const }

describe('the nearest similar properties', () => {
  test('of any place within any radius equal those of a full scan', async () => {
    let found = 0
    const radii = fc.double({ min: Math.log(0.1), max: Math.log(100), noNaN: true }).map(Math.exp)
    await fc.assert(
      fc.asyncProperty(subjects, searches, radii, async (subject, search, radiusKm) => {
        found += await expectNearest({ ...base, ...subject, ...search, area: { radiusKm } })
      }),
      { numRuns: 30, endOnFailure: true, examples: [[town, wideSearch, 30]] },
    )
    expect(found).toBeGreaterThanOrEqual(200)
  })

  test('in a polygon are those inside it, wherever the subject is', async () => {
    let found = 0
    const corners = fc.array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: 3, maxLength: 9 })
    const size = fc.double({ min: Math.log(0.01), max: Math.log(0.5), noNaN: true }).map(Math.exp)
    await fc.assert(
      fc.asyncProperty(
        arbitraryPlaceNear(town),
        arbitraryPlaceNear(town),
        searches,
        corners,
        size,
        async (subject, centre, search, lengths, degrees) => {
          const polygon = lengths.map((length, position) => {
            const direction = (position / lengths.length) * 2 * Math.PI
            return {
              latitude: centre.latitude + degrees * length * Math.cos(direction),
              longitude: centre.longitude + degrees * length * Math.sin(direction),
            }
          })
          found += await expectNearest({ ...base, ...subject, ...search, area: { polygon } })
        },
      ),
      { numRuns: 30, endOnFailure: true, examples: [[town, town, wideSearch, [1, 1, 1, 1], 0.5]] },
    )
    expect(found).toBeGreaterThanOrEqual(200)
  })

  test('in a polygon as small as a house are not in the next street', async () => {
    const position = { latitude: 41.4, longitude: 2.17 }
    const corner = (north: number, east: number) => ({
      latitude: position.latitude + north / 111_195,
      longitude: position.longitude + east / 83_400,
    })
    const house = (east: number) => [
      corner(20, east),
      corner(20, east + 30),
      corner(-20, east + 30),
      corner(-20, east),
    ]
    const query = { ...base, ...position, squareMeters: 80, bedrooms: null, limit: 200 as const }
    for (const east of [-15, 15, 60]) await expectNearest({ ...query, area: { polygon: house(east) } })
  })

  test('have their facts, their price and when they were last seen', async () => {
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
    const row = await market.database.owner
      .selectFrom('market_properties')
      .selectAll()
      .where('id', '=', one!.id)
      .executeTakeFirstOrThrow()
    expect(one).toEqual({
      id: row.id,
      operation: 'sale',
      propertyType: 'homes',
      currency: row.currency,
      priceBasis: row.price_basis,
      latitude: row.latitude,
      longitude: row.longitude,
      squareMeters: row.square_meters,
      plotSquareMeters: null,
      bedrooms: row.bedrooms,
      bathrooms: 2,
      condition: null,
      floor: row.floor,
      yearBuilt: null,
      subtype: null,
      amenities: null,
      price: Number(row.price),
      seenAt: Temporal.Instant.fromEpochMilliseconds(row.last_seen_at.getTime()),
    })
  })

  test('are only those of the environment', async () => {
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
    const inTest = new Set(market.all.filter(one => one.environment === 'test').map(({ id }) => id))
    expect(found.length).toBeGreaterThan(0)
    expect(found.every(({ id }) => inTest.has(id))).toBe(true)
  })

  test('are found without reading many others', async () => {
    const query = {
      ...base,
      latitude: 41.4,
      longitude: 2.17,
      squareMeters: 80,
      bedrooms: 2,
      limit: 200,
    } as const
    const tuplesRead = await market.database.owner.transaction().execute(async tx => {
      await findComparables(tx, { ...query, area: { radiusKm: 100 } })
      const { rows } = await sql<{ table: number; index: number }>`
        select seq_tup_read as table, pg_stat_get_xact_tuples_returned('market_properties_place'::regclass) as index
        from pg_stat_xact_user_tables where relname = 'market_properties'`.execute(tx)
      return rows[0]!
    })
    expect(tuplesRead.table).toBe(0)
    expect(tuplesRead.index).toBeLessThan(3000)
  })
})

test('comparables are found by id; unknown ids and those of another environment are not', async () => {
  const [live, other] = [
    market.all.find(one => one.environment === 'live')!,
    market.all.find(one => one.environment === 'test')!,
  ]
  const unknownId = '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f'
  const found = await read(tx => findComparablesById(tx, 'live', [live.id, other.id, unknownId]))
  expect(found.map(({ id }) => id)).toEqual([live.id])
  expect(await read(tx => findComparablesById(tx, 'live', []))).toEqual([])
})
