/** Searches comparable properties near a place, through an index of place cells and size classes. */
import { type RawBuilder, sql } from 'kysely'
import {
  type Bounds,
  coverRadius,
  findRangesAround,
  type NearRange,
  toNearbySizeClasses,
  toSizeClass,
} from '../../domain/valuation/place-cells.ts'
import { operations, type Place, propertyTypes } from '../../domain/valuation/property.ts'
import { areaFactorMax, bedroomsDifferenceMax } from '../../domain/valuation/similarity.ts'
import type { Environment } from '../../kit/db/index.ts'
import type { Market } from './market-key.ts'
import { areas } from './market-listing.ts'
import {
  type MarketComparable,
  type MarketDatabase,
  type PropertyRow,
  propertyColumns,
  toComparable,
} from './queries.ts'

export interface ComparablesQuery extends Place, Pick<Market, 'operation' | 'propertyType'> {
  environment: Environment
  /** If omitted: any. */
  currency?: string
  /** If omitted: any. */
  priceBasis?: Market['priceBasis']
  /**
   * A radius around the place, in kilometres; or the corners of a polygon. The polygon need not contain the place, nor repeat
   * its first corner at the end.
   */
  area: { radiusKm: number } | { polygon: Place[] }
  squareMeters: number
  /** Null: any. */
  bedrooms: number | null
  /** The most properties to find, or to count. */
  limit: number
  /** Only properties seen after this moment. */
  seenAfter?: Temporal.Instant
}

/** Measured optimum: finer ranges cost more index look-ups, coarser ones read more rows that are too far away. */
const rangeResolution = { smallestMeters: 60, shareOfDistance: 1 }

/**
 * Finds similar properties in the area, nearest first, then by id: `limit` of them at most. The result equals that of a full
 * scan. It takes milliseconds, unless very many properties are near and hardly any of them is similar.
 */
export async function findComparables(
  tx: MarketDatabase,
  query: ComparablesQuery,
): Promise<MarketComparable[]> {
  const { limit } = query
  const { ranges, near } = toSearchSql(query)
  // `met` reads the ranges from the nearest on until it has `limit` rows; no result is farther than the farthest of these.
  // The limit may cut off the last range. That range, and later ones that begin within this distance, may contain nearer
  // properties: the second part of `nearest` reads them.
  const { rows } = await sql<PropertyRow>`
    with met as materialized (
      select i.number, p.id, p.meters from ${ranges} cross join lateral (${near}) p limit ${limit}
    ), reached as materialized (
      select max(number) as number, max(meters) as meters, count(*) = ${limit} as is_full from met
    ), nearest as (
      select met.id, met.meters from met, reached where met.number < reached.number or not reached.is_full
      union all
      select p.id, p.meters from ${ranges} cross join lateral (${near}) p
      where (select is_full from reached) and i.number >= (select number from reached)
        and i.near <= (select meters from reached) and p.meters <= (select meters from reached)
      order by meters, id
      limit ${limit}
    )
    select ${propertyColumns} from nearest n join market_properties p on p.id = n.id order by n.meters, n.id`.execute(
    tx,
  )
  return rows.map(toComparable)
}

/** Counts the similar properties in the area, up to `limit`. */
export async function countComparables(tx: MarketDatabase, query: ComparablesQuery): Promise<number> {
  const { ranges, near } = toSearchSql(query)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from ${ranges} cross join lateral (${near}) p limit ${query.limit}) found`.execute(tx)
  return rows[0]!.count
}

/** Finds properties by id (UUIDs), in no particular order. Unknown ids are ignored. */
export async function findComparablesById(
  tx: MarketDatabase,
  environment: Environment,
  ids: string[],
): Promise<MarketComparable[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<PropertyRow>`
    select ${propertyColumns} from market_properties p
    where p.environment = ${environment} and p.id = any(${ids}::uuid[])`.execute(tx)
  return rows.map(toComparable)
}

/** Returns true if a property is known within `meters` of the place. `kind`: its operation and type; null: any. */
export async function hasPropertyNear(
  tx: MarketDatabase,
  environment: Environment,
  { latitude, longitude }: Place,
  meters: number,
  kind: Pick<Market, 'operation' | 'propertyType'> | null = null,
): Promise<boolean> {
  const ranges = findRangesAround({ latitude, longitude }, meters)
  // Lists every size class: without one, the index cannot be used.
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from unnest(${kind ? [kind.operation] : [...operations]}::text[]) o (operation),
        unnest(${kind ? [kind.propertyType] : [...propertyTypes]}::text[]) t (type),
        generate_series(${toSizeClass(areas.min)}::int, ${toSizeClass(areas.max)}::int) s (size),
        unnest(${ranges.map(({ low }) => low)}::bigint[], ${ranges.map(({ high }) => high)}::bigint[]) i (low, high)
      cross join lateral (
        select from market_properties p
        where p.environment = ${environment} and p.operation = o.operation and p.property_type = t.type
          and p.size_class = s.size::smallint and p.cell between i.low and i.high
          and meters_between(${latitude}, ${longitude}, p.latitude, p.longitude) <= ${meters}
        limit 1) near) as found`.execute(tx)
  return rows[0]!.found
}

/**
 * The SQL of a search. `ranges`: a table `i` of cell ranges, nearest first. `near`: the similar properties of one such range
 * that are in the area, with id and distance in metres, read from the index only.
 */
function toSearchSql(query: ComparablesQuery): { ranges: RawBuilder<unknown>; near: RawBuilder<unknown> } {
  const { environment, operation, propertyType, currency, priceBasis, seenAfter } = query
  const { latitude, longitude, squareMeters, bedrooms, area } = query
  const { radiusMeters, within } = toExtent(query)
  const cover = coverRadius(query, radiusMeters, { ...rangeResolution, within })
  const toColumn = (name: keyof NearRange) => cover.map(range => range[name])
  const conditions = [
    sql`p.environment = ${environment} and p.operation = ${operation} and p.property_type = ${propertyType}`,
    sql`p.size_class = any(${toNearbySizeClasses(squareMeters, areaFactorMax)}::smallint[])`,
    sql`p.cell between i.low and i.high`,
    sql`p.square_meters between ${squareMeters / areaFactorMax}::float8 and ${squareMeters * areaFactorMax}::float8`,
  ]
  if (bedrooms !== null)
    conditions.push(
      sql`(p.bedrooms between ${bedrooms - bedroomsDifferenceMax} and ${bedrooms + bedroomsDifferenceMax}) is not false`,
    )
  if (currency !== undefined) conditions.push(sql`p.currency = ${currency}`)
  if (priceBasis !== undefined) conditions.push(sql`p.price_basis = ${priceBasis}`)
  if (seenAfter !== undefined) conditions.push(sql`p.last_seen_at > ${seenAfter.toString()}::timestamptz`)
  conditions.push(
    'radiusKm' in area
      ? sql`m.meters <= ${radiusMeters}::float8`
      : sql`${formatPolygon(area.polygon)}::polygon @> point(p.longitude * ${polygonScale}::float8, p.latitude * ${polygonScale}::float8)`,
  )
  return {
    ranges: sql`unnest(${toColumn('low')}::bigint[], ${toColumn('high')}::bigint[], ${toColumn('nearMeters')}::float8[])
      with ordinality i (low, high, near, number)`,
    near: sql`
      select p.id, m.meters from market_properties p
      cross join lateral (select meters_between(${latitude}, ${longitude}, p.latitude, p.longitude) as meters) m
      where ${sql.join(conditions, sql` and `)}
      -- Without it, the planner scans all properties and joins the ranges to them.
      offset 0`,
  }
}

/** The extent of the area: a radius in metres around the place, or the bounding box of the polygon. */
function toExtent({ area }: ComparablesQuery): { radiusMeters: number; within: Bounds | null } {
  if ('radiusKm' in area) return { radiusMeters: area.radiusKm * 1000, within: null }
  const latitudes = area.polygon.map(({ latitude }) => latitude)
  const longitudes = area.polygon.map(({ longitude }) => longitude)
  const within = {
    south: Math.min(...latitudes),
    north: Math.max(...latitudes),
    west: Math.min(...longitudes),
    east: Math.max(...longitudes),
  }
  return { radiusMeters: Number.POSITIVE_INFINITY, within }
}

/**
 * PostgreSQL compares geometry with a tolerance of 1e-6, here in squared units. In degrees, points 100 m and more outside a
 * small polygon would count as inside, so the polygon is measured in millionths of a degree.
 */
const polygonScale = 1e6

function formatPolygon(polygon: Place[]): string {
  const corners = polygon.map(
    ({ latitude, longitude }) => `(${longitude * polygonScale},${latitude * polygonScale})`,
  )
  return `(${corners.join(',')})`
}
