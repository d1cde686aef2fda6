/** Feeds, filters and places for the tests of portal E. */
import { gunzipSync } from 'node:zlib'
import type { Place } from '../src/domain/location/place.ts'
import type { FeedItem, UnreadablePage } from '../src/plugins/portal.ts'
import { portalE } from '../src/plugins/portals/portal-e.ts'

export type Filters = Parameters<typeof portalE.search.matches>[1]

const defaultChunkLength = 65_536
export const feedUrl = 'https://portal-e.example/feeds/kyero-v3.xml.gz'
export const vigoPlace = makePlace('municipality', 'Vigo', 42.2328, -8.7226)
export const spain = makePlace('country', 'España', 40, -4)

export function makePlace(
  type: Place['type'],
  name: string,
  latitude: number,
  longitude: number,
  ...otherNames: string[]
): Place {
  return {
    id: 'ES-1',
    name,
    names: [name, ...otherNames],
    type,
    parentId: null,
    country: 'ES',
    latitude,
    longitude,
    population: null,
  }
}

export function makeFilters(more: Partial<Filters>): Filters {
  return { operation: 'sale', location: { id: 'spain_pontevedra_vigo', label: 'Vigo' }, ...more }
}

interface ReadFeed {
  items: FeedItem[]
  end: UnreadablePage | null
}

/** Reads the whole feed of the portal at `origin`. */
export async function readFeed(origin: string): Promise<ReadFeed> {
  const { path } = portalE.search.request(makeFilters({}), { place: vigoPlace, since: null })
  const reply = await fetch(origin + path)
  const body = Buffer.from(await reply.arrayBuffer())
  return parseFeedText((body[0] === 0x1f ? gunzipSync(body) : body).toString(), reply.url)
}

/** Parses a feed in chunks of this length. */
export function parseFeedText(text: string, url = feedUrl, chunkLength = defaultChunkLength): ReadFeed {
  const reader = portalE.search.createReader(url)
  const items: FeedItem[] = []
  for (let offset = 0; offset < text.length; offset += chunkLength)
    items.push(...reader.push(text.slice(offset, offset + chunkLength)))
  return { items, end: reader.end() }
}
