// Portal B: a Spanish portal that its scripts draw: what is on a page stands in their state, and little of it in the markup.
import Type, { type Static } from 'typebox'
import { readObstacle } from '../../domain/listing/challenge.ts'
import { elementOf } from '../../domain/listing/html.ts'
import { isNode, type JsonNode } from '../../domain/listing/json-ld.ts'
import { countOf, lineOf, nodeOf } from '../../domain/listing/json-values.ts'
import type { Condition, Operation, PropertyType } from '../../domain/listing/listing.ts'
import { joinFacts, type PageContext } from '../../domain/listing/read-listing.ts'
import { readState, valueAt } from '../../domain/listing/state.ts'
import { readCoordinates } from '../../domain/listing/values.ts'
import { readPathWords } from '../../domain/listing/vocabulary.ts'
import type {
  FactsCard,
  KnownPlace,
  ListingReading,
  PagedSearch,
  PortalDefinition,
  PortalDocument,
  PortalRequest,
  SearchPageReading,
  Unreadable,
} from '../portal.ts'
import { sharedFilters } from '../portal-filters.ts'
import { detailPathOf, EXTRAS, GOOD_STATES, RENOVATION_STATE, readAdvert } from './portal-b-advert.ts'
import { readOlderPage } from './portal-b-older.ts'

const OPERATIONS = ['sale', 'rent'] as const
const PROPERTY_TYPES = ['homes', 'offices', 'premises', 'garages'] as const
const FEATURES = Object.keys(EXTRAS) as (keyof typeof EXTRAS)[]
const OPERATION_PATHS: Record<Operation, string> = { sale: 'comprar', rent: 'alquiler' }
const TYPE_PATHS: Record<PropertyType, string> = {
  homes: 'viviendas',
  offices: 'oficinas',
  premises: 'locales',
  garages: 'garajes',
}
const CONDITION_QUERIES: Record<Condition, readonly [name: string, value: string]> = {
  new: ['purchaseType', '1'],
  good: ['conservationStatusIds', GOOD_STATES.join(',')],
  to_renovate: ['conservationStatusIds', String(RENOVATION_STATE)],
}
const CLIENT_TYPES = { private: '1', agency: '3' } as const
const PUBLISHED_WITHIN = [
  [1, 'A day'],
  [7, 'A week'],
  [30, 'A month'],
] as const
/** `/es/comprar/vivienda/madrid-capital/terraza-ascensor/188947584/d`. */
const LISTING_PATH =
  /^\/[a-z]{2}\/[a-z-]{1,40}\/[a-z-]{1,40}(?:\/[\w-]{1,200}){1,3}?\/(?<listingId>\d[A-Za-z0-9]{4,63})(?:\/d)?\/?$/
const STATE_NAMES = ['__NEXT_DATA__', '__initial_props__', '__INITIAL_PROPS__']

const filters = Type.Object(
  {
    operation: sharedFilters.operation(OPERATIONS),
    location: sharedFilters.location({ id: '724_B_08019', label: 'Barcelona' }),
    propertyType: sharedFilters.propertyType(PROPERTY_TYPES),
    minPrice: sharedFilters.minPrice,
    maxPrice: sharedFilters.maxPrice,
    minRooms: sharedFilters.minRooms,
    maxRooms: sharedFilters.maxRooms,
    minBathrooms: sharedFilters.minBathrooms,
    minSquareMeters: sharedFilters.minSquareMeters,
    maxSquareMeters: sharedFilters.maxSquareMeters,
    condition: sharedFilters.condition,
    features: sharedFilters.features(FEATURES),
    advertiserType: sharedFilters.advertiserType,
    publishedWithinDays: Type.Optional(
      Type.Unsafe<(typeof PUBLISHED_WITHIN)[number][0]>(
        Type.Union(
          PUBLISHED_WITHIN.map(([days, title]) => Type.Literal(days, { title })),
          {
            title: 'Published within',
            description: 'Days since the advert was published, at most.',
            examples: [7],
          },
        ),
      ),
    ),
  },
  { additionalProperties: false },
)

type Search = Static<typeof filters>

export const portalB: PortalDefinition<typeof filters, PagedSearch<Search>> = {
  id: 'portal_b',
  name: 'Portal B',
  country: 'ES',
  language: 'es',
  currency: 'EUR',
  timezone: 'Europe/Madrid',
  capabilities: { extract: true, validate: true, campaign: true, ficha: true },
  operations: OPERATIONS,
  propertyTypes: PROPERTY_TYPES,
  listingPath: LISTING_PATH,
  filters,
  locations: { countries: ['ES'], types: ['province', 'municipality'], idOf: locationId },
  politeness: { requestsPerSecond: 2, concurrency: 6 },
  search: { kind: 'pages', covers: 'all', cards: 'facts', start: searchRequest, read: readSearchPage },
  details: { read: ({ text, url }) => readDetailPage(text, url) },
}

/** Country, province and town of the portal's own combined number: `724_M_28079`, `724_M_0`. */
function locationId({ id, type, province }: KnownPlace): string {
  const code = id.slice('ES-'.length)
  if (type === 'province') return `724_${code}_0`
  return `724_${province === null ? '0' : province.id.slice('ES-'.length)}_${code}`
}

function searchRequest(search: Search): PortalRequest {
  const { operation, location, propertyType = 'homes', features = [], condition } = search
  const { advertiserType = 'any', publishedWithinDays } = search
  const query = new URLSearchParams({ combinedLocationIds: location.id })
  // The portal knows whole numbers alone, and its own values are whole: rounding inwards finds the same adverts.
  const bounds = [
    ['minPrice', search.minPrice, Math.ceil],
    ['maxPrice', search.maxPrice, Math.floor],
    ['minRooms', search.minRooms, Math.ceil],
    ['maxRooms', search.maxRooms, Math.floor],
    ['minBathrooms', search.minBathrooms, Math.ceil],
    ['minSurface', search.minSquareMeters, Math.ceil],
    ['maxSurface', search.maxSquareMeters, Math.floor],
  ] as const
  for (const [name, value, round] of bounds) if (value !== undefined) query.set(name, String(round(value)))
  if (condition !== undefined) query.set(...CONDITION_QUERIES[condition])
  if (features.length > 0) query.set('extras', features.map(feature => EXTRAS[feature][1]).join(','))
  if (advertiserType !== 'any') query.set('clientTypeId', CLIENT_TYPES[advertiserType])
  if (publishedWithinDays !== undefined) query.set('publishedWithin', String(publishedWithinDays))
  query.set('sortType', 'publicationDate')
  const path = `/es/${OPERATION_PATHS[operation]}/${TYPE_PATHS[propertyType]}/espana/tu-zona-de-busqueda/l`
  return { path: `${path}?${query}` }
}

function readSearchPage({ text: html, url }: PortalDocument): SearchPageReading {
  const state = readState(html, '__INITIAL_PROPS__')
  const result = nodeOf(valueAt(state, 'initialSearch', 'result'))
  const total = countOf(result.count)
  if (!Array.isArray(result.realEstates) || total === null)
    return unreadable(html, 'no realEstates and count in the state')
  const adverts: unknown[] = result.realEstates
  const cards = adverts.flatMap(advert => (isNode(advert) ? (readCard(advert, url) ?? []) : []))
  if (cards.length === 0 && total > 0 && !isBehindLast(result, adverts, total))
    return unreadable(html, `${total} adverts promised, none of ${adverts.length} readable`)
  if (cards.length > 0 && cards.every(card => card.listing.price === null))
    return unreadable(html, 'no advert has a price')
  return { kind: 'page', total, cards, next: cards.length > 0 ? readNext(state, url) : [] }
}

function isBehindLast(result: JsonNode, adverts: readonly unknown[], total: number): boolean {
  const [page, size] = ['number', 'size'].map(name => countOf(valueAt(result, 'resultsV2', 'page', name)))
  return adverts.length === 0 && !!page && !!size && (page - 1) * size >= total
}

/** The page that the state names as the next; nothing on the last one. */
function readNext(state: unknown, url: string): PortalRequest[] {
  const links = valueAt(state, 'seo', 'link')
  const next = (Array.isArray(links) ? links : []).find(link => valueAt(link, 'rel') === 'next')
  const address = URL.parse(lineOf(valueAt(next, 'href')) ?? '', url)
  if (next === undefined || address === null || address.origin !== URL.parse(url)?.origin) return []
  return [{ path: address.pathname + address.search }]
}

function readCard(advert: JsonNode, pageUrl: string): FactsCard | null {
  const address = URL.parse(detailPathOf(advert) ?? '', pageUrl)
  const listingId = typeof advert.id === 'number' ? String(advert.id) : lineOf(advert.id)
  if (listingId === null || address === null || !LISTING_PATH.test(address.pathname)) return null
  const found = joinFacts(contextOf(address.href), [
    ['state', readAdvert(advert, pageUrl)],
    ['url', readPathWords(address.pathname)],
  ])
  return found && { listingId, path: address.pathname, ...found }
}

function readDetailPage(html: string, url: string): ListingReading {
  for (const name of STATE_NAMES) {
    const state = readState(html, name)
    const page = nodeOf(valueAt(state, 'props', 'pageProps') ?? state)
    if (isNode(page.realEstate)) return readAdvertPage(page, page.realEstate, html, url)
    if (page.realEstate === null && saysGone(html)) return { kind: 'gone' }
  }
  const older = readOlderPage(html, contextOf(url), portalB.timezone)
  return older === null ? unreadable(html, 'no advert in the state') : { kind: 'listing', ...older }
}

function readAdvertPage(page: JsonNode, advert: JsonNode, html: string, url: string): ListingReading {
  // The newer of the page's two objects for the advert has the street, and the point with all its digits.
  const { street, coordinates } = nodeOf(valueAt(page.realEstateAdDetailEntityV2, 'address'))
  const [name, number] = [lineOf(valueAt(street, 'name')), countOf(valueAt(street, 'number'))]
  const point = readCoordinates(valueAt(coordinates, 'lat'), valueAt(coordinates, 'lng'))
  const title = lineOf(page.seoTitle) ?? lineOf(page.propertyTitle)
  const facts = readAdvert(advert, url)
  if (title !== null) facts.title = title
  if (point !== null) Object.assign(facts, point)
  if (name !== null) facts.address = number ? `${name}, ${number}` : name
  const found = joinFacts(contextOf(url), [
    ['state', facts],
    ['url', readPathWords(URL.parse(url)?.pathname ?? '')],
  ])
  return found === null ? unreadable(html, 'an advert that says nothing') : { kind: 'listing', ...found }
}

function saysGone(html: string): boolean {
  return /ya no está disponible/.test(elementOf(html, 'title')?.inner ?? '')
}

function contextOf(url: string): PageContext {
  return { url, country: portalB.country, currency: portalB.currency }
}

function unreadable(html: string, detail: string): Unreadable {
  return { kind: 'unreadable', reason: readObstacle(html) ?? 'layout', detail }
}
