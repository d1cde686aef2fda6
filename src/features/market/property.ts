/** What is known of a property, and what an advert of it adds. */
import { hash } from 'node:crypto'
import { type Characteristics, facts } from '../../domain/valuation/property.ts'
import { newId } from '../../kit/id.ts'
import type { MarketAdvert } from './advert.ts'
import { marketNameOf } from './market-key.ts'
import type { PropertyRow } from './queries.ts'

const characteristics = [
  'latitude',
  'longitude',
  'squareMeters',
  ...facts,
  'amenities',
] as const satisfies (keyof Characteristics)[]

/** All that an advert says, condensed: it says something else if this is another. */
export function printOf(advert: MarketAdvert): string {
  const said = [marketNameOf(advert), advert.price, ...characteristics.map(name => advert[name])]
  return hash('sha256', JSON.stringify(said), 'base64url').slice(0, 16)
}

export function newProperty(advert: MarketAdvert): PropertyRow {
  const { source: _source, advertId: _advertId, seenAt, ...facts } = advert
  const seen = new Date(seenAt.epochMilliseconds)
  return { ...facts, id: newId(), firstSeenAt: seen, lastSeenAt: seen }
}

/** Whoever speaks later is believed; what they leave open stays as it was. */
export function withAdvert(property: PropertyRow, advert: MarketAdvert): PropertyRow {
  const seen = new Date(advert.seenAt.epochMilliseconds)
  const isLater = seen >= property.lastSeenAt
  const [base, over] = isLater ? [property, advert] : [advert, property]
  const known = characteristics.map(name => [name, over[name] ?? base[name]])
  return {
    ...property,
    ...Object.fromEntries(known),
    price: isLater ? advert.price : property.price,
    firstSeenAt: seen < property.firstSeenAt ? seen : property.firstSeenAt,
    lastSeenAt: isLater ? seen : property.lastSeenAt,
  }
}
