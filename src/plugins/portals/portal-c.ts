/** Portal C: the partner interface of a Spanish portal: JSON with OAuth2, fifty listings per page, an hourly quota. */
import Type, { type Static } from 'typebox'
import { detectObstacle } from '../../domain/listing/challenge.ts'
import { isNode, type JsonNode } from '../../domain/listing/json-ld.ts'
import {
  parseCount,
  parseInstantValue,
  parseJsonObject,
  parseLine,
} from '../../domain/listing/json-values.ts'
import { type Condition, listingOperations, listingPropertyTypes } from '../../domain/listing/listing.ts'
import type {
  Card,
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
import { getCode, parseElement } from './portal-c-element.ts'

const searchPath = '/3.5/es/search'
const mediaType = 'application/json'
const listingPath = /^\/inmueble\/(?<listingId>[A-Za-z0-9]{1,64})\/?$/

/** The portal's parameter for each feature. */
const featureParameters = {
  lift: 'elevator',
  terrace: 'terrace',
  parking: 'garage',
  pool: 'swimmingPool',
  air_conditioning: 'airConditioning',
  storage_room: 'storeRoom',
  fitted_wardrobes: 'builtinWardrobes',
  exterior: 'exterior',
} as const
const portalFeatures = Object.keys(featureParameters) as (keyof typeof featureParameters)[]
const conditionQueries: Record<Condition, Record<string, string>> = {
  new: { newDevelopment: 'true' },
  good: { preservation: 'good' },
  to_renovate: { preservation: 'renew' },
}
const sinceDates = { 1: 'T', 2: 'Y', 7: 'W', 30: 'M' } as const
const publishedWithin = [
  [1, 'One day'],
  [2, 'Two days'],
  [7, 'A week'],
  [30, 'A month'],
] as const
/** A search lists the wanted counts; the highest count means "or more". */
const bedroomsMax = 4
const bathroomsMax = 3

const filters = Type.Object(
  {
    operation: sharedFilters.operation(listingOperations),
    location: sharedFilters.location({ id: '0-EU-ES-08-019', label: 'Barcelona' }),
    propertyType: sharedFilters.propertyType(listingPropertyTypes),
    minPrice: sharedFilters.minPrice,
    maxPrice: sharedFilters.maxPrice,
    minRooms: countFilterUpTo(
      bedroomsMax,
      'Fewest rooms',
      'At least this many bedrooms; 0 includes studios.',
      2,
    ),
    maxRooms: countFilterUpTo(bedroomsMax - 1, 'Most rooms', 'At most this many bedrooms.', 3),
    minBathrooms: countFilterUpTo(bathroomsMax, 'Fewest bathrooms', 'At least this many bathrooms.', 1),
    minSquareMeters: sharedFilters.minSquareMeters,
    maxSquareMeters: sharedFilters.maxSquareMeters,
    condition: sharedFilters.condition,
    features: sharedFilters.features(portalFeatures),
    publishedWithinDays: Type.Optional(
      Type.Unsafe<keyof typeof sinceDates>(
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

export const portalC: PortalDefinition<typeof filters, PagedSearch<Search>> = {
  id: 'portal_c',
  name: 'Portal C',
  country: 'ES',
  language: 'es',
  currency: 'EUR',
  timezone: 'Europe/Madrid',
  capabilities: { extract: true, validate: true, campaign: true, ficha: false },
  operations: listingOperations,
  propertyTypes: listingPropertyTypes,
  listingPath: listingPath,
  filters,
  locations: { countries: ['ES'], types: ['province', 'municipality'], toPortalId: toPortalLocation },
  authentication: { kind: 'oauth2', tokenPath: '/oauth/token' },
  politeness: { requestsPerSecond: 5, concurrency: 4, requestsPerHour: 18_000 },
  search: {
    kind: 'pages',
    coverage: 'all',
    cards: 'facts',
    start: search => toSearchRequest(search, 1),
    read: parseSearchPage,
  },
  details: {
    request: ({ listingId }) => ({ path: `/3.5/es/properties/${listingId}`, accept: mediaType }),
    read: parseProperty,
  },
}

/** `0-EU-ES-28-079` (the two parts of the INE code) is a town, `0-EU-ES-M` a province. */
function toPortalLocation({ id, type }: SearchPlace): string {
  const code = id.slice('ES-'.length)
  return `0-EU-ES-${type === 'municipality' ? `${code.slice(0, 2)}-${code.slice(2)}` : code}`
}

function toSearchRequest(search: Search, page: number): PortalRequest {
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
    ...(condition ? conditionQueries[condition] : {}),
  }
  // The portal takes whole numbers only. Its own values are whole, so rounding inwards finds the same listings.
  if (search.minPrice !== undefined) form.minPrice = String(Math.ceil(search.minPrice))
  if (search.maxPrice !== undefined) form.maxPrice = String(Math.floor(search.maxPrice))
  if (search.minSquareMeters !== undefined) form.minSize = String(Math.ceil(search.minSquareMeters))
  if (search.maxSquareMeters !== undefined) form.maxSize = String(Math.floor(search.maxSquareMeters))
  if (minRooms !== undefined || maxRooms !== undefined)
    form.bedrooms = toCountOptions(minRooms ?? 0, maxRooms ?? bedroomsMax)
  if (minBathrooms !== undefined) form.bathrooms = toCountOptions(minBathrooms, bathroomsMax)
  if (publishedWithinDays !== undefined) form.sinceDate = sinceDates[publishedWithinDays]
  for (const feature of features) form[featureParameters[feature]] = 'true'
  return { path: searchPath, form, accept: mediaType }
}

function toCountOptions(low: number, high: number): string {
  // An empty list would match any count.
  return Array.from({ length: Math.max(high - low, 0) + 1 }, (_, step) => low + step).join(',')
}

function parseSearchPage({ text, url }: PortalDocument, search: Search): SearchPageReading {
  const reply = parseJsonObject(text)
  if (reply === null || !Array.isArray(reply.elementList)) return toUnreadable(text, reply, 'no elementList')
  const [total, page, pages] = [reply.total, reply.actualPage, reply.totalPages].map(parseCount)
  if (typeof total !== 'number' || typeof page !== 'number' || typeof pages !== 'number')
    return toUnreadable(text, reply, 'no total, actualPage or totalPages')
  const elements: unknown[] = reply.elementList
  const cards = elements.flatMap(element => (isNode(element) ? (parseCard(element, url) ?? []) : []))
  const isPastLastPage = elements.length === 0 && page > pages
  if (cards.length === 0 && total > 0 && !isPastLastPage)
    return toUnreadable(
      text,
      reply,
      `${total} listings reported, none of ${elements.length} elements readable`,
    )
  if (cards.length > 0 && cards.every(card => typeof card.listing?.price !== 'number'))
    return toUnreadable(text, reply, 'no element has a price')
  return { kind: 'page', total, cards, next: page < pages ? [toSearchRequest(search, page + 1)] : [] }
}

function parseCard(element: JsonNode, pageUrl: string): Card | null {
  const listingId = getCode(element)
  if (listingId === null) return null
  // A listing with a code whose facts cannot be parsed is read from its detail page.
  const path = `/inmueble/${listingId}/`
  const changedAt = parseInstantValue(element.modificationDate)
  return { listingId, path, changedAt, ...parseElement(element, path, pageUrl) }
}

function parseProperty({ text, url }: PortalDocument): ListingReading {
  const property = parseJsonObject(text)
  const listingId = property && getCode(property)
  if (!listingId) return toUnreadable(text, property, 'no propertyCode')
  if (typeof property.state === 'string' && property.state !== 'active') return { kind: 'gone' }
  const found =
    typeof property.price === 'number' ? parseElement(property, `/inmueble/${listingId}/`, url) : null
  return found ? { kind: 'listing', ...found } : toUnreadable(text, property, 'no price')
}

function toUnreadable(text: string, reply: JsonNode | null, missing: string): UnreadablePage {
  if (reply === null)
    return { kind: 'unreadable', reason: detectObstacle(text) ?? 'layout', detail: 'no JSON' }
  const error = parseLine(reply.error)
  if (error === null) return { kind: 'unreadable', reason: 'layout', detail: missing }
  const reason = error === 'invalid_token' || error === 'unauthorized' ? 'login' : 'layout'
  const detail = `the portal answered: ${error} ${parseLine(reply.error_description) ?? ''}`.slice(0, 300)
  return { kind: 'unreadable', reason, detail }
}

function countFilterUpTo(maximum: number, title: string, description: string, example: number) {
  return Type.Optional(Type.Integer({ title, description, minimum: 0, maximum, examples: [example] }))
}
