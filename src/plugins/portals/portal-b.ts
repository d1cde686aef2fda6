/** Portal B: a Spanish portal that is rendered by scripts. The facts are in the script state; the markup has few. */
import Type, { type Static } from 'typebox'
import { detectObstacle } from '../../domain/listing/challenge.ts'
import { findElement } from '../../domain/listing/html.ts'
import { isNode, type JsonNode } from '../../domain/listing/json-ld.ts'
import { parseCount, parseLine, toNode } from '../../domain/listing/json-values.ts'
import type { Condition, Operation, PropertyType } from '../../domain/listing/listing.ts'
import { mergeFacts, type PageContext } from '../../domain/listing/parse-listing.ts'
import { getPath, parseState } from '../../domain/listing/state.ts'
import { parseCoordinates } from '../../domain/listing/values.ts'
import { parsePathWords } from '../../domain/listing/vocabulary.ts'
import type {
  FactsCard,
  ListingReading,
  PagedSearch,
  PortalDefinition,
  PortalDocument,
  PortalRequest,
  SearchPageReading,
  SearchPlace,
  UnreadablePage,
} from '../portal.ts'
import { sharedFilters } from '../portal-filters.ts'
import { parseLegacyPage } from './portal-b-legacy.ts'
import {
  extraFeatures,
  goodConditions,
  parseListingFacts,
  renovationCondition,
  toDetailPath,
} from './portal-b-listing.ts'

const portalOperations = ['sale', 'rent'] as const
const portalPropertyTypes = ['homes', 'offices', 'premises', 'garages'] as const
const portalFeatures = Object.keys(extraFeatures) as (keyof typeof extraFeatures)[]
const operationPaths: Record<Operation, string> = { sale: 'comprar', rent: 'alquiler' }
const typePaths: Record<PropertyType, string> = {
  homes: 'viviendas',
  offices: 'oficinas',
  premises: 'locales',
  garages: 'garajes',
}
const conditionQueries: Record<Condition, readonly [name: string, value: string]> = {
  new: ['purchaseType', '1'],
  good: ['conservationStatusIds', goodConditions.join(',')],
  to_renovate: ['conservationStatusIds', String(renovationCondition)],
}
const clientTypes = { private: '1', agency: '3' } as const
const publishedWithin = [
  [1, 'A day'],
  [7, 'A week'],
  [30, 'A month'],
] as const
/** `/es/comprar/vivienda/madrid-capital/terraza-ascensor/188947584/d`. */
const listingPath =
  /^\/[a-z]{2}\/[a-z-]{1,40}\/[a-z-]{1,40}(?:\/[\w-]{1,200}){1,3}?\/(?<listingId>\d[A-Za-z0-9]{4,63})(?:\/d)?\/?$/
const stateNames = ['__NEXT_DATA__', '__initial_props__', '__INITIAL_PROPS__']

const filters = Type.Object(
  {
    operation: sharedFilters.operation(portalOperations),
    location: sharedFilters.location({ id: '724_B_08019', label: 'Barcelona' }),
    propertyType: sharedFilters.propertyType(portalPropertyTypes),
    minPrice: sharedFilters.minPrice,
    maxPrice: sharedFilters.maxPrice,
    minRooms: sharedFilters.minRooms,
    maxRooms: sharedFilters.maxRooms,
    minBathrooms: sharedFilters.minBathrooms,
    minSquareMeters: sharedFilters.minSquareMeters,
    maxSquareMeters: sharedFilters.maxSquareMeters,
    condition: sharedFilters.condition,
    features: sharedFilters.features(portalFeatures),
    advertiserType: sharedFilters.advertiserType,
    publishedWithinDays: Type.Optional(
      Type.Unsafe<(typeof publishedWithin)[number][0]>(
        Type.Union(
          publishedWithin.map(([days, title]) => Type.Literal(days, { title })),
          {
            title: 'Published within',
            description: 'Maximum days since the listing was published.',
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
  capabilities: { extract: true, validate: true, campaign: true, ficha: false },
  operations: portalOperations,
  propertyTypes: portalPropertyTypes,
  listingPath: listingPath,
  filters,
  locations: { countries: ['ES'], types: ['province', 'municipality'], toPortalId: toPortalLocation },
  politeness: { requestsPerSecond: 2, concurrency: 6 },
  search: { kind: 'pages', coverage: 'all', cards: 'facts', start: toSearchRequest, read: parseSearchPage },
  details: { read: ({ text, url }) => parseDetailPage(text, url) },
}

/** Country, province and town of the portal's combined number: `724_M_28079`, `724_M_0`. */
function toPortalLocation({ id, type, province }: SearchPlace): string {
  const code = id.slice('ES-'.length)
  if (type === 'province') return `724_${code}_0`
  return `724_${province === null ? '0' : province.id.slice('ES-'.length)}_${code}`
}

function toSearchRequest(search: Search): PortalRequest {
  const { operation, location, propertyType = 'homes', features = [], condition } = search
  const { advertiserType = 'any', publishedWithinDays } = search
  const query = new URLSearchParams({ combinedLocationIds: location.id })
  // The portal takes whole numbers only. Its own values are whole, so rounding inwards finds the same listings.
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
  if (condition !== undefined) query.set(...conditionQueries[condition])
  if (features.length > 0) query.set('extras', features.map(feature => extraFeatures[feature][1]).join(','))
  if (advertiserType !== 'any') query.set('clientTypeId', clientTypes[advertiserType])
  if (publishedWithinDays !== undefined) query.set('publishedWithin', String(publishedWithinDays))
  query.set('sortType', 'publicationDate')
  const path = `/es/${operationPaths[operation]}/${typePaths[propertyType]}/espana/tu-zona-de-busqueda/l`
  return { path: `${path}?${query}` }
}

function parseSearchPage({ text: html, url }: PortalDocument): SearchPageReading {
  const state = parseState(html, '__INITIAL_PROPS__')
  const result = toNode(getPath(state, 'initialSearch', 'result'))
  const total = parseCount(result.count)
  if (!Array.isArray(result.realEstates) || total === null)
    return toUnreadable(html, 'no realEstates and count in the state')
  const items: unknown[] = result.realEstates
  const cards = items.flatMap(item => (isNode(item) ? (parseCard(item, url) ?? []) : []))
  if (cards.length === 0 && total > 0 && !isPastLastPage(result, items, total))
    return toUnreadable(html, `${total} listings reported, none of ${items.length} readable`)
  if (cards.length > 0 && cards.every(card => card.listing.price === null))
    return toUnreadable(html, 'no listing has a price')
  return { kind: 'page', total, cards, next: cards.length > 0 ? parseNext(state, url) : [] }
}

function isPastLastPage(result: JsonNode, items: readonly unknown[], total: number): boolean {
  const [page, size] = ['number', 'size'].map(name => parseCount(getPath(result, 'resultsV2', 'page', name)))
  return items.length === 0 && !!page && !!size && (page - 1) * size >= total
}

/** The next page that the state links to; empty on the last page. */
function parseNext(state: unknown, url: string): PortalRequest[] {
  const links = getPath(state, 'seo', 'link')
  const next = (Array.isArray(links) ? links : []).find(link => getPath(link, 'rel') === 'next')
  const address = URL.parse(parseLine(getPath(next, 'href')) ?? '', url)
  if (next === undefined || address === null || address.origin !== URL.parse(url)?.origin) return []
  return [{ path: address.pathname + address.search }]
}

function parseCard(item: JsonNode, pageUrl: string): FactsCard | null {
  const address = URL.parse(toDetailPath(item) ?? '', pageUrl)
  const listingId = typeof item.id === 'number' ? String(item.id) : parseLine(item.id)
  if (listingId === null || address === null || !listingPath.test(address.pathname)) return null
  const found = mergeFacts(toPageContext(address.href), [
    ['state', parseListingFacts(item, pageUrl)],
    ['url', parsePathWords(address.pathname)],
  ])
  return found && { listingId, path: address.pathname, ...found }
}

function parseDetailPage(html: string, url: string): ListingReading {
  for (const name of stateNames) {
    const state = parseState(html, name)
    const page = toNode(getPath(state, 'props', 'pageProps') ?? state)
    if (isNode(page.realEstate)) return parseListingPage(page, page.realEstate, html, url)
    if (page.realEstate === null && isWithdrawnPage(html)) return { kind: 'gone' }
  }
  const legacyPage = parseLegacyPage(html, toPageContext(url), portalB.timezone)
  return legacyPage === null
    ? toUnreadable(html, 'no listing in the state')
    : { kind: 'listing', ...legacyPage }
}

function parseListingPage(page: JsonNode, item: JsonNode, html: string, url: string): ListingReading {
  // The page has two objects of the listing: the newer one has the street and exact coordinates.
  const { street, coordinates } = toNode(getPath(page.realEstateAdDetailEntityV2, 'address'))
  const [name, number] = [parseLine(getPath(street, 'name')), parseCount(getPath(street, 'number'))]
  const point = parseCoordinates(getPath(coordinates, 'lat'), getPath(coordinates, 'lng'))
  const title = parseLine(page.seoTitle) ?? parseLine(page.propertyTitle)
  const facts = parseListingFacts(item, url)
  if (title !== null) facts.title = title
  if (point !== null) Object.assign(facts, point)
  if (name !== null) facts.address = number ? `${name}, ${number}` : name
  const found = mergeFacts(toPageContext(url), [
    ['state', facts],
    ['url', parsePathWords(URL.parse(url)?.pathname ?? '')],
  ])
  return found === null ? toUnreadable(html, 'a listing without any fact') : { kind: 'listing', ...found }
}

function isWithdrawnPage(html: string): boolean {
  return /ya no está disponible/.test(findElement(html, 'title')?.inner ?? '')
}

function toPageContext(url: string): PageContext {
  return { url, country: portalB.country, currency: portalB.currency }
}

function toUnreadable(html: string, detail: string): UnreadablePage {
  return { kind: 'unreadable', reason: detectObstacle(html) ?? 'layout', detail }
}
