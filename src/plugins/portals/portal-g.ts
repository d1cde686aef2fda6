/**
 * Portal G: a Spanish multiple listing service with a RESO Web API (OData 4). The search returns all facts, and
 * withdrawn listings.
 */
import Type, { type Static } from 'typebox'
import { detectObstacle } from '../../domain/listing/challenge.ts'
import { isNode, type JsonNode } from '../../domain/listing/json-ld.ts'
import { parseCount, parseJsonObject, parseLine, toNode } from '../../domain/listing/json-values.ts'
import {
  type Condition,
  listingOperations,
  listingPropertyTypes,
  type Operation,
  type PropertyType,
} from '../../domain/listing/listing.ts'
import { parseInstant } from '../../domain/listing/values.ts'
import type {
  Card,
  PagedSearch,
  PortalDefinition,
  PortalDocument,
  PortalRequest,
  SearchContext,
  SearchPageReading,
  SearchPlace,
  UnreadablePage,
} from '../portal.ts'
import { sharedFilters } from '../portal-filters.ts'
import {
  conditionWords,
  featureWords,
  getKey,
  parseProperty,
  premisesSubtypes,
  selectedFields,
  toEntityPath,
} from './portal-g-property.ts'

const pageSize = 200
const mediaType = 'application/json'
const portalFeatures = Object.keys(featureWords) as (keyof typeof featureWords)[]

const filters = Type.Object(
  {
    operation: sharedFilters.operation(listingOperations),
    location: sharedFilters.location({ id: '08019', label: 'Barcelona' }),
    propertyType: sharedFilters.propertyType(listingPropertyTypes),
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
  operations: listingOperations,
  propertyTypes: listingPropertyTypes,
  listingPath: /^\/propiedad\/(?<listingId>[A-Za-z0-9-]{1,64})\/?$/,
  filters,
  locations: { countries: ['ES'], types: ['province', 'municipality'], toPortalId: toPortalLocation },
  authentication: { kind: 'bearer' },
  politeness: { requestsPerSecond: 2, concurrency: 2 },
  search: {
    kind: 'pages',
    coverage: 'changes',
    cards: 'facts',
    start: toFirstRequest,
    read: parseSearchPage,
  },
  details: null,
}

/** The INE code of a town (`28079`), or the ISO 3166-2 letters of a province (`M`). */
function toPortalLocation({ id }: SearchPlace): string {
  return id.slice('ES-'.length)
}

function toFirstRequest(search: Search, { since }: SearchContext): PortalRequest {
  // The status shows what is gone since then, so every status is requested.
  const changed = since === null ? "StandardStatus eq 'Active'" : `ModificationTimestamp ge ${since}`
  const options = {
    $filter: [changed, ...toConditions(search)].join(' and '),
    $select: selectedFields.join(','),
    $expand: 'Media($select=MediaURL,Order)',
    // A property that changes during the crawl moves to the end and is read again.
    $orderby: 'ModificationTimestamp,ListingKey',
    $top: pageSize,
    $count: true,
  }
  const query = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return { path: `/odata/Property?${query.join('&')}`, accept: mediaType }
}

function toConditions(search: Search): string[] {
  const { operation, propertyType = 'homes', location, features = [], advertiserType = 'any' } = search
  const conditions = [
    toKindCondition(operation, propertyType),
    `${/^\d/.test(location.id) ? 'X_MunicipalityCode' : 'X_ProvinceCode'} eq '${location.id}'`,
  ]
  const toBound = (name: string, operator: 'ge' | 'le', value: number | undefined) => {
    if (value !== undefined) conditions.push(`${name} ${operator} ${value}`)
  }
  toBound('ListPrice', 'ge', search.minPrice)
  toBound('ListPrice', 'le', search.maxPrice)
  toBound('BedroomsTotal', 'ge', search.minRooms)
  toBound('BedroomsTotal', 'le', search.maxRooms)
  toBound('BathroomsTotalInteger', 'ge', search.minBathrooms)
  toBound('LivingArea', 'ge', search.minSquareMeters)
  toBound('LivingArea', 'le', search.maxSquareMeters)
  toBound('DaysOnMarket', 'le', search.publishedWithinDays)
  if (search.condition)
    conditions.push(toAnyCondition({ PropertyCondition: listWords(conditionWords, search.condition) }))
  for (const feature of features) conditions.push(toAnyCondition(featureWords[feature]))
  // An agency's property has an office; a private owner's has none.
  if (advertiserType !== 'any')
    conditions.push(`ListOfficeName ${advertiserType === 'private' ? 'eq' : 'ne'} null`)
  return conditions
}

function toKindCondition(operation: Operation, propertyType: PropertyType): string {
  const isResidential = propertyType === 'homes' || propertyType === 'garages'
  const [forSale, toLet] = isResidential
    ? ['Residential', 'Residential Lease']
    : ['Commercial Sale', 'Commercial Lease']
  const subtypes: Record<PropertyType, string> = {
    homes: "PropertySubType ne 'Deeded Parking'",
    garages: "PropertySubType eq 'Deeded Parking'",
    offices: "PropertySubType eq 'Office'",
    premises: `(${premisesSubtypes.map(word => `PropertySubType eq '${word}'`).join(' or ')})`,
  }
  return `PropertyType eq '${operation === 'sale' ? forSale : toLet}' and ${subtypes[propertyType]}`
}

/** The condition that one of these fields has one of these values. */
function toAnyCondition(words: Partial<Record<string, readonly string[]>>): string {
  const parts = Object.entries(words).map(([field, names = []]) => {
    return `${field}/any(w: ${names.map(name => `w eq '${name}'`).join(' or ')})`
  })
  return parts.length > 1 ? `(${parts.join(' or ')})` : parts.join()
}

function listWords(words: Record<string, Condition>, meaning: Condition): string[] {
  return Object.keys(words).filter(word => words[word] === meaning)
}

function parseSearchPage(
  { text, url }: PortalDocument,
  _search: Search,
  { since }: SearchContext,
): SearchPageReading {
  const reply = parseJsonObject(text)
  if (reply === null || !Array.isArray(reply.value)) return toUnreadable(text, reply, 'no value')
  const count = parseCount(reply['@odata.count'])
  const properties: JsonNode[] = reply.value.filter(isNode)
  const cards: Card[] = []
  const withdrawnIds: string[] = []
  for (const property of properties) {
    const listingId = getKey(property)
    if (listingId === null) continue
    if (property.StandardStatus === 'Active') cards.push(parseCard(property, listingId, url))
    else if (typeof property.StandardStatus === 'string') withdrawnIds.push(listingId)
  }
  // An empty page is only accepted with a count of 0, never as the end of a list.
  if (cards.length + withdrawnIds.length === 0 && count !== 0)
    return toUnreadable(text, reply, `${count ?? 'unknown'} reported, none of ${properties.length} readable`)
  if (cards.length > 0 && cards.every(card => typeof card.listing?.price !== 'number'))
    return toUnreadable(text, reply, 'no property has a price')
  const next = parseNext(reply['@odata.nextLink'], url)
  if (next === null) return toUnreadable(text, reply, 'the next page is on another host')
  // In an incremental run the count is that of the changes.
  return { kind: 'page', total: since === null ? count : null, cards, withdrawnIds, next }
}

function parseCard(property: JsonNode, listingId: string, pageUrl: string): Card {
  const found = parseProperty(property, listingId, pageUrl)
  const changedAt = parseInstant(property.ModificationTimestamp)
  return { listingId, path: toEntityPath(listingId), changedAt, ...found }
}

/** Empty at the end; null if the next page is not on this portal. */
function parseNext(link: unknown, pageUrl: string): PortalRequest[] | null {
  if (link === undefined || link === null) return []
  const next = typeof link === 'string' ? URL.parse(link, pageUrl) : null
  return next !== null && next.origin === URL.parse(pageUrl)?.origin
    ? [{ path: next.href, accept: mediaType }]
    : null
}

function toUnreadable(text: string, reply: JsonNode | null, missing: string): UnreadablePage {
  if (reply === null)
    return { kind: 'unreadable', reason: detectObstacle(text) ?? 'layout', detail: 'no JSON' }
  if (!isNode(reply.error)) return { kind: 'unreadable', reason: 'layout', detail: missing }
  const [code, message] = [
    parseLine(toNode(reply.error).code) ?? '',
    parseLine(toNode(reply.error).message) ?? '',
  ]
  const reason = /^(401|unauthori[sz]ed)$/i.test(code) ? 'login' : 'layout'
  return { kind: 'unreadable', reason, detail: `the portal answered: ${code} ${message}`.slice(0, 300) }
}
