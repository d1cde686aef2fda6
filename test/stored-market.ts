/** A market that is emptied before each test, with functions that store and read listings. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { SourceListing } from '../src/features/market/market-listing.ts'
import type { StoreCounts } from '../src/features/market/service.ts'
import { type Database, type Environment, openDatabase, sql } from '../src/kit/db/index.ts'
import { makeDatabase, testIdentifierKey } from './harness.ts'
import { fillMarket } from './market.ts'

/** Noon of a day in October 2026. */
export const day = (number: number) =>
  Temporal.Instant.from(`2026-10-${String(number).padStart(2, '0')}T12:00:00Z`)

let ids = 0
/** Makes a flat, by default at a new place. */
export function makeListing(overrides: Partial<SourceListing> = {}): SourceListing {
  ids += 1
  return {
    source: 'portal_a',
    listingId: String(ids),
    priceBasis: 'asking',
    operation: 'sale',
    propertyType: 'homes',
    currency: 'EUR',
    latitude: 41 + ids / 100,
    longitude: 2,
    squareMeters: 80,
    plotSquareMeters: null,
    bedrooms: 3,
    bathrooms: 2,
    condition: 'good',
    floor: 3,
    yearBuilt: null,
    subtype: null,
    amenities: null,
    price: 300_000,
    seenAt: day(1),
    ...overrides,
  }
}

/** Waits for the result of a batch. Returns its counts of created, updated, unchanged, joined and skipped listings. */
export async function toCounts(stored: Promise<StoreCounts>): Promise<number[]> {
  const { created, updated, unchanged, joined, skipped } = await stored
  return [created, updated, unchanged, joined, skipped.length]
}

/** Call it at the top of a test file: opens a new database, and closes it at the end. */
export function prepareMarket() {
  let url: string
  let database: Database
  beforeAll(async () => {
    url = await makeDatabase()
    database = openAnother()
  })
  afterAll(() => database.close())
  beforeEach(() => sql`truncate market_properties cascade`.execute(database.owner))

  /** Opens the database once more, as another process would. */
  const openAnother = () => openDatabase(url, { identifierKey: testIdentifierKey, onError: () => {} })
  const readProperties = () =>
    database.owner
      .selectFrom('market_properties')
      .selectAll()
      .orderBy('latitude')
      .orderBy('price', 'desc')
      .execute()
  const readListings = () =>
    database.owner.selectFrom('market_listings').selectAll().orderBy('listing_key').execute()
  /** Reads the stored prices, each with its day of October. */
  const readPriceHistory = async () => {
    const rows = await database.owner
      .selectFrom('market_prices')
      .select(['seen_at', 'price'])
      .orderBy('seen_at')
      .execute()
    return rows.map(({ seen_at, price }) => [seen_at.getUTCDate(), Number(price)])
  }
  return {
    openAnother,
    readProperties,
    readListings,
    readPriceHistory,
    get database() {
      return database
    },
    store: (listings: SourceListing[], environment: Environment = 'live', target = database) =>
      fillMarket(target, environment, listings),
    readAll: async () => [await readProperties(), await readListings(), await readPriceHistory()],
  }
}
