/** The SQL statements that fill the market: find known listings and candidate properties, write both. */
import { type Kysely, sql } from 'kysely'
import type { Characteristics, Comparable } from '../../domain/valuation/property.ts'
import { hashValues } from '../../kit/db/hash-identifiers.ts'
import type { Environment } from '../../kit/db/index.ts'
import type { DB } from '../../kit/db/tables.generated.ts'
import { sanitizeJson } from '../../kit/sanitize-text.ts'
import type { Market } from './market-key.ts'

/** A transaction of a tenant or of none: the market is shared by all tenants. */
export type MarketDatabase = Kysely<DB>

export type PropertyRow = Market &
  Characteristics & { id: string; price: number; firstSeenAt: Date; lastSeenAt: Date }

/** SQL: the columns of `PropertyRow`, of a property `p`. */
export const propertyColumns = sql.raw(`
  p.id, p.operation, p.property_type as "propertyType", p.currency, p.price_basis as "priceBasis", p.latitude, p.longitude,
  p.square_meters as "squareMeters", p.plot_square_meters as "plotSquareMeters", p.bedrooms, p.bathrooms, p.condition, p.floor,
  p.year_built as "yearBuilt", p.subtype, p.amenities, p.price, p.first_seen_at as "firstSeenAt", p.last_seen_at as "lastSeenAt"`)

export type MarketComparable = Comparable & Market

export function toComparable({ firstSeenAt: _, lastSeenAt, ...row }: PropertyRow): MarketComparable {
  return { ...row, seenAt: Temporal.Instant.fromEpochMilliseconds(lastSeenAt.getTime()) }
}

/** The first keys of the advisory locks; arbitrary numbers that no other advisory lock uses. */
const lockNamespaces = { live: 20_280_001, test: 20_280_002 }
/** The most locks of one batch: a batch may span a country, and the lock table of the server is limited. */
const locksMax = 512

/** Locks areas against other writers until the end of the transaction. Waits while another transaction holds them. */
export async function lockAreas(
  tx: MarketDatabase,
  environment: Environment,
  areas: Iterable<number>,
): Promise<void> {
  // Every transaction takes the locks in the same order, which rules out deadlocks.
  const keys = [...new Set([...areas].map(area => area % locksMax))].sort((a, b) => a - b)
  await sql`
    select pg_advisory_xact_lock(${lockNamespaces[environment]}, area) from unnest(${keys}::int[]) area`.execute(
    tx,
  )
}

export interface ListingRef {
  source: string
  listingId: string
}

const listingKeyBytes = 16

/** Keyed hashes of listing ids. The suppression list uses other hashes, so the two tables cannot be linked. */
function toListingKeys(tx: MarketDatabase, listings: readonly ListingRef[]): Buffer[] {
  const names = listings.map(({ source, listingId }) => `${source} ${listingId}`)
  return hashValues(tx, 'market', names).map(hash => hash.subarray(0, listingKeyBytes))
}

export type KnownListing = PropertyRow & {
  /** The position in the list of requested listings. */
  index: number
  checksum: string
  listingSeenAt: Date
}

/** Finds the stored listings, each with its property. Unknown listings are omitted. */
export async function findListings(
  tx: MarketDatabase,
  environment: Environment,
  listings: ListingRef[],
): Promise<KnownListing[]> {
  const { rows } = await sql<KnownListing>`
    select i.position - 1 as index, l.checksum, l.last_seen_at as "listingSeenAt", ${propertyColumns}
    from unnest(${listings.map(({ source }) => source)}::text[], ${toListingKeys(tx, listings)}::bytea[])
      with ordinality i (source, listing_key, position)
    join market_listings l on l.environment = ${environment} and l.source = i.source and l.listing_key = i.listing_key
    join market_properties p on p.id = l.property_id`.execute(tx)
  return rows
}

/** A search for the property of a listing: a range of place cells, and the fingerprint that its listings share. */
export interface CandidateSearch {
  index: number
  low: number
  high: number
  fingerprint: number
}

/** The most candidates of one range: a new building has many similar flats. */
const candidatesMax = 50

/** Finds the properties that match a search, with the `index` of the search. */
export async function findCandidates(
  tx: MarketDatabase,
  environment: Environment,
  searches: CandidateSearch[],
): Promise<(PropertyRow & { index: number })[]> {
  if (searches.length === 0) return []
  const toColumn = (name: keyof CandidateSearch) => searches.map(one => one[name])
  const { rows } = await sql<PropertyRow & { index: number }>`
    select i.index, ${propertyColumns}
    from unnest(${toColumn('index')}::int[], ${toColumn('low')}::bigint[], ${toColumn('high')}::bigint[], ${toColumn('fingerprint')}::int[])
      i (index, low, high, fingerprint)
    cross join lateral (
      select * from market_properties
      where environment = ${environment} and fingerprint = i.fingerprint and cell between i.low and i.high
      limit ${candidatesMax}) p`.execute(tx)
  return rows
}

export interface MarketWrite {
  properties: (PropertyRow & { cell: number; sizeClass: number; fingerprint: number | null })[]
  listings: (ListingRef & { propertyId: string; price: number; checksum: string; seenAt: string })[]
  /** A price is stored only if it differs from the one before. */
  prices: { propertyId: string; seenAt: string; price: number }[]
}

/** Writes properties, listings and prices. All writers write rows in the same order, which rules out deadlocks. */
export async function writeMarket(
  tx: MarketDatabase,
  environment: Environment,
  { properties, listings, prices }: MarketWrite,
): Promise<void> {
  const keys = toListingKeys(tx, listings)
  const keyed = listings.map(({ listingId: _, ...listing }, index) => ({
    ...listing,
    listingKey: `\\x${keys[index]!.toString('hex')}`,
  }))
  await sql`
    with properties as (
      insert into market_properties as p (id, environment, operation, property_type, currency, price_basis, latitude, longitude,
        cell, size_class, fingerprint, square_meters, plot_square_meters, bedrooms, bathrooms, condition, floor, year_built, subtype,
        amenities, price, first_seen_at, last_seen_at)
      select id, ${environment}, operation, "propertyType", currency, "priceBasis", latitude, longitude,
        cell, "sizeClass", fingerprint, "squareMeters", "plotSquareMeters", bedrooms, bathrooms, condition, floor, "yearBuilt", subtype,
        amenities, price, "firstSeenAt", "lastSeenAt"
      from jsonb_to_recordset(${sanitizeJson(properties)}::jsonb) as i (id uuid, operation text, "propertyType" text,
        currency text, "priceBasis" text, latitude float8, longitude float8, cell bigint, "sizeClass" smallint,
        fingerprint integer, "squareMeters" float8, "plotSquareMeters" float8, bedrooms smallint, bathrooms float8,
        condition text, floor float8, "yearBuilt" smallint, subtype text, amenities integer, price bigint,
        "firstSeenAt" timestamptz, "lastSeenAt" timestamptz)
      order by id
      on conflict (id) do update set latitude = excluded.latitude, longitude = excluded.longitude, cell = excluded.cell,
        size_class = excluded.size_class, fingerprint = excluded.fingerprint, square_meters = excluded.square_meters,
        plot_square_meters = excluded.plot_square_meters, bedrooms = excluded.bedrooms, bathrooms = excluded.bathrooms,
        condition = excluded.condition, floor = excluded.floor, year_built = excluded.year_built, subtype = excluded.subtype,
        amenities = excluded.amenities, price = excluded.price,
        first_seen_at = least(p.first_seen_at, excluded.first_seen_at), last_seen_at = greatest(p.last_seen_at, excluded.last_seen_at)
    ), listings as (
      insert into market_listings as l (environment, source, listing_key, property_id, price, checksum, first_seen_at, last_seen_at)
      select ${environment}, i.source, i."listingKey", i."propertyId", i.price, i.checksum, i."seenAt", i."seenAt"
      from jsonb_to_recordset(${sanitizeJson(keyed)}::jsonb) as i (source text, "listingKey" bytea, "propertyId" uuid,
        price bigint, checksum text, "seenAt" timestamptz)
      order by 2, 3
      on conflict (environment, source, listing_key) do update set property_id = excluded.property_id, price = excluded.price,
        checksum = excluded.checksum, last_seen_at = greatest(l.last_seen_at, excluded.last_seen_at)
    )
    insert into market_prices (property_id, seen_at, price)
    select i."propertyId", i."seenAt", i.price
    from jsonb_to_recordset(${sanitizeJson(prices)}::jsonb) as i ("propertyId" uuid, "seenAt" timestamptz, price bigint)
    where i.price is distinct from (
      select h.price from market_prices h where h.property_id = i."propertyId" and h.seen_at <= i."seenAt"
      order by h.seen_at desc limit 1)
    order by 1, 2
    on conflict (property_id, seen_at) do update set price = excluded.price`.execute(tx)
}

export interface SeenListing extends ListingRef {
  seenAt: Temporal.Instant
}

/**
 * Extends the time spans in which known listings and their properties were seen; unknown listings are ignored. Rows that
 * another transaction has locked are skipped: that transaction records them as seen.
 */
export async function updateSeenAt(
  tx: MarketDatabase,
  environment: Environment,
  seen: SeenListing[],
): Promise<void> {
  const times = seen.map(({ seenAt }) => seenAt.toString())
  await sql`
    with found as (
      select l.source, l.listing_key, i.seen_at
      from unnest(${seen.map(({ source }) => source)}::text[], ${toListingKeys(tx, seen)}::bytea[],
        ${times}::timestamptz[]) i (source, listing_key, seen_at)
      join market_listings l on l.environment = ${environment} and l.source = i.source and l.listing_key = i.listing_key
      where i.seen_at not between l.first_seen_at and l.last_seen_at
      for no key update of l skip locked
    ), seen_listings as (
      update market_listings l
      set first_seen_at = least(l.first_seen_at, f.seen_at), last_seen_at = greatest(l.last_seen_at, f.seen_at)
      from found f where l.environment = ${environment} and l.source = f.source and l.listing_key = f.listing_key
      returning l.property_id, f.seen_at
    ), properties as (
      select property_id as id, min(seen_at) as first_seen_at, max(seen_at) as last_seen_at from seen_listings group by 1
    ), free as (
      select p.id, s.first_seen_at, s.last_seen_at from properties s join market_properties p on p.id = s.id
      for no key update of p skip locked
    )
    update market_properties p
    set first_seen_at = least(p.first_seen_at, f.first_seen_at), last_seen_at = greatest(p.last_seen_at, f.last_seen_at)
    from free f where p.id = f.id`.execute(tx)
}
