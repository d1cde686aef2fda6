// Portal G: a Spanish multiple listing service with a RESO Web API (OData 4): the search tells all there is, and what is gone.
import Type, { type Static } from 'typebox'
import { readObstacle } from '../../domain/listing/challenge.ts'
import { isNode, type JsonNode } from '../../domain/listing/json-ld.ts'
import { countOf, lineOf, nodeOf, readJsonObject } from '../../domain/listing/json-values.ts'
import {
  type Condition,
  OPERATIONS,
  type Operation,
  PROPERTY_TYPES,
  type PropertyType,
} from '../../domain/listing/listing.ts'
import { readInstant } from '../../domain/listing/values.ts'
import type {
  Card,
  KnownPlace,
  PagedSearch,
  PortalDefinition,
  PortalDocument,
  PortalRequest,
  SearchContext,
  SearchPageReading,
  Unreadable,
} from '../portal.ts'
import { sharedFilters } from '../portal-filters.ts'
import {
  CONDITION_WORDS,
  entityPath,
  FEATURE_WORDS,
  keyOf,
  PREMISES_SUBTYPES,
  readProperty,
  SELECTED,
} from './portal-g-property.ts'

const PAGE_SIZE = 200
const MEDIA_TYPE = 'application/json'
const FEATURES = Object.keys(FEATURE_WORDS) as (keyof typeof FEATURE_WORDS)[]

const filters = Type.Object(
  {
    operation: sharedFilters.operation(OPERATIONS),
    location: sharedFilters.location({ id: '08019', label: 'Barcelona' }),
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
    publishedWithinDays: sharedFilters.publishedWithinDays,
  },
  { additionalProperties: false },
)

type Search = Static<typeof filters>

export const portalG: PortalDefinition<typeof filters, PagedSearch<Search>> = {
  id: 'portal_g',
  name: 'Portal G',
  country: 'ES',
  language: 'es',
  currency: 'EUR',
  timezone: 'Europe/Madrid',
  capabilities: { extract: true, validate: true, campaign: true, ficha: false },
  operations: OPERATIONS,
  propertyTypes: PROPERTY_TYPES,
  listingPath: /^\/propiedad\/(?<listingId>[A-Za-z0-9-]{1,64})\/?$/,
  filters,
  locations: { countries: ['ES'], types: ['province', 'municipality'], idOf: locationId },
  authentication: { kind: 'bearer' },
  politeness: { requestsPerSecond: 2, concurrency: 2 },
  search: { kind: 'pages', covers: 'changes', cards: 'facts', start: firstPage, read: readSearchPage },
  details: null,
}

/** The INE code of a town (`28079`), the letters of a province (`M`). */
function locationId({ id }: KnownPlace): string {
  return id.slice('ES-'.length)
}

function firstPage(search: Search, { since }: SearchContext): PortalRequest {
  // What is gone since then is told by its status, so that every status is asked for.
  const changed = since === null ? "StandardStatus eq 'Active'" : `ModificationTimestamp ge ${since}`
  const options = {
    $filter: [changed, ...conditionsOf(search)].join(' and '),
    $select: SELECTED.join(','),
    $expand: 'Media($select=MediaURL,Order)',
    // What changes while it is read moves to the end, where it is read again.
    $orderby: 'ModificationTimestamp,ListingKey',
    $top: PAGE_SIZE,
    $count: true,
  }
  const query = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return { path: `/odata/Property?${query.join('&')}`, accept: MEDIA_TYPE }
}

function conditionsOf(search: Search): string[] {
  const { operation, propertyType = 'homes', location, features = [], advertiserType = 'any' } = search
  const conditions = [
    kindCondition(operation, propertyType),
    `${/^\d/.test(location.id) ? 'X_MunicipalityCode' : 'X_ProvinceCode'} eq '${location.id}'`,
  ]
  const bound = (name: string, operator: 'ge' | 'le', value: number | undefined) => {
    if (value !== undefined) conditions.push(`${name} ${operator} ${value}`)
  }
  bound('ListPrice', 'ge', search.minPrice)
  bound('ListPrice', 'le', search.maxPrice)
  bound('BedroomsTotal', 'ge', search.minRooms)
  bound('BedroomsTotal', 'le', search.maxRooms)
  bound('BathroomsTotalInteger', 'ge', search.minBathrooms)
  bound('LivingArea', 'ge', search.minSquareMeters)
  bound('LivingArea', 'le', search.maxSquareMeters)
  bound('DaysOnMarket', 'le', search.publishedWithinDays)
  if (search.condition)
    conditions.push(anyOf({ PropertyCondition: wordsOf(CONDITION_WORDS, search.condition) }))
  for (const feature of features) conditions.push(anyOf(FEATURE_WORDS[feature]))
  // An office lists for its clients; an owner who lists for himself has none.
  if (advertiserType !== 'any')
    conditions.push(`ListOfficeName ${advertiserType === 'private' ? 'eq' : 'ne'} null`)
  return conditions
}

function kindCondition(operation: Operation, propertyType: PropertyType): string {
  const isDwelling = propertyType === 'homes' || propertyType === 'garages'
  const [forSale, toLet] = isDwelling
    ? ['Residential', 'Residential Lease']
    : ['Commercial Sale', 'Commercial Lease']
  const subtypes: Record<PropertyType, string> = {
    homes: "PropertySubType ne 'Deeded Parking'",
    garages: "PropertySubType eq 'Deeded Parking'",
    offices: "PropertySubType eq 'Office'",
    premises: `(${PREMISES_SUBTYPES.map(word => `PropertySubType eq '${word}'`).join(' or ')})`,
  }
  return `PropertyType eq '${operation === 'sale' ? forSale : toLet}' and ${subtypes[propertyType]}`
}

/** Whether one of these fields holds one of its words. */
function anyOf(words: Partial<Record<string, readonly string[]>>): string {
  const parts = Object.entries(words).map(([field, names = []]) => {
    return `${field}/any(w: ${names.map(name => `w eq '${name}'`).join(' or ')})`
  })
  return parts.length > 1 ? `(${parts.join(' or ')})` : parts.join()
}

function wordsOf(words: Record<string, Condition>, meaning: Condition): string[] {
  return Object.keys(words).filter(word => words[word] === meaning)
}

function readSearchPage(
  { text, url }: PortalDocument,
  _search: Search,
  { since }: SearchContext,
): SearchPageReading {
  const reply = readJsonObject(text)
  if (reply === null || !Array.isArray(reply.value)) return unreadable(text, reply, 'no value')
  const count = countOf(reply['@odata.count'])
  const properties: JsonNode[] = reply.value.filter(isNode)
  const cards: Card[] = []
  const goneIds: string[] = []
  for (const property of properties) {
    const listingId = keyOf(property)
    if (listingId === null) continue
    if (property.StandardStatus === 'Active') cards.push(readCard(property, listingId, url))
    else if (typeof property.StandardStatus === 'string') goneIds.push(listingId)
  }
  // An empty page is believed only where the count says that there is nothing: never as the end of a list.
  if (cards.length + goneIds.length === 0 && count !== 0)
    return unreadable(text, reply, `${count ?? 'unknown'} promised, none of ${properties.length} readable`)
  if (cards.length > 0 && cards.every(card => typeof card.listing?.price !== 'number'))
    return unreadable(text, reply, 'no property has a price')
  const next = readNext(reply['@odata.nextLink'], url)
  if (next === null) return unreadable(text, reply, 'the next page is elsewhere')
  // Of an incremental run the count is that of the changes.
  return { kind: 'page', total: since === null ? count : null, cards, goneIds, next }
}

function readCard(property: JsonNode, listingId: string, pageUrl: string): Card {
  const found = readProperty(property, listingId, pageUrl)
  const changedAt = readInstant(property.ModificationTimestamp)
  return { listingId, path: entityPath(listingId), changedAt, ...found }
}

/** None at the end; null if it is not on this portal. */
function readNext(link: unknown, pageUrl: string): PortalRequest[] | null {
  if (link === undefined || link === null) return []
  const next = typeof link === 'string' ? URL.parse(link, pageUrl) : null
  return next !== null && next.origin === URL.parse(pageUrl)?.origin
    ? [{ path: next.href, accept: MEDIA_TYPE }]
    : null
}

function unreadable(text: string, reply: JsonNode | null, missing: string): Unreadable {
  if (reply === null) return { kind: 'unreadable', reason: readObstacle(text) ?? 'layout', detail: 'no JSON' }
  if (!isNode(reply.error)) return { kind: 'unreadable', reason: 'layout', detail: missing }
  const [code, message] = [lineOf(nodeOf(reply.error).code) ?? '', lineOf(nodeOf(reply.error).message) ?? '']
  const reason = /^(401|unauthori[sz]ed)$/i.test(code) ? 'login' : 'layout'
  return { kind: 'unreadable', reason, detail: `the portal answered: ${code} ${message}`.slice(0, 300) }
}
