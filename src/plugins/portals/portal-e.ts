/**
 * Portal E: a Spanish portal whose partners get all listings in one gzipped Kyero v3 file. The definition filters
 * them.
 */
import Type, { type Static } from 'typebox'
import { type KyeroFeed, parseKyeroAgent, parseKyeroProperty } from '../../domain/feed/kyero.ts'
import { splitXmlItems } from '../../domain/feed/xml-items.ts'
import { detectObstacle } from '../../domain/listing/challenge.ts'
import { mergeFacts } from '../../domain/listing/parse-listing.ts'
import { toSlug } from '../../domain/slug.ts'
import type {
  FactsCard,
  FeedItem,
  FeedReader,
  FeedSearch,
  PortalDefinition,
  SearchContext,
  SearchPlace,
  UnreadablePage,
} from '../portal.ts'
import { sharedFilters } from '../portal-filters.ts'
import { isInPlace } from './portal-e-place.ts'

const portalOperations = ['sale', 'rent'] as const
const portalPropertyTypes = ['homes', 'offices', 'premises', 'garages'] as const
const portalFeatures = [
  'lift',
  'terrace',
  'balcony',
  'parking',
  'pool',
  'garden',
  'air_conditioning',
  'storage_room',
  'fitted_wardrobes',
  'concierge',
  'exterior',
  'interior',
  'top_floor',
] as const
const listingPath = /^\/propiedad\/(?<listingId>[A-Za-z0-9._-]{1,50})\.htm$/

// No `publishedWithinDays`: the feed has the date of the last change, not of publication.
const filters = Type.Object(
  {
    operation: sharedFilters.operation(portalOperations),
    location: sharedFilters.location({ id: 'spain_barcelona_barcelona', label: 'Barcelona' }),
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
  },
  { additionalProperties: false },
)

type Search = Static<typeof filters>

export const portalE: PortalDefinition<typeof filters, FeedSearch<Search>> = {
  id: 'portal_e',
  name: 'Portal E',
  country: 'ES',
  language: 'es',
  currency: 'EUR',
  timezone: 'Europe/Madrid',
  capabilities: { extract: true, validate: true, campaign: true, ficha: false },
  operations: portalOperations,
  propertyTypes: portalPropertyTypes,
  listingPath: listingPath,
  filters,
  locations: {
    countries: ['ES'],
    types: ['country', 'province', 'municipality'],
    toPortalId: toPortalLocation,
  },
  politeness: { requestsPerSecond: 1, concurrency: 1, requestsPerHour: 60 },
  search: {
    kind: 'feed',
    request: () => ({ path: '/feeds/kyero-v3.xml.gz', accept: 'application/gzip, application/xml' }),
    createReader: createFeedReader,
    matches,
  },
  details: null,
}

/**
 * `spain`, `spain_granada`, `spain_granada_almunecar`: the feed identifies places by the names of province and town.
 */
function toPortalLocation({ name, type, province }: SearchPlace): string {
  if (type === 'country') return 'spain'
  const words = type === 'municipality' && province ? [province.name, name] : [name]
  return ['spain', ...words.map(toSlug)].join('_')
}

function createFeedReader(url: string): FeedReader {
  const items = splitXmlItems('property')
  const feed: KyeroFeed = { url, language: portalE.language, timezone: portalE.timezone, agent: {} }
  const origin = URL.parse(url)?.origin ?? ''
  let count = 0
  let pricedCount = 0
  const read = (xml: string | null): FeedItem => {
    if (count === 0) feed.agent = parseKyeroAgent(items.preamble())
    count += 1
    const item = parseItem(xml, feed, origin) ?? { listingId: `property-${count}`, card: null }
    if (item.card !== null && item.card.listing.price !== null) pricedCount += 1
    return item
  }
  return {
    push: text => items.push(text).map(read),
    end() {
      const isWhole = items.end()
      if (count === 0) {
        const preamble = items.preamble()
        return toUnreadable('the feed holds no property', detectObstacle(preamble) ?? 'layout')
      }
      if (!isWhole) return toUnreadable(`the feed ends after ${count} properties without its closing tag`)
      return pricedCount === 0 ? toUnreadable(`none of ${count} properties has a price`) : null
    },
  }
}

function parseItem(xml: string | null, feed: KyeroFeed, origin: string): FeedItem | null {
  const property = xml === null ? null : parseKyeroProperty(xml, feed)
  if (property === null) return null
  const listingId = property.id
  const path = toPath(property.page, listingId, origin)
  const { country, currency } = portalE
  const found = path && mergeFacts({ url: origin + path, country, currency }, [['feed', property.facts]])
  if (!path || !found) return { listingId, card: null }
  return { listingId, card: { listingId, path, changedAt: property.changedAt, ...found } }
}

/** The portal's page of the listing, whatever address the feed has; null for an invalid id. */
function toPath(page: string, listingId: string, origin: string): string | null {
  const path = page.startsWith(`${origin}/`) ? page.slice(origin.length) : ''
  if (listingPath.exec(path)?.groups?.listingId === listingId) return path
  const ownPath = `/propiedad/${listingId}.htm`
  return listingPath.test(ownPath) ? ownPath : null
}

/** Compares each filter with the facts of the feed. A missing fact matches no filter. */
function matches({ listing }: FactsCard, search: Search, { place }: SearchContext): boolean {
  const { operation, propertyType = 'homes', condition, features = [], advertiserType = 'any' } = search
  const { minPrice, maxPrice } = search
  if (listing.operation !== operation || listing.propertyType !== propertyType) return false
  if (minPrice !== undefined || maxPrice !== undefined) {
    // A price in another currency cannot be compared.
    if (listing.currency !== portalE.currency || !isWithin(listing.price, minPrice, maxPrice)) return false
  }
  if (!isWithin(listing.bedrooms, search.minRooms, search.maxRooms)) return false
  if (!isWithin(listing.bathrooms, search.minBathrooms, undefined)) return false
  if (!isWithin(listing.squareMeters, search.minSquareMeters, search.maxSquareMeters)) return false
  if (condition !== undefined && listing.condition !== condition) return false
  if (advertiserType !== 'any' && listing.contact.advertiserType !== advertiserType) return false
  return features.every(feature => listing.features.includes(feature)) && isInPlace(listing, place)
}

function isWithin(value: number | null, low: number | undefined, high: number | undefined): boolean {
  if (low === undefined && high === undefined) return true
  return value !== null && value >= (low ?? value) && value <= (high ?? value)
}

function toUnreadable(detail: string, reason: UnreadablePage['reason'] = 'layout'): UnreadablePage {
  return { kind: 'unreadable', reason, detail }
}
