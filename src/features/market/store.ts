/** Stores listings as properties of the market. A property with several listings is stored once. */
import { metersBetween } from '../../domain/geo.ts'
import { findAreasAround, findRangesAround, toCell, toSizeClass } from '../../domain/valuation/place-cells.ts'
import {
  isSameProperty,
  pinToleranceMeters,
  toFingerprint,
  toNearbyFingerprints,
} from '../../domain/valuation/same-property.ts'
import type { Environment } from '../../kit/db/index.ts'
import { formatMarketKey, type Market } from './market-key.ts'
import { type MarketListing, type SkipReason, type SourceListing, toMarketListing } from './market-listing.ts'
import { createProperty, mergeListing, toChecksum } from './property.ts'
import type { MarketDatabase, PropertyRow } from './queries.ts'
import * as queries from './queries.ts'

/** The number of listings by result. */
export interface StoreCounts {
  /** Listings of new properties. */
  created: number
  /** Known listings that have changed. */
  updated: number
  unchanged: number
  /** New listings of known properties. */
  joined: number
  /** Listings that were not stored, by their position in the batch. */
  skipped: { index: number; reason: SkipReason }[]
}

/** One metre more than the rule allows, so that rounding excludes no candidate. */
const searchMeters = pinToleranceMeters + 1

/**
 * Stores a batch in the caller's transaction. Call it last in the transaction: until the end, it locks the areas of the
 * listings, about 10 km wide, against other writers. All writers lock areas and rows in the same order, which rules out
 * deadlocks; the locks are re-entrant within one transaction. Idempotent: the same batch again changes nothing.
 */
export async function storeMarketListings(
  tx: MarketDatabase,
  { environment, listings }: { environment: Environment; listings: SourceListing[] },
): Promise<StoreCounts> {
  const stored: StoreCounts = { created: 0, updated: 0, unchanged: 0, joined: 0, skipped: [] }
  const valid = listings.flatMap((listing, index) => {
    const checked = toMarketListing(listing)
    if (typeof checked !== 'string') return checked
    stored.skipped.push({ index, reason: checked })
    return []
  })
  if (valid.length === 0) return stored
  // The lock and the first query are sent together; the query runs after the lock is held.
  const locked = queries.lockAreas(
    tx,
    environment,
    valid.flatMap(listing => findAreasAround(listing, searchMeters)),
  )
  for (const unique of splitDuplicates(valid)) await storeUnique(tx, environment, unique, stored, locked)
  return stored
}

/** Splits a batch into parts; no part has the same listing twice. */
function splitDuplicates(listings: MarketListing[]): MarketListing[][] {
  const parts: Map<string, MarketListing>[] = []
  for (const listing of listings) {
    const name = `${listing.source} ${listing.listingId}`
    const part = parts.findLastIndex(part => part.has(name)) + 1
    parts[part] ??= new Map()
    parts[part].set(name, listing)
  }
  return parts.map(part => [...part.values()])
}

async function storeUnique(
  tx: MarketDatabase,
  environment: Environment,
  listings: MarketListing[],
  stored: StoreCounts,
  locked: Promise<void>,
): Promise<void> {
  const [, found] = await Promise.all([locked, queries.findListings(tx, environment, listings)])
  // A listing that changed from sale to rent belongs to another market, and becomes another property.
  const sameMarket = found.filter(row => formatMarketKey(row) === formatMarketKey(listings[row.index]!))
  const known = new Map(sameMarket.map(({ index, ...row }) => [listings[index]!, row]))
  const unknown = listings.filter(listing => !known.has(listing))
  const batch = createBatch(await findCandidateProperties(tx, environment, unknown))
  for (const listing of unknown) stored[batch.addNew(listing)] += 1
  const seen: MarketListing[] = []
  for (const [listing, { checksum, listingSeenAt, ...property }] of known) {
    // An older version changes no facts; it only extends the time in which the listing was seen.
    const hasChanged =
      checksum !== toChecksum(listing) && listing.seenAt.epochMilliseconds >= listingSeenAt.getTime()
    stored[hasChanged ? 'updated' : 'unchanged'] += 1
    if (hasChanged) batch.add(property, listing)
    else seen.push(listing)
  }
  if (batch.rows.listings.length > 0) await queries.writeMarket(tx, environment, batch.toWrite())
  if (seen.length > 0) await queries.updateSeenAt(tx, environment, seen)
}

/** Finds the properties that each listing may belong to. */
async function findCandidateProperties(
  tx: MarketDatabase,
  environment: Environment,
  listings: MarketListing[],
): Promise<Map<MarketListing, PropertyRow[]>> {
  const searches = listings.flatMap((listing, index) =>
    isMatchable(listing) ? toCandidateSearches(listing).map(search => ({ index, ...search })) : [],
  )
  const found = await queries.findCandidates(tx, environment, searches)
  return Map.groupBy(found, ({ index }) => listings[index]!)
}

/** Only listings are matched with each other: a sale has one record. */
function isMatchable({ priceBasis }: Market): boolean {
  return priceBasis === 'asking'
}

function toCandidateSearches(listing: MarketListing): Omit<queries.CandidateSearch, 'index'>[] {
  const ranges = findRangesAround(listing, searchMeters)
  return toNearbyFingerprints(formatMarketKey(listing), listing).flatMap(fingerprint =>
    ranges.map(range => ({ ...range, fingerprint })),
  )
}

interface Batch {
  rows: Omit<queries.MarketWrite, 'properties'>
  /** Adds a new listing: to a known property (`joined`), or with a new one (`created`). */
  addNew(listing: MarketListing): 'joined' | 'created'
  /** Merges a listing into its property. */
  add(property: PropertyRow, listing: MarketListing): void
  toWrite(): queries.MarketWrite
}

/** Collects the rows of a batch, listing by listing, before they are written at once. */
function createBatch(candidates: Map<MarketListing, PropertyRow[]>): Batch {
  const properties = new Map<string, PropertyRow>()
  const newProperties = new Map<string, PropertyRow[]>()
  const rows: Batch['rows'] = { listings: [], prices: [] }
  const addListing = (
    property: PropertyRow,
    { source, listingId, price, seenAt }: MarketListing,
    checksum: string,
  ) => {
    properties.set(property.id, property)
    const row = { propertyId: property.id, price, seenAt: seenAt.toString() }
    rows.listings.push({ ...row, source, listingId, checksum })
    return row
  }
  const add: Batch['add'] = (base, listing) => {
    const property = properties.get(base.id) ?? base
    const row = addListing(mergeListing(property, listing), listing, toChecksum(listing))
    const isLater = listing.seenAt.epochMilliseconds >= property.lastSeenAt.getTime()
    if (!isLater || property.price !== listing.price) rows.prices.push(row)
  }
  return {
    rows,
    add,
    addNew(listing) {
      const group = `${formatMarketKey(listing)} ${listing.bedrooms}`
      const known = isMatchable(listing)
        ? [...(candidates.get(listing) ?? []), ...(newProperties.get(group) ?? [])]
        : []
      const same = findNearestMatch(
        known.map(property => properties.get(property.id) ?? property),
        listing,
      )
      if (same) {
        add(same, listing)
        return 'joined'
      }
      const property = createProperty(listing)
      rows.prices.push(addListing(property, listing, toChecksum(listing)))
      const others = newProperties.get(group)
      if (others) others.push(property)
      else newProperties.set(group, [property])
      return 'created'
    },
    toWrite: () => ({
      properties: [...properties.values()].map(property => ({
        ...property,
        cell: toCell(property),
        sizeClass: toSizeClass(property.squareMeters),
        fingerprint: isMatchable(property) ? toFingerprint(formatMarketKey(property), property) : null,
      })),
      listings: rows.listings,
      // If a property has two prices at the same moment, the last one wins.
      prices: [...new Map(rows.prices.map(price => [`${price.propertyId} ${price.seenAt}`, price])).values()],
    }),
  }
}

function findNearestMatch(properties: PropertyRow[], listing: MarketListing): PropertyRow | undefined {
  return properties
    .filter(property => isSameProperty(property, listing))
    .map(property => ({ property, meters: metersBetween(property, listing) }))
    .sort((a, b) => a.meters - b.meters || (a.property.id < b.property.id ? -1 : 1))[0]?.property
}

/** Records that known listings were seen unchanged. Unknown ones are ignored. */
export async function recordListingsSeen(
  tx: MarketDatabase,
  { environment, listings }: { environment: Environment; listings: queries.SeenListing[] },
): Promise<void> {
  if (listings.length > 0) await queries.updateSeenAt(tx, environment, listings)
}
