/**
 * Finds 200 comparables out of a million properties. Limit: the same number of rows from a single range of the index,
 * on a bare connection, unordered.
 */
import { sql } from 'kysely'
import pg from 'pg'
import { metersBetween } from '../src/domain/geo.ts'
import { createRandom, randomInteger } from '../src/domain/random.ts'
import { findRangesAround, toNearbySizeClasses } from '../src/domain/valuation/place-cells.ts'
import type { Place } from '../src/domain/valuation/property.ts'
import { type ComparablesQuery, countComparables, findComparables } from '../src/features/market/service.ts'
import type { Ratios } from './guard.ts'
import { percentile } from './load.ts'
import { city, type MarketBench, openMarket, shortMarket } from './market-dataset.ts'

const searchCount = 200
const limit = 200

type Subject = Place & { squareMeters: number; bedrooms: number }

const areas: Record<
  string,
  { from: 'city' | 'country' | 'anywhere'; area: (subject: Place) => ComparablesQuery['area'] }
> = {
  '5 km, dense': { from: 'city', area: () => ({ radiusKm: 5 }) },
  '5 km, sparse': { from: 'country', area: () => ({ radiusKm: 5 }) },
  '50 km, anywhere': { from: 'anywhere', area: () => ({ radiusKm: 50 }) },
  '50 km, dense': { from: 'city', area: () => ({ radiusKm: 50 }) },
  '100 km, sparse': { from: 'country', area: () => ({ radiusKm: 100 }) },
  '0.3 km, dense': { from: 'city', area: () => ({ radiusKm: 0.3 }) },
  'polygon, dense': { from: 'city', area: subject => ({ polygon: createPolygonAround(subject, 1.5) }) },
  'polygon, sparse': { from: 'country', area: subject => ({ polygon: createPolygonAround(subject, 20) }) },
}

export async function run(): Promise<void> {
  const market = await openMarket()
  try {
    const rows: Record<string, object> = {}
    for (const [name, { from, area }] of Object.entries(areas)) {
      const subjects = await readSubjects(market, from)
      const figures = await measure(
        market,
        subjects.map(subject => ({ ...base, ...subject, area: area(subject) })),
      )
      rows[name] = Object.fromEntries(
        Object.entries(figures).map(([figure, value]) => [figure, Number(value.toFixed(1))]),
      )
    }
    console.log(
      `${limit} comparables of 1,000,000 properties, ${searchCount} searches one after another, ms; the limit is one range of the index, bare`,
    )
    console.table(rows)
  } finally {
    await market.deployment.close()
  }
}

/** Short form: within 5 km in the city, of 50,000 properties. */
export async function short(): Promise<Ratios> {
  const market = await openMarket(shortMarket)
  try {
    const subjects = await readSubjects(market, 'city')
    const { area } = areas['5 km, dense']!
    const rows = subjects.slice(0, 60).map(subject => ({ ...base, ...subject, area: area(subject) }))
    const { p50, 'limit p50': limitP50 } = await measure(market, rows)
    return { 'searches of the limit': limitP50 / p50 }
  } finally {
    await market.deployment.close()
  }
}

const base = {
  environment: 'live',
  operation: 'sale',
  propertyType: 'homes',
  currency: 'EUR',
  limit,
} as const

/** Subjects are drawn from the properties, so dense areas have more. */
async function readSubjects(
  { deployment }: MarketBench,
  from: 'city' | 'country' | 'anywhere',
): Promise<Subject[]> {
  const within = sql`abs(latitude - ${city.latitude}) < 0.1 and abs(longitude - ${city.longitude}) < 0.1`
  const which = {
    city: within,
    anywhere: sql`true`,
    // The properties outside the city and the towns are generated last.
    country: sql`id > (select percentile_disc(0.96) within group (order by id) from market_properties)`,
  }[from]
  const { rows } = await sql<Subject>`
    select latitude, longitude, square_meters as "squareMeters", bedrooms from market_properties where ${which}
    order by md5(id::text) limit ${searchCount}`.execute(deployment.database.owner)
  return rows
}

async function measure({ deployment, tenantId, superuserUrl }: MarketBench, queries: ComparablesQuery[]) {
  const { database } = deployment
  const bare = new pg.Client({ connectionString: superuserUrl, options: '-c search_path=aldaba' })
  await bare.connect()
  const aldaba: number[] = []
  const counts: number[] = []
  const limits: number[] = []
  const found: number[] = []
  try {
    for (const query of [...queries.slice(0, 20), ...queries]) {
      const { result, ms } = await measureTime(() =>
        database.readTenant({ tenantId }, tx => findComparables(tx, query)),
      )
      aldaba.push(ms)
      found.push(result.length)
      counts.push(
        (await measureTime(() => database.readTenant({ tenantId }, tx => countComparables(tx, query)))).ms,
      )
      const farthest = result.at(-1)
      limits.push(await measureLimitMs(bare, query, farthest ? metersBetween(query, farthest) : 100))
    }
  } finally {
    await bare.end()
  }
  const figure = (all: number[], share: number) => percentile(all.slice(20), share)
  return {
    p50: figure(aldaba, 0.5),
    p99: figure(aldaba, 0.99),
    'limit p50': figure(limits, 0.5),
    'limit p99': figure(limits, 0.99),
    'count p50': figure(counts, 0.5),
    'found, median': percentile(found, 0.5),
  }
}

async function measureLimitMs(client: pg.Client, query: ComparablesQuery, meters: number): Promise<number> {
  const ranges = findRangesAround(query, meters)
  const widest = ranges.toSorted((a, b) => b.high - b.low - (a.high - a.low))[0]!
  const statement = {
    name: 'limit',
    text: `select id, latitude, longitude, square_meters, bedrooms from market_properties
      where environment = 'live' and operation = 'sale' and property_type = 'homes' and size_class = any($1::smallint[])
        and cell between $2 and $3 limit ${limit}`,
    values: [toNearbySizeClasses(query.squareMeters, 2), widest.low, widest.high],
  }
  return (await measureTime(() => client.query(statement))).ms
}

async function measureTime<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const startedMs = performance.now()
  const result = await work()
  return { result, ms: performance.now() - startedMs }
}

/** Eight corners at different distances. */
function createPolygonAround({ latitude, longitude }: Place, km: number): Place[] {
  const random = createRandom(Math.round(latitude * 1e6))
  return Array.from({ length: 8 }, (_, index) => {
    const degrees = ((km / 111) * randomInteger(random, 50, 100)) / 100
    const direction = (index / 8) * 2 * Math.PI
    return {
      latitude: latitude + degrees * Math.cos(direction),
      longitude: longitude + 1.3 * degrees * Math.sin(direction),
    }
  })
}

if (import.meta.main) await run()
