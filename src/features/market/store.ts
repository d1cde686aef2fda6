/** How adverts become properties of the market: each property once, by however many adverts it is offered. */
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
import { mergeListing, newProperty, toChecksum } from './property.ts'
import type { MarketDatabase, PropertyRow } from './queries.ts'
import * as queries from './queries.ts'

/** How many adverts became what. */
export interface StoreCounts {
  /** Properties that were not known. */
  created: number
  /** Known adverts that say something else than before. */
  updated: number
  unchanged: number
  /** New adverts of properties that are known from others. */
  joined: number
  /** Those that were not stored, by their place in the batch. */
  skipped: { index: number; reason: SkipReason }[]
}

/** More than the rule allows, lest rounding decides. */
const searchMeters = pinToleranceMeters + 1

/**
 * Stores a batch in the caller's transaction. Best done last in it: until its end, nobody else writes in the same areas, 10 km
 * or so wide. Whoever does so takes areas and rows in one order, so that nobody waits for each other; who asks twice in one
 * transaction, may. The same batch again changes nothing.
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
  // Sent together: the answer to the second is not older than the lock.
  const locked = queries.lockAreas(
    tx,
    environment,
    valid.flatMap(listing => findAreasAround(listing, searchMeters)),
  )
  for (const unique of splitDuplicates(valid)) await storeUnique(tx, environment, unique, stored, locked)
  return stored
}

/** In parts in each of which no advert is twice. */
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
  // What was for sale and is now for rent is on another market: another property to compare with.
  const sameMarket = found.filter(row => formatMarketKey(row) === formatMarketKey(listings[row.index]!))
  const known = new Map(sameMarket.map(({ index, ...row }) => [listings[index]!, row]))
  const unknown = listings.filter(listing => !known.has(listing))
  const batch = createBatch(await findCandidateProperties(tx, environment, unknown))
  for (const listing of unknown) stored[batch.addNew(listing)] += 1
  const seen: MarketListing[] = []
  for (const [listing, { checksum, listingSeenAt, ...property }] of known) {
    // Older than what is known, it tells no more than that it was there.
    const hasChanged =
      checksum !== toChecksum(listing) && listing.seenAt.epochMilliseconds >= listingSeenAt.getTime()
    stored[hasChanged ? 'updated' : 'unchanged'] += 1
    if (hasChanged) batch.add(property, listing)
    else seen.push(listing)
  }
  if (batch.rows.listings.length > 0) await queries.writeMarket(tx, environment, batch.toWrite())
  if (seen.length > 0) await queries.updateSeenAt(tx, environment, seen)
}

/** By advert, the properties that it may be of. */
async function findCandidateProperties(
  tx: MarketDatabase,
  environment: Environment,
  listings: MarketListing[],
): Promise<Map<MarketListing, PropertyRow[]>> {
  const searches = listings.flatMap((listing, index) =>
    isMatchable(listing) ? toCandidateSearches(listing).map(addNew => ({ index, ...addNew })) : [],
  )
  const found = await queries.findCandidates(tx, environment, searches)
  return Map.groupBy(found, ({ index }) => listings[index]!)
}

/** A sale is recorded once. */
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
  /** A new advert: of a property that is known, or of one that is new with it. */
  addNew(listing: MarketListing): 'joined' | 'created'
  /** What an advert says of its property. */
  add(property: PropertyRow, listing: MarketListing): void
  toWrite(): queries.MarketWrite
}

/** Where a batch is laid out, adverts one after the other, before it is written at once. */
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
      const same = findNearestSame(
        known.map(property => properties.get(property.id) ?? property),
        listing,
      )
      if (same) {
        add(same, listing)
        return 'joined'
      }
      const property = newProperty(listing)
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
      // Of two prices at one moment the last is it.
      prices: [...new Map(rows.prices.map(price => [`${price.propertyId} ${price.seenAt}`, price])).values()],
    }),
  }
}

function findNearestSame(properties: PropertyRow[], listing: MarketListing): PropertyRow | undefined {
  return properties
    .filter(property => isSameProperty(property, listing))
    .map(property => ({ property, meters: metersBetween(property, listing) }))
    .sort((a, b) => a.meters - b.meters || (a.property.id < b.property.id ? -1 : 1))[0]?.property
}

/** Notes that adverts were seen as they are known. Of those that are not known, nothing. */
export async function recordListingsSeen(
  tx: MarketDatabase,
  { environment, listings }: { environment: Environment; listings: queries.SeenListing[] },
): Promise<void> {
  if (listings.length > 0) await queries.updateSeenAt(tx, environment, listings)
}
