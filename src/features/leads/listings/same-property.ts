/** Finds the lead that shows the same property as a new listing: from another portal, or from a withdrawn listing. */
import { type RawBuilder, sql } from 'kysely'
import { type Comparison, compareProperties } from '../../../domain/dedupe/compare-properties.ts'
import { areaTolerance, areaToleranceSquareMeters } from '../../../domain/dedupe/gaps.ts'
import { toNearbyPlaceKeys } from '../../../domain/dedupe/place-keys.ts'
import type { PropertyFacts } from '../../../domain/dedupe/property-facts.ts'
import { metersPerDegree } from '../../../domain/geo.ts'
import type { Listing } from '../../../domain/listing/listing.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { toRow } from '../record/lead-columns.ts'

interface UnmatchedListing {
  listingId: string
  listing: Listing
}

/** A lead that may show the same property as a listing. */
export type SimilarLead = { otherLeadId: string } & Pick<Comparison, 'score' | 'reason'>

export interface KnownProperties {
  /** By listing id, the lead of the same property. */
  same: Map<string, string>
  /** By id of the other listings, leads that may show the same property, most similar first. */
  similar: Map<string, SimilarLead[]>
}

/** Per listing. Listings can not distinguish many flats of the same size in one building. */
const candidatesMax = 50
/** Possible duplicates per listing that people have to decide on. */
const similarMax = 5
/** Slightly wider than the limits of `compareProperties` (15 % and 250 m), so that rounding does not decide. */
const priceBound = 0.152
const boundMeters = 252
/** The value of `bedrooms_or_none` if the bedrooms are not stated. */
const notStated = -1
/** The bedroom counts to search for if the listing does not state them. */
const allBedroomCounts = Array.from({ length: 52 }, (_, index) => index + notStated)

type Candidate = PropertyFacts & { listingId: string; leadId: string }

/**
 * Finds the lead of each listing. If several leads are equally similar, none is taken: a duplicate is better than a
 * wrong match.
 */
export async function matchProperties(
  tx: Tx,
  platform: string,
  listings: UnmatchedListing[],
): Promise<KnownProperties> {
  const same = new Map<string, string>()
  const similar = new Map<string, SimilarLead[]>()
  const matchedLeadIds = new Set<string>()
  const byListing = Map.groupBy(await findCandidates(tx, platform, listings), ({ listingId }) => listingId)
  for (const { listingId, listing } of listings) {
    const candidates = byListing.get(listingId)?.filter(({ leadId }) => !matchedLeadIds.has(leadId)) ?? []
    const compared = compareAll(listing, candidates)
    const [best, second] = compared
    if (!best) continue
    if (best.verdict === 'same' && second?.score !== best.score) {
      same.set(listingId, best.leadId)
      matchedLeadIds.add(best.leadId)
    } else {
      similar.set(
        listingId,
        compared
          .slice(0, similarMax)
          .map(({ leadId: otherLeadId, score, reason }) => ({ otherLeadId, score, reason })),
      )
    }
  }
  return { same, similar }
}

/** The candidates that show, or may show, the property of the listing; certain ones first, then by score. */
function compareAll(listing: Listing, candidates: Candidate[]): (Comparison & { leadId: string })[] {
  const { phone, advertiserType } = listing.contact
  const facts: PropertyFacts = { ...listing, phone, advertiserType }
  return candidates
    .map(candidate => ({ leadId: candidate.leadId, ...compareProperties(facts, candidate) }))
    .filter(({ verdict }) => verdict !== 'different')
    .sort((a, b) => Number(b.verdict === 'same') - Number(a.verdict === 'same') || b.score - a.score)
}

/**
 * Leads with the same phone or place and about the same size that have no current listing on this portal. A withdrawn
 * listing does not count, because the property may be listed there again.
 */
async function findCandidates(tx: Tx, platform: string, listings: UnmatchedListing[]): Promise<Candidate[]> {
  const criteria = listings.map(toCriteria).filter(({ low }) => low !== null)
  const [pinned, unpinned] = [true, false].map(isPinned =>
    criteria.filter(({ cells }) => (cells !== null) === isPinned),
  )
  const found = await Promise.all([
    selectCandidates(tx, platform, pinned!, matchesPin),
    selectCandidates(tx, platform, unpinned!, matchesPhoneOrStreet),
  ])
  return found.flat()
}

// Each alternative has an index of its own. Two pins must be near each other: a listing with a pin finds leads by
// phone and street only if they have no pin.
const matchesPin = sql`(
  l.place_cell = any(i.cells) and l.bedrooms_or_none = any(i.bedroom_counts) and l.price_bucket between i.step_low and i.step_high
  or l.place_cell = any(i.cells) and l.price_bucket is null
  or l.phone = i.phone and l.place_cell is null
  or l.street_key = i.street and l.place_cell is null)`
const matchesPhoneOrStreet = sql`(l.phone = i.phone or l.street_key = i.street)`

/**
 * Excludes leads that contradict the listing here, in SQL: a city has too many leads of one place and size to compare
 * all.
 */
async function selectCandidates(
  tx: Tx,
  platform: string,
  criteria: Criteria[],
  condition: RawBuilder<unknown>,
): Promise<Candidate[]> {
  if (criteria.length === 0) return []
  const { rows } = await sql<Candidate>`
    select i.listing_id as "listingId", l.id as "leadId", l.phone, l.advertiser_type as "advertiserType", l.operation,
      l.property_type as "propertyType", l.square_meters::float8 as "squareMeters", l.price::float8 as price, l.bedrooms,
      l.bathrooms, l.floor, l.latitude, l.longitude, l.address, l.municipality, l.postcode, l.condition, l.features, l.title,
      l.description, l.images
    from jsonb_to_recordset(${sanitizeJson(criteria)}::jsonb) as i (listing_id text, phone text, cells bigint[], street bigint,
      low integer, high integer, operation text, property_type text, bedrooms integer, bedroom_counts integer[],
      bathrooms integer, floor float8, step_low integer, step_high integer, price_low float8, price_high float8, south float8, north float8, west float8,
      east float8)
    cross join lateral (
      select * from leads l
      where l.tenant_id = ${getTenantId(tx)} and ${condition} and l.rounded_square_meters between i.low and i.high
        -- A value that either side does not state is no contradiction. "is not false" also keeps the planner from using
        -- an index for these conditions.
        and (l.bedrooms = i.bedrooms) is not false
        and (l.bathrooms = i.bathrooms) is not false
        and (l.operation = i.operation) is not false
        and (l.property_type = i.property_type) is not false
        and (l.floor = i.floor or l.floor <> trunc(l.floor)) is not false
        and (nullif(l.price, 0)::float8 between i.price_low and i.price_high) is not false
        and (l.latitude between i.south and i.north and l.longitude between i.west and i.east) is not false
        -- A count, because the planner would turn "not exists" into a join over all sources of the portal.
        and (
          select count(*) from lead_sources s
          where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id and s.platform = ${platform} and s.withdrawn_at is null) = 0
      limit ${candidatesMax}) l`.execute(tx)
  return rows
}

type Criteria = ReturnType<typeof toCriteria>

/** The search criteria of a listing: no lead that may show its property is outside of these bounds. */
function toCriteria({ listingId, listing }: UnmatchedListing) {
  const { phone, operation, property_type, bedrooms, bathrooms, floor, latitude, longitude, ...row } =
    toRow(listing)
  const { cells, street } = toNearbyPlaceKeys(listing)
  return {
    listing_id: listingId,
    phone,
    cells: cells.length > 0 ? cells : null,
    street,
    operation,
    property_type,
    bedrooms,
    bedroom_counts: bedrooms === null ? allBedroomCounts : [notStated, bedrooms],
    bathrooms,
    // A mezzanine contradicts no other floor.
    floor: Number.isInteger(floor) ? floor : null,
    ...toSizeRange(row.square_meters),
    ...toPriceRange(row.price),
    ...toBounds(latitude, longitude),
  }
}

/** The price range, also in steps of 5 % as in the column `price_bucket`. */
function toPriceRange(price: number | null) {
  if (!price || price < 0) return { step_low: -(2 ** 31), step_high: 2 ** 31 - 1 }
  const [low, high] = [price * (1 - priceBound), price / (1 - priceBound)]
  const toStep = (price: number) => Math.floor(Math.log(price) * 20)
  return { price_low: low, price_high: high, step_low: toStep(low), step_high: toStep(high) }
}

/** Two pins of one property are near each other; without a pin there are no bounds. */
function toBounds(latitude: number | null, longitude: number | null) {
  if (latitude === null || longitude === null) return {}
  const latitudeReach = boundMeters / metersPerDegree
  const longitudeReach = latitudeReach / Math.max(Math.cos((latitude * Math.PI) / 180), 0.01)
  return {
    south: latitude - latitudeReach,
    north: latitude + latitudeReach,
    west: longitude - longitudeReach,
    east: longitude + longitudeReach,
  }
}

/** Null without a size: then no lead is similar enough. */
function toSizeRange(squareMeters: number | null) {
  if (squareMeters === null) return { low: null, high: null }
  const tolerance = Math.max(squareMeters * areaTolerance * 1.05, areaToleranceSquareMeters)
  return { low: Math.floor(squareMeters - tolerance), high: Math.ceil(squareMeters + tolerance) }
}
