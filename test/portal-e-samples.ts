/** Feeds, filters and places for the tests of portal E. */
import { gunzipSync } from 'node:zlib'
import type { Place } from '../src/domain/location/place.ts'
import type { FeedItem, Unreadable } from '../src/plugins/portal.ts'
import { portalE } from '../src/plugins/portals/portal-e.ts'

export type Filters = Parameters<typeof portalE.search.matches>[1]

const PIECE_LENGTH = 65_536
export const URL_OF_FEED = 'https://portal-e.example/feeds/kyero-v3.xml.gz'
export const VIGO = placeOf('municipality', 'Vigo', 42.2328, -8.7226)
export const SPAIN = placeOf('country', 'España', 40, -4)

export function placeOf(
  type: Place['type'],
  name: string,
  latitude: number,
  longitude: number,
  ...more: string[]
): Place {
  return {
    id: 'ES-1',
    name,
    names: [name, ...more],
    type,
    parentId: null,
    country: 'ES',
    latitude,
    longitude,
    population: null,
  }
}

export function filtersOf(more: Partial<Filters>): Filters {
  return { operation: 'sale', location: { id: 'spain_pontevedra_vigo', label: 'Vigo' }, ...more }
}

interface ReadFeed {
  items: FeedItem[]
  end: Unreadable | null
}

/** The whole feed of the portal at `origin`, as the definition asks for it. */
export async function readFeed(origin: string): Promise<ReadFeed> {
  const { path } = portalE.search.request(filtersOf({}), { place: VIGO, since: null })
  const reply = await fetch(origin + path)
  const body = Buffer.from(await reply.arrayBuffer())
  return readText((body[0] === 0x1f ? gunzipSync(body) : body).toString(), reply.url)
}

/** A feed in pieces of that length. */
export function readText(text: string, url = URL_OF_FEED, pieceLength = PIECE_LENGTH): ReadFeed {
  const reader = portalE.search.open(url)
  const items: FeedItem[] = []
  for (let at = 0; at < text.length; at += pieceLength)
    items.push(...reader.push(text.slice(at, at + pieceLength)))
  return { items, end: reader.end() }
}
