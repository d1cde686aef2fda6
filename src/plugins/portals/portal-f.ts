// Portal F: an Italian portal that shows robots a sitemap and the adverts' own pages, marked with OpenGraph and microdata.
import Type, { type Static } from 'typebox'
import { readObstacle } from '../../domain/listing/challenge.ts'
import { readLocalInstant } from '../../domain/listing/dates.ts'
import { elementOf, elementsOf, textOf } from '../../domain/listing/html.ts'
import type { ListingFacts, Operation, PropertyType } from '../../domain/listing/listing.ts'
import { readListing } from '../../domain/listing/read-listing.ts'
import { readSitemap } from '../../domain/listing/sitemap.ts'
import { readDetailLines } from '../../domain/listing/vocabulary.ts'
import { remembered } from '../../domain/remembered.ts'
import { slugOf } from '../../domain/slug.ts'
import type {
  KnownPlace,
  ListingReading,
  PagedSearch,
  PortalDefinition,
  PortalDocument,
  SearchPageReading,
  Unreadable,
} from '../portal.ts'
import { sharedFilters } from '../portal-filters.ts'

const OPERATIONS = ['sale', 'rent'] as const
const PROPERTY_TYPES = ['homes', 'offices', 'premises', 'garages'] as const
const OPERATION_WORDS: Record<Operation, string> = { sale: 'vendita', rent: 'affitto' }
const TYPE_WORDS: Record<PropertyType, string> = {
  homes: 'case',
  offices: 'uffici',
  premises: 'negozi',
  garages: 'garage',
}
const LISTING_PATH = /^\/annunci\/(?<listingId>\d{1,12})\/$/
const INDEX_PATH = '/sitemap.xml'
/** The sitemap is parted by operation, type and municipality, and each part into files. */
const PART_PATH =
  /^\/sitemaps\/annunci-(?<operation>[a-z]+)-(?<type>[a-z]+)-(?<place>[a-z0-9-]+)-\d{1,6}\.xml(?:\.gz)?$/
const XML = 'application/xml'

/** Only what the sitemap is parted by: all else would have to be guessed from the adverts. */
const filters = Type.Object(
  {
    operation: sharedFilters.operation(OPERATIONS),
    location: sharedFilters.location({ id: 'roma-rm', label: 'Roma' }),
    propertyType: sharedFilters.propertyType(PROPERTY_TYPES),
  },
  { additionalProperties: false },
)

type Search = Static<typeof filters>

export const portalF: PortalDefinition<typeof filters, PagedSearch<Search>> = {
  id: 'portal_f',
  name: 'Portal F',
  country: 'IT',
  language: 'it',
  currency: 'EUR',
  timezone: 'Europe/Rome',
  capabilities: { extract: true, validate: true, campaign: true, ficha: true },
  operations: OPERATIONS,
  propertyTypes: PROPERTY_TYPES,
  listingPath: LISTING_PATH,
  filters,
  locations: { countries: ['IT'], types: ['province', 'municipality'], idOf: locationId },
  politeness: { requestsPerSecond: 2, concurrency: 2 },
  search: {
    kind: 'pages',
    covers: 'all',
    cards: 'addresses',
    start: () => ({ path: INDEX_PATH, accept: XML }),
    read: readSearch,
  },
  details: { read: readDetailPage },
}

/** With the sign of the province, as on number plates once: `roma-rm`, and `provincia-rm` for all of it. */
function locationId({ id, name, type, province }: KnownPlace): string | null {
  if (type === 'province') return `provincia-${signOf(id)}`
  return province && `${slugOf(name)}-${signOf(province.id)}`
}

function signOf(provinceId: string): string {
  return provinceId.replace(/^IT-/, '').toLowerCase()
}

function readSearch({ text, url }: PortalDocument, search: Search): SearchPageReading {
  const sitemap = readSitemap(text)
  if (sitemap === null) return unreadable(text, 'no whole sitemap')
  // By the protocol an index lists no other.
  const isIndex = URL.parse(url)?.pathname === INDEX_PATH
  if (isIndex !== (sitemap.kind === 'index'))
    return unreadable(text, isIndex ? 'adverts in place of an index' : 'an index in place of adverts')
  const entries = sitemap.entries.flatMap(({ address, changedAt }) => {
    const path = pathOf(address, url)
    return path === null ? [] : [{ path, changedAt }]
  })
  if (isIndex) {
    const parts = entries.filter(({ path }) => PART_PATH.test(path))
    if (parts.length === 0) return unreadable(text, 'an index without a part of adverts')
    const next = parts.filter(({ path }) => isPartOf(search, path)).map(({ path }) => ({ path, accept: XML }))
    return { kind: 'page', total: null, cards: [], next }
  }
  const cards = entries.flatMap(({ path, changedAt }) => {
    const listingId = LISTING_PATH.exec(path)?.groups?.listingId
    return listingId ? [{ listingId, path, changedAt }] : []
  })
  // A part is listed because it has adverts.
  if (cards.length === 0) return unreadable(text, `${entries.length} addresses, none of an advert`)
  return { kind: 'page', total: null, cards, next: [] }
}

function pathOf(address: string, base: string): string | null {
  const url = URL.parse(address, base)
  return url && url.origin === URL.parse(base)?.origin ? url.pathname : null
}

function isPartOf({ operation, propertyType = 'homes', location }: Search, path: string): boolean {
  const part = PART_PATH.exec(path)?.groups
  if (part?.operation !== OPERATION_WORDS[operation] || part.type !== TYPE_WORDS[propertyType]) return false
  const province = /^provincia-([a-z]+)$/.exec(location.id)?.[1]
  return province === undefined ? part.place === location.id : !!part.place?.endsWith(`-${province}`)
}

function readDetailPage({ text: html, url }: PortalDocument): ListingReading {
  if (/non più disponibile/.test(elementOf(html, 'title')?.inner ?? '')) return { kind: 'gone' }
  const { country, currency } = portalF
  const found = readListing({ html, url, country, currency, markup: readMarkup(html) })
  // What is left without marks would pass for an advert that says little.
  if (found === null || !Object.values(found.provenance).includes('microdata'))
    return unreadable(html, 'no microdata of an advert')
  return { kind: 'listing', ...found }
}

function readMarkup(html: string): ListingFacts {
  const list = elementOf(html, 'dl', 'im-features__list')?.inner ?? ''
  const values = elementsOf(list, 'dd').map(value => textOf(value.inner))
  const lines = elementsOf(list, 'dt').map((label, at) => `${textOf(label.inner)}: ${values[at] ?? ''}`)
  const tags = elementsOf(elementOf(html, 'ul', 'im-tags')?.inner ?? '', 'li').map(tag => textOf(tag.inner))
  const facts = readDetailLines([...lines, ...tags])
  const date = textOf(elementOf(html, 'p', 'im-date')?.inner ?? '')
  const publishedAt = readDate(date)
  if (publishedAt !== null) facts.publishedAt = publishedAt
  return facts
}

// Adverts share the days on which they were changed.
const readDate = remembered(date => readLocalInstant(date, portalF.timezone, null))

function unreadable(text: string, detail: string): Unreadable {
  return { kind: 'unreadable', reason: readObstacle(text) ?? 'layout', detail }
}
