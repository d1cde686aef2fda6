/** How adverts become properties of the market: each property once, by however many adverts it is offered. */
import { metersBetween } from '../../domain/geo.ts'
import { areasAround, cellOf, rangesAround, sizeClassOf } from '../../domain/valuation/place-cells.ts'
import {
  isSameProperty,
  likenessesNear,
  likenessOf,
  pinToleranceMeters,
} from '../../domain/valuation/same-property.ts'
import type { Environment } from '../../kit/db/index.ts'
import { fitAdvert, type MarketAdvert, type OfferedAdvert, type SkipReason } from './advert.ts'
import { type Market, marketNameOf } from './market-key.ts'
import { newProperty, printOf, withAdvert } from './property.ts'
import type { MarketDatabase, PropertyRow } from './queries.ts'
import * as queries from './queries.ts'

/** How many adverts became what. */
export interface StoredAdverts {
  /** Properties that were not known. */
  created: number
  /** Known adverts that say something else than before. */
  updated: number
  unchanged: number
  /** New adverts of properties that are known from others. */
  joined: number
  /** Those that were not stored, by their place in the batch. */
  skipped: { at: number; reason: SkipReason }[]
}

/** More than the rule allows, lest rounding decides. */
const searchMeters = pinToleranceMeters + 1

/**
 * Stores a batch in the caller's transaction. Best done last in it: until its end, nobody else writes in the same areas, 10 km
 * or so wide. Whoever does so takes areas and rows in one order, so that nobody waits for each other; who asks twice in one
 * transaction, may. The same batch again changes nothing.
 */
export async function storeMarketAdverts(
  tx: MarketDatabase,
  { environment, adverts }: { environment: Environment; adverts: OfferedAdvert[] },
): Promise<StoredAdverts> {
  const stored: StoredAdverts = { created: 0, updated: 0, unchanged: 0, joined: 0, skipped: [] }
  const fit = adverts.flatMap((advert, at) => {
    const judged = fitAdvert(advert)
    if (typeof judged !== 'string') return judged
    stored.skipped.push({ at, reason: judged })
    return []
  })
  if (fit.length === 0) return stored
  // Sent together: the answer to the second is not older than the lock.
  const locked = queries.lockAreas(
    tx,
    environment,
    fit.flatMap(advert => areasAround(advert, searchMeters)),
  )
  for (const some of eachOnce(fit)) await storeOnce(tx, environment, some, stored, locked)
  return stored
}

/** In parts in each of which no advert is twice. */
function eachOnce(adverts: MarketAdvert[]): MarketAdvert[][] {
  const parts: Map<string, MarketAdvert>[] = []
  for (const advert of adverts) {
    const name = `${advert.source} ${advert.advertId}`
    const part = parts.findLastIndex(part => part.has(name)) + 1
    parts[part] ??= new Map()
    parts[part].set(name, advert)
  }
  return parts.map(part => [...part.values()])
}

async function storeOnce(
  tx: MarketDatabase,
  environment: Environment,
  adverts: MarketAdvert[],
  stored: StoredAdverts,
  locked: Promise<void>,
): Promise<void> {
  const [, found] = await Promise.all([locked, queries.findAdverts(tx, environment, adverts)])
  // What was for sale and is now for rent is on another market: another property to compare with.
  const here = found.filter(row => marketNameOf(row) === marketNameOf(adverts[row.at]!))
  const known = new Map(here.map(({ at, ...row }) => [adverts[at]!, row]))
  const unknown = adverts.filter(advert => !known.has(advert))
  const desk = openDesk(await findLike(tx, environment, unknown))
  for (const advert of unknown) stored[desk.place(advert)] += 1
  const seen: MarketAdvert[] = []
  for (const [advert, { print, advertSeenAt, ...property }] of known) {
    // Older than what is known, it tells no more than that it was there.
    const tells = print !== printOf(advert) && advert.seenAt.epochMilliseconds >= advertSeenAt.getTime()
    stored[tells ? 'updated' : 'unchanged'] += 1
    if (tells) desk.add(property, advert)
    else seen.push(advert)
  }
  if (desk.writing.adverts.length > 0) await queries.write(tx, environment, desk.finish())
  if (seen.length > 0) await queries.noteSeen(tx, environment, seen)
}

/** By advert, the properties that it may be of. */
async function findLike(
  tx: MarketDatabase,
  environment: Environment,
  adverts: MarketAdvert[],
): Promise<Map<MarketAdvert, PropertyRow[]>> {
  const wanted = adverts.flatMap((advert, at) =>
    mayBeKnown(advert) ? wantedOf(advert).map(place => ({ at, ...place })) : [],
  )
  const found = await queries.findCandidates(tx, environment, wanted)
  return Map.groupBy(found, ({ at }) => adverts[at]!)
}

/** A sale is recorded once. */
function mayBeKnown({ priceBasis }: Market): boolean {
  return priceBasis === 'asking'
}

function wantedOf(advert: MarketAdvert): Omit<queries.Wanted, 'at'>[] {
  const ranges = rangesAround(advert, searchMeters)
  return likenessesNear(marketNameOf(advert), advert).flatMap(likeness =>
    ranges.map(range => ({ ...range, likeness })),
  )
}

interface Desk {
  writing: Omit<queries.Writing, 'properties'>
  /** A new advert: of a property that is known, or of one that is new with it. */
  place(advert: MarketAdvert): 'joined' | 'created'
  /** What an advert says of its property. */
  add(property: PropertyRow, advert: MarketAdvert): void
  finish(): queries.Writing
}

/** Where a batch is laid out, adverts one after the other, before it is written at once. */
function openDesk(like: Map<MarketAdvert, PropertyRow[]>): Desk {
  const properties = new Map<string, PropertyRow>()
  const fresh = new Map<string, PropertyRow[]>()
  const writing: Desk['writing'] = { adverts: [], prices: [] }
  const note = (property: PropertyRow, { source, advertId, price, seenAt }: MarketAdvert, print: string) => {
    properties.set(property.id, property)
    const row = { propertyId: property.id, price, seenAt: seenAt.toString() }
    writing.adverts.push({ ...row, source, advertId, print })
    return row
  }
  const add: Desk['add'] = (given, advert) => {
    const property = properties.get(given.id) ?? given
    const row = note(withAdvert(property, advert), advert, printOf(advert))
    const isLater = advert.seenAt.epochMilliseconds >= property.lastSeenAt.getTime()
    if (!isLater || property.price !== advert.price) writing.prices.push(row)
  }
  return {
    writing,
    add,
    place(advert) {
      const group = `${marketNameOf(advert)} ${advert.bedrooms}`
      const known = mayBeKnown(advert) ? [...(like.get(advert) ?? []), ...(fresh.get(group) ?? [])] : []
      const same = nearestSame(
        known.map(property => properties.get(property.id) ?? property),
        advert,
      )
      if (same) {
        add(same, advert)
        return 'joined'
      }
      const property = newProperty(advert)
      writing.prices.push(note(property, advert, printOf(advert)))
      const others = fresh.get(group)
      if (others) others.push(property)
      else fresh.set(group, [property])
      return 'created'
    },
    finish: () => ({
      properties: [...properties.values()].map(property => ({
        ...property,
        ...{ cell: cellOf(property), sizeClass: sizeClassOf(property.squareMeters) },
        likeness: mayBeKnown(property) ? likenessOf(marketNameOf(property), property) : null,
      })),
      adverts: writing.adverts,
      // Of two prices at one moment the last is it.
      prices: [
        ...new Map(writing.prices.map(price => [`${price.propertyId} ${price.seenAt}`, price])).values(),
      ],
    }),
  }
}

function nearestSame(properties: PropertyRow[], advert: MarketAdvert): PropertyRow | undefined {
  return properties
    .filter(property => isSameProperty(property, advert))
    .map(property => ({ property, meters: metersBetween(property, advert) }))
    .sort((a, b) => a.meters - b.meters || (a.property.id < b.property.id ? -1 : 1))[0]?.property
}

/** Notes that adverts were seen as they are known. Of those that are not known, nothing. */
export async function keepMarketAdverts(
  tx: MarketDatabase,
  { environment, adverts }: { environment: Environment; adverts: queries.SeenAdvert[] },
): Promise<void> {
  if (adverts.length > 0) await queries.noteSeen(tx, environment, adverts)
}
