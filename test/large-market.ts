/** Thousands of listings, for tests of a large market. */
import { afterAll, beforeAll } from 'vitest'
import { createRandom } from '../src/domain/random.ts'
import type { Place } from '../src/domain/valuation/property.ts'
import type { SourceListing } from '../src/features/market/market-listing.ts'
import type { MarketComparable } from '../src/features/market/service.ts'
import { type Database, openDatabase, sql, type Tx } from '../src/kit/db/index.ts'
import { makeDatabase, testIdentifierKey } from './harness.ts'
import { makeWorkspace } from './make.ts'
import { fillMarket } from './market.ts'
import { makePriceRows } from './synthetic-price-sets.ts'

type StoredProperty = { environment: string } & Pick<
  MarketComparable,
  | 'id'
  | 'operation'
  | 'propertyType'
  | 'currency'
  | 'priceBasis'
  | 'latitude'
  | 'longitude'
  | 'squareMeters'
  | 'bedrooms'
  | 'seenAt'
>

function makeSourceListing(overrides: Partial<SourceListing>): SourceListing {
  return {
    operation: 'sale',
    propertyType: 'homes',
    currency: 'EUR',
    priceBasis: 'asking',
    source: 'files',
    listingId: '',
    latitude: 0,
    longitude: 0,
    squareMeters: 80,
    bedrooms: 3,
    bathrooms: 2,
    floor: null,
    price: 200_000,
    plotSquareMeters: null,
    condition: null,
    yearBuilt: null,
    subtype: null,
    amenities: null,
    seenAt: Temporal.Instant.from('2026-10-01T00:00:00Z'),
    ...overrides,
  }
}

/** Makes listings in clusters and far apart, also near the 180th meridian and far north; many at the same place. */
export function makeListings(count: number): SourceListing[] {
  const random = createRandom(6)
  const clusters: Place[] = [
    { latitude: 41.4, longitude: 2.17 },
    { latitude: 41.9, longitude: 1.2 },
    { latitude: -16.8, longitude: 179.99 },
    { latitude: 69.6, longitude: 18.9 },
  ]
  return Array.from({ length: count }, (_, index) => {
    const cluster = clusters[index % clusters.length]!
    const reach = 0.001 * 300 ** random()
    const longitude = cluster.longitude + reach * (random() - 0.5)
    const place =
      index % 10 === 0
        ? { latitude: cluster.latitude, longitude: cluster.longitude }
        : {
            latitude: cluster.latitude + reach * (random() - 0.5),
            longitude: longitude > 180 ? longitude - 360 : longitude,
          }
    return makeSourceListing({
      ...place,
      listingId: String(index),
      squareMeters: Math.round(20 * 15 ** random()),
      floor: Math.floor(random() * 30),
      bedrooms: random() < 0.1 ? null : Math.floor(random() * 6),
      currency: random() < 0.1 ? 'USD' : 'EUR',
      priceBasis: random() < 0.1 ? 'closed' : 'asking',
      price: 50_000 + Math.floor(random() * 1e6),
      seenAt: Temporal.Instant.from('2026-10-01T00:00:00Z').subtract({ hours: Math.floor(random() * 2000) }),
    })
  })
}

/** Flats for sale in Barcelona. */
export function makeTownListings(): SourceListing[] {
  return makePriceRows('es-barcelona-sale', 3000).map(row =>
    makeSourceListing({
      listingId: row.id,
      latitude: Number(row.latitude),
      longitude: Number(row.longitude),
      squareMeters: Number(row.squareMeters),
      bedrooms: Number(row.bedrooms),
      bathrooms: Number(row.bathrooms),
      floor: row.floor ? Number(row.floor) : null,
      yearBuilt: Number(row.yearBuilt) || null,
      price: Number(row.price),
    }),
  )
}

/**
 * Call it at the top of a test file: makes a database with these listings in live, and the first fifty also in test.
 */
export function prepareLargeMarket(listings: () => SourceListing[]) {
  let database: Database
  let tenantId: string
  let all: StoredProperty[]
  beforeAll(async () => {
    database = openDatabase(await makeDatabase(), {
      identifierKey: testIdentifierKey,
      onError: () => {},
    })
    tenantId = (await makeWorkspace(database)).liveTenantId
    all = await fillMarkets(database, listings())
  })
  afterAll(() => database.close())
  return {
    read: <T>(work: (tx: Tx) => Promise<T>) => database.readTenant({ tenantId }, work),
    get database() {
      return database
    },
    /** The stored properties of both environments. */
    get all() {
      return all
    },
  }
}

async function fillMarkets(database: Database, listings: SourceListing[]): Promise<StoredProperty[]> {
  for (let index = 0; index < listings.length; index += 2000)
    await fillMarket(database, 'live', listings.slice(index, index + 2000))
  await fillMarket(database, 'test', listings.slice(0, 50))
  await sql`analyze market_properties`.execute(database.owner)
  const rows = await database.owner.selectFrom('market_properties').selectAll().execute()
  return rows.map(row => ({
    id: row.id,
    environment: row.environment,
    operation: row.operation as 'sale',
    propertyType: row.property_type as 'homes',
    currency: row.currency,
    priceBasis: row.price_basis as 'asking',
    latitude: row.latitude,
    longitude: row.longitude,
    squareMeters: row.square_meters,
    bedrooms: row.bedrooms,
    seenAt: Temporal.Instant.fromEpochMilliseconds(row.last_seen_at.getTime()),
  }))
}
