/**
 * A market of flats of Barcelona and Valencia, moved to places all over Spain, a quarter of them in one city. The full
 * market has real flats; the short one has generated flats, and is deterministic.
 */
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { loadConfig } from '../src/config.ts'
import { type Deployment, openDeployment } from '../src/deployment.ts'
import { createRandom, type Random, randomGaussian } from '../src/domain/random.ts'
import { toCell, toSizeClass } from '../src/domain/valuation/place-cells.ts'
import type { Place } from '../src/domain/valuation/property.ts'
import { createWorkspace, getTenantIdBySlug } from '../src/features/identity/service.ts'
import { newId } from '../src/kit/id.ts'
import { createLog } from '../src/kit/log.ts'
import { assertShared, readSharedBytes } from '../test/shared.ts'
import { makePriceRows } from '../test/synthetic-price-sets.ts'

/** `properties` is a multiple of `pageRows`. */
export interface MarketSize {
  properties: number
  dataDir: string
  readFlats(set: (typeof sets)[number]): Record<string, string>[]
}

const sets = ['es-barcelona-sale', 'es-valencia-sale'] as const
/** Minimum number of rows in the set of Barcelona. */
const cityFlats = 24_000

/** Its creation takes some minutes. */
export const fullMarket: MarketSize = {
  properties: 1_000_000,
  dataDir: toDataDir('bench-market'),
  readFlats: readRealFlats,
}
export const shortMarket: MarketSize = {
  properties: 50_000,
  dataDir: toDataDir('bench-market-made'),
  readFlats: set => makePriceRows(set, cityFlats),
}

function toDataDir(name: string): string {
  return new URL(`../data/${name}`, import.meta.url).pathname
}

/** Shares of the properties. */
const inTheCity = 0.25
const inTowns = 0.7
const towns = 120
const pageRows = 10_000
export const slug = 'bench-market'

export const city: Place = { latitude: 41.395, longitude: 2.165 }

export interface MarketBench {
  deployment: Deployment
  tenantId: string
  /** URL as the superuser, without the service's settings, for the limits. */
  superuserUrl: string
}

/** Opens the market, and creates it first if it is missing. */
export async function openMarket(size: MarketSize = fullMarket): Promise<MarketBench> {
  const log = createLog('error')
  const deployment = await openDeployment(loadConfig({ DATA_DIR: size.dataDir }), { mode: 'own', log })
  const { owner } = deployment.database
  await createWorkspace(owner, { name: slug, slug }).catch(() => {})
  const superuserUrl = deployment.embedded!.superuserUrl.replace('/postgres?', '/aldaba?')
  await fillIfIncomplete(deployment, size)
  return { deployment, tenantId: await getTenantIdBySlug(owner, slug, 'live'), superuserUrl }
}

async function fillIfIncomplete(
  { database: { owner } }: Deployment,
  { properties, readFlats }: MarketSize,
): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from market_properties`.execute(
    owner,
  )
  if (rows[0]!.count === properties) return
  console.log(`creating ${properties} properties, only once …`)
  await sql`truncate market_properties cascade`.execute(owner)
  const flats = sets.flatMap(set => readFlats(set).map(toFlat))
  const random = createRandom(28)
  const centres = Array.from({ length: towns }, () => randomPlace(random))
  for (let offset = 0; offset < properties; offset += pageRows) {
    const page = Array.from({ length: pageRows }, (_, nth) => {
      const place = choosePlace((offset + nth) / properties, flats, centres, random)
      const flat = flats[Math.floor(random() * flats.length)]!
      const figures = { ...flat, ...place, cell: toCell(place), size_class: toSizeClass(flat.square_meters) }
      return { ...figures, id: newId(), price: Math.round(flat.price * (0.9 + random() * 0.2)) }
    })
    await sql`
      insert into market_properties (id, environment, operation, property_type, currency, price_basis, latitude, longitude, cell,
        size_class, square_meters, bedrooms, bathrooms, condition, floor, year_built, subtype, amenities, price, first_seen_at, last_seen_at)
      select id, 'live', 'sale', 'homes', 'EUR', 'asking', latitude, longitude, cell, size_class, square_meters, bedrooms,
        bathrooms, condition, floor, year_built, 'flat', 3, price, now() - interval '90 days' * random(), now()
      from jsonb_to_recordset(${JSON.stringify(page)}::jsonb) as i (id uuid, latitude float8, longitude float8, cell bigint,
        size_class smallint, square_meters float8, bedrooms smallint, bathrooms float8, condition text, floor smallint,
        year_built smallint, price bigint)`.execute(owner)
  }
  await sql`vacuum analyze market_properties`.execute(owner)
}

interface Flat extends Place {
  square_meters: number
  bedrooms: number
  bathrooms: number
  condition: string
  floor: number | null
  year_built: number | null
  price: number
}

function readRealFlats(set: string): Record<string, string>[] {
  assertShared()
  const csv = gunzipSync(readSharedBytes(`data/${set}.reference.csv.gz`))
  return parse(csv, { columns: true })
}

function toFlat(row: Record<string, string>): Flat {
  return {
    latitude: Number(row.latitude),
    longitude: Number(row.longitude),
    square_meters: Number(row.squareMeters),
    bedrooms: Number(row.bedrooms),
    bathrooms: Number(row.bathrooms),
    condition: row.condition!,
    floor: row.floor ? Number(row.floor) : null,
    year_built: row.yearBuilt ? Number(row.yearBuilt) : null,
    price: Number(row.price),
  }
}

/**
 * A place in the city (near a flat of Barcelona), in one of many towns of different sizes, or anywhere in Spain.
 * `part`: position of the property among all, from 0 to 1.
 */
function choosePlace(part: number, flats: Flat[], centres: Place[], random: Random): Place {
  if (part < inTheCity) {
    const neighbour = flats[Math.floor(random() * cityFlats)]!
    return randomPlaceNear(neighbour, 150, random)
  }
  if (part >= inTheCity + inTowns) return randomPlace(random)
  const rank = Math.floor(centres.length ** random())
  return randomPlaceNear(centres[rank]!, 1500, random)
}

function randomPlace(random: Random): Place {
  return { latitude: 37 + random() * 6, longitude: -7 + random() * 7 }
}

function randomPlaceNear({ latitude, longitude }: Place, meters: number, random: Random): Place {
  const degrees = meters / 111_000
  return {
    latitude: latitude + degrees * randomGaussian(random),
    longitude: longitude + 1.3 * degrees * randomGaussian(random),
  }
}
