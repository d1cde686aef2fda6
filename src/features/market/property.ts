/** What is known of a property, and what an advert of it adds. */
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

/** All that an advert says, condensed: it says something else if this is another. */
export function toChecksum(listing: MarketListing): string {
  const values = [formatMarketKey(listing), listing.price, ...characteristics.map(name => listing[name])]
  return hash('sha256', JSON.stringify(values), 'base64url').slice(0, 16)
}

export function newProperty(listing: MarketListing): PropertyRow {
  const { source: _source, listingId: _advertId, seenAt, ...facts } = listing
  const seen = new Date(seenAt.epochMilliseconds)
  return { ...facts, id: newId(), firstSeenAt: seen, lastSeenAt: seen }
}

/** Whoever speaks later is believed; what they leave open stays as it was. */
export function mergeListing(property: PropertyRow, listing: MarketListing): PropertyRow {
  const seen = new Date(listing.seenAt.epochMilliseconds)
  const isLater = seen >= property.lastSeenAt
  const [base, over] = isLater ? [property, listing] : [listing, property]
  const known = characteristics.map(name => [name, over[name] ?? base[name]])
  return {
    ...property,
    ...Object.fromEntries(known),
    price: isLater ? listing.price : property.price,
    firstSeenAt: seen < property.firstSeenAt ? seen : property.firstSeenAt,
    lastSeenAt: isLater ? seen : property.lastSeenAt,
  }
}
