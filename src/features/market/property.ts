/** Merges listings into properties of the market. */
import { hash } from 'node:crypto'
import { type Characteristics, facts } from '../../domain/valuation/property.ts'
import { newId } from '../../kit/id.ts'
import { formatMarketKey } from './market-key.ts'
import type { MarketListing } from './market-listing.ts'
import type { PropertyRow } from './queries.ts'

const characteristics = [
  'latitude',
  'longitude',
  'squareMeters',
  ...facts,
  'amenities',
] as const satisfies (keyof Characteristics)[]

/** A checksum of all stored values of a listing; it changes when one of them changes. */
export function toChecksum(listing: MarketListing): string {
  const values = [formatMarketKey(listing), listing.price, ...characteristics.map(name => listing[name])]
  return hash('sha256', JSON.stringify(values), 'base64url').slice(0, 16)
}

/** Creates the property of a new listing. */
export function createProperty(listing: MarketListing): PropertyRow {
  const { source: _source, listingId: _listingId, seenAt, ...facts } = listing
  const seen = new Date(seenAt.epochMilliseconds)
  return { ...facts, id: newId(), firstSeenAt: seen, lastSeenAt: seen }
}

/** Merges a listing into its property. The later one of the two wins; its null values are filled from the other. */
export function mergeListing(property: PropertyRow, listing: MarketListing): PropertyRow {
  const seen = new Date(listing.seenAt.epochMilliseconds)
  const isLater = seen >= property.lastSeenAt
  const [earlier, later] = isLater ? [property, listing] : [listing, property]
  const merged = characteristics.map(name => [name, later[name] ?? earlier[name]])
  return {
    ...property,
    ...Object.fromEntries(merged),
    price: isLater ? listing.price : property.price,
    firstSeenAt: seen < property.firstSeenAt ? seen : property.firstSeenAt,
    lastSeenAt: isLater ? seen : property.lastSeenAt,
  }
}
