// Portal C: a Spanish portal's partner interface: JSON behind OAuth2, fifty adverts a page, a quota by the hour.
import Type, { type Static } from 'typebox'
import { readObstacle } from '../../domain/listing/challenge.ts'
import { isNode, type JsonNode } from '../../domain/listing/json-ld.ts'
import { countOf, instantOf, lineOf, readJsonObject } from '../../domain/listing/json-values.ts'
import { type Condition, OPERATIONS, PROPERTY_TYPES } from '../../domain/listing/listing.ts'
import type {
  Card,
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
import { codeOf, readElement } from './portal-c-element.ts'

const SEARCH_PATH = '/3.5/es/search'
const MEDIA_TYPE = 'application/json'
const LISTING_PATH = /^\/inmueble\/(?<listingId>[A-Za-z0-9]{1,64})\/?$/

/** Its name for each feature that it can be asked for. */
const SWITCHES = {
  lift: 'elevator',
  terrace: 'terrace',
  parking: 'garage',
  pool: 'swimmingPool',
  air_conditioning: 'airConditioning',
  storage_room: 'storeRoom',
  fitted_wardrobes: 'builtinWardrobes',
  exterior: 'exterior',
} as const
const FEATURES = Object.keys(SWITCHES) as (keyof typeof SWITCHES)[]
const CONDITION_QUERIES: Record<Condition, Record<string, string>> = {
  new: { newDevelopment: 'true' },
  good: { preservation: 'good' },
  to_renovate: { preservation: 'renew' },
}
const SINCE_DATES = { 1: 'T', 2: 'Y', 7: 'W', 30: 'M' } as const
const PUBLISHED_WITHIN = [
  [1, 'One day'],
  [2, 'Two days'],
  [7, 'A week'],
  [30, 'A month'],
] as const
/** It lists counts, and the last that it knows stands for all above. */
const BEDROOMS_MAX = 4
const BATHROOMS_MAX = 3

const filters = Type.Object(
  {
    operation: sharedFilters.operation(OPERATIONS),
    location: sharedFilters.location({ id: '0-EU-ES-08-019', label: 'Barcelona' }),
    propertyType: sharedFilters.propertyType(PROPERTY_TYPES),
    minPrice: sharedFilters.minPrice,
    maxPrice: sharedFilters.maxPrice,
    minRooms: countUpTo(BEDROOMS_MAX, 'Fewest rooms', 'Bedrooms at least; 0 finds studios as well.', 2),
    maxRooms: countUpTo(BEDROOMS_MAX - 1, 'Most rooms', 'Bedrooms at most.', 3),
    minBathrooms: countUpTo(BATHROOMS_MAX, 'Fewest bathrooms', 'Bathrooms at least.', 1),
    minSquareMeters: sharedFilters.minSquareMeters,
    maxSquareMeters: sharedFilters.maxSquareMeters,
    condition: sharedFilters.condition,
    features: sharedFilters.features(FEATURES),
    publishedWithinDays: Type.Optional(
      Type.Unsafe<keyof typeof SINCE_DATES>(
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

export const portalC: PortalDefinition<typeof filters, PagedSearch<Search>> = {
  id: 'portal_c',
  name: 'Portal C',
  country: 'ES',
  language: 'es',
  currency: 'EUR',
  timezone: 'Europe/Madrid',
  capabilities: { extract: true, validate: true, campaign: true, ficha: false },
  operations: OPERATIONS,
  propertyTypes: PROPERTY_TYPES,
  listingPath: LISTING_PATH,
  filters,
  locations: { countries: ['ES'], types: ['province', 'municipality'], idOf: locationId },
  authentication: { kind: 'oauth2', tokenPath: '/oauth/token' },
  politeness: { requestsPerSecond: 5, concurrency: 4, requestsPerHour: 18_000 },
  search: {
    kind: 'pages',
    covers: 'all',
    cards: 'facts',
    start: search => searchRequest(search, 1),
    read: readSearchPage,
  },
  details: {
    request: ({ listingId }) => ({ path: `/3.5/es/properties/${listingId}`, accept: MEDIA_TYPE }),
    read: readProperty,
  },
}

/** `0-EU-ES-28-079` (the two parts of the INE code) is a town, `0-EU-ES-M` a province. */
function locationId({ id, type }: KnownPlace): string {
  const code = id.slice('ES-'.length)
  return `0-EU-ES-${type === 'municipality' ? `${code.slice(0, 2)}-${code.slice(2)}` : code}`
}

function searchRequest(search: Search, page: number): PortalRequest {
  const { minRooms, maxRooms, minBathrooms, condition, features = [], publishedWithinDays } = search
  const form: Record<string, string> = {
    operation: search.operation,
    propertyType: search.propertyType ?? 'homes',
    locationId: search.location.id,
    locale: 'es',
    order: 'publicationDate',
    sort: 'desc',
    maxItems: '50',
    numPage: String(page),
    ...(condition ? CONDITION_QUERIES[condition] : {}),
  }
  // Whole numbers alone, and its own values are whole: rounding inwards finds the same adverts.
  if (search.minPrice !== undefined) form.minPrice = String(Math.ceil(search.minPrice))
  if (search.maxPrice !== undefined) form.maxPrice = String(Math.floor(search.maxPrice))
  if (search.minSquareMeters !== undefined) form.minSize = String(Math.ceil(search.minSquareMeters))
  if (search.maxSquareMeters !== undefined) form.maxSize = String(Math.floor(search.maxSquareMeters))
  if (minRooms !== undefined || maxRooms !== undefined)
    form.bedrooms = countsBetween(minRooms ?? 0, maxRooms ?? BEDROOMS_MAX)
  if (minBathrooms !== undefined) form.bathrooms = countsBetween(minBathrooms, BATHROOMS_MAX)
  if (publishedWithinDays !== undefined) form.sinceDate = SINCE_DATES[publishedWithinDays]
  for (const feature of features) form[SWITCHES[feature]] = 'true'
  return { path: SEARCH_PATH, form, accept: MEDIA_TYPE }
}

function countsBetween(low: number, high: number): string {
  // An empty list would mean any count.
  return Array.from({ length: Math.max(high - low, 0) + 1 }, (_, step) => low + step).join(',')
}

function readSearchPage({ text, url }: PortalDocument, search: Search): SearchPageReading {
  const reply = readJsonObject(text)
  if (reply === null || !Array.isArray(reply.elementList)) return unreadable(text, reply, 'no elementList')
  const [total, page, pages] = [reply.total, reply.actualPage, reply.totalPages].map(countOf)
  if (typeof total !== 'number' || typeof page !== 'number' || typeof pages !== 'number')
    return unreadable(text, reply, 'no total, actualPage or totalPages')
  const elements: unknown[] = reply.elementList
  const cards = elements.flatMap(element => (isNode(element) ? (readCard(element, url) ?? []) : []))
  const isBehindLast = elements.length === 0 && page > pages
  if (cards.length === 0 && total > 0 && !isBehindLast)
    return unreadable(text, reply, `${total} adverts promised, none of ${elements.length} elements readable`)
  if (cards.length > 0 && cards.every(card => typeof card.listing?.price !== 'number'))
    return unreadable(text, reply, 'no element has a price')
  return { kind: 'page', total, cards, next: page < pages ? [searchRequest(search, page + 1)] : [] }
}

function readCard(element: JsonNode, pageUrl: string): Card | null {
  const listingId = codeOf(element)
  if (listingId === null) return null
  // What was not understood of an advert whose code is known is left to its own page.
  const path = `/inmueble/${listingId}/`
  const changedAt = instantOf(element.modificationDate)
  return { listingId, path, changedAt, ...readElement(element, path, pageUrl) }
}

function readProperty({ text, url }: PortalDocument): ListingReading {
  const property = readJsonObject(text)
  const listingId = property && codeOf(property)
  if (!listingId) return unreadable(text, property, 'no propertyCode')
  if (typeof property.state === 'string' && property.state !== 'active') return { kind: 'gone' }
  const found =
    typeof property.price === 'number' ? readElement(property, `/inmueble/${listingId}/`, url) : null
  return found ? { kind: 'listing', ...found } : unreadable(text, property, 'no price')
}

function unreadable(text: string, reply: JsonNode | null, missing: string): Unreadable {
  if (reply === null) return { kind: 'unreadable', reason: readObstacle(text) ?? 'layout', detail: 'no JSON' }
  const error = lineOf(reply.error)
  if (error === null) return { kind: 'unreadable', reason: 'layout', detail: missing }
  const reason = error === 'invalid_token' || error === 'unauthorized' ? 'login' : 'layout'
  const detail = `the portal answered: ${error} ${lineOf(reply.error_description) ?? ''}`.slice(0, 300)
  return { kind: 'unreadable', reason, detail }
}

function countUpTo(maximum: number, title: string, description: string, example: number) {
  return Type.Optional(Type.Integer({ title, description, minimum: 0, maximum, examples: [example] }))
}
