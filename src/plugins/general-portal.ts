/**
 * Makes a definition from start addresses: the cards of its searches and its listing pages are read by the general
 * readers, which know no portal.
 */
import Type, { type Static } from 'typebox'
import { detectObstacle } from '../domain/listing/challenge.ts'
import { type FoundCard, findCards } from '../domain/listing/find-cards.ts'
import type { Operation, PropertyType } from '../domain/listing/listing.ts'
import { findListingId } from '../domain/listing/listing-path.ts'
import { mergeFacts } from '../domain/listing/parse-listing.ts'
import type { PageListing } from '../domain/listing/reader/page-listing.ts'
import { readListing } from '../domain/listing/reader/read-listing.ts'
import { toParsedListing } from '../domain/listing/reader/to-parsed-listing.ts'
import { parseTitleWords } from '../domain/listing/vocabulary.ts'
import type { PlaceCountry } from '../domain/location/place.ts'
import type {
  Card,
  ListingReading,
  PagedSearch,
  PortalDefinition,
  PortalDocument,
  SearchPageReading,
  UnreadablePage,
} from './portal.ts'
import { sharedFilters } from './portal-filters.ts'

/** The first page of one search. */
export interface StartAddress {
  operation: Operation
  propertyType: PropertyType
  /** The id of the place in the gazetteer: `ES-36057`, `PT-1106`, `IT-RM`, `ES`. */
  place: string
  /** Path and query. */
  path: string
}

export interface GeneralPortalOptions {
  id: string
  name: string
  country: PlaceCountry
  language: string
  currency: string
  timezone: string
  /**
   * Paths of listings with a group `listingId`. If the pattern contains `\?`, it applies to path and query together:
   * some sites have the id in the query.
   */
  listingPath: RegExp
  /** At least one. Every place needs one for each combination of operation and property type that any place has. */
  searches: readonly StartAddress[]
  /** `all` if the pages of a search show all its listings, so that missing ones are withdrawn. Default: `latest`. */
  coverage?: PagedSearch<object>['coverage']
  /** Default: a request every two seconds. */
  requestsPerSecond?: number
}

/** Throws if the options contradict each other. */
export function generalPortal(options: GeneralPortalOptions) {
  const { id, name, country, language, currency, timezone, listingPath, searches } = options
  const operations = [...new Set(searches.map(({ operation }) => operation))]
  const propertyTypes = [...new Set(searches.map(({ propertyType }) => propertyType))]
  const places = [...new Set(searches.map(({ place }) => place))]
  const offer = { operations, propertyTypes }
  checkSearches(options, { ...offer, places })
  const filters = Type.Object(
    {
      operation: sharedFilters.operation(operations),
      location: sharedFilters.location({ id: places[0]!, label: places[0]! }),
      propertyType: sharedFilters.propertyType(propertyTypes),
    },
    { additionalProperties: false },
  )
  type Search = Static<typeof filters>
  const findStart = ({ operation, location, propertyType = propertyTypes[0]! }: Search) =>
    searches.find(
      search =>
        search.operation === operation &&
        search.propertyType === propertyType &&
        search.place === location.id,
    )
  const findId = (url: URL) => findListingId(listingPath, url)
  const definition: PortalDefinition<typeof filters, PagedSearch<Search>> = {
    id,
    name,
    country,
    language,
    currency,
    timezone,
    capabilities: { extract: true, validate: true, campaign: true, ficha: true },
    operations,
    propertyTypes,
    listingPath,
    filters,
    locations: {
      countries: [country],
      types: ['country', 'region', 'province', 'municipality'],
      toPortalId: place => (places.includes(place.id) ? place.id : null),
    },
    politeness: { requestsPerSecond: options.requestsPerSecond ?? 0.5, concurrency: 1 },
    search: {
      kind: 'pages',
      coverage: options.coverage ?? 'latest',
      cards: 'facts',
      // The locations of the portal are the places of the start addresses.
      start: search => ({ path: findStart(search)?.path ?? searches[0]!.path }),
      read: (page, search) => readSearchPage(page, options, findId, findStart(search) ?? null),
    },
    details: {
      read: page => toListingReading(page, readGeneral(page, options), options, offer),
      fromGeneral: (page, general) => toListingReading(page, general, options, offer),
    },
  }
  return definition
}

interface Offer {
  operations: readonly Operation[]
  propertyTypes: readonly PropertyType[]
}

function checkSearches(
  { searches, listingPath }: GeneralPortalOptions,
  { operations, propertyTypes, places }: Offer & { places: readonly string[] },
): void {
  if (searches.length === 0) throw new Error('`searches` must have at least one start address')
  if (!listingPath.source.includes('(?<listingId>'))
    throw new Error('`listingPath` must have a group named listingId')
  const known = new Set<string>()
  for (const { operation, propertyType, place, path } of searches) {
    const key = `${operation} of ${propertyType} in ${place}`
    if (known.has(key)) throw new Error(`\`searches\` has more than one start address for ${key}`)
    known.add(key)
    if (!/^\/(?!\/)/.test(path)) throw new Error(`the start address ${path} must begin with one /`)
  }
  for (const place of places)
    for (const operation of operations)
      for (const propertyType of propertyTypes) {
        const key = `${operation} of ${propertyType} in ${place}`
        if (!known.has(key))
          throw new Error(`\`searches\` has no start address for ${key}, but for other places`)
      }
}

type FindListingId = (url: URL) => string | null

function readSearchPage(
  { text, url }: PortalDocument,
  options: GeneralPortalOptions,
  findId: FindListingId,
  start: StartAddress | null,
): SearchPageReading {
  const { cards: found, total, nextUrl, saysNone } = findCards({ html: text, url, findListingId: findId })
  const origin = URL.parse(url)?.origin
  const cards = found.flatMap(card => toCard(card, options, findId, start, origin) ?? [])
  if (cards.length === 0) {
    if (saysNone) return { kind: 'page', total: 0, cards, next: [] }
    return toUnreadable(text, `announces ${total ?? 'an unknown number of'} listings and has no card`)
  }
  if (!cards.some(({ listing }) => listing?.price)) return toUnreadable(text, 'no card has a price')
  const next = nextUrl === null ? null : URL.parse(nextUrl)
  return {
    kind: 'page',
    total,
    cards,
    next: next === null || next.origin !== origin ? [] : [{ path: next.pathname + next.search }],
  }
}

function toCard(
  { url, facts }: FoundCard,
  { country, currency }: GeneralPortalOptions,
  findId: FindListingId,
  start: StartAddress | null,
  origin: string | undefined,
): Card | null {
  const parsed = new URL(url)
  const listingId = findId(parsed)
  if (listingId === null || parsed.origin !== origin) return null
  const found = mergeFacts({ url, country, currency }, [
    ['markup', facts],
    ['text', parseTitleWords(facts.title ?? '')],
    ['portal', start === null ? {} : { operation: start.operation, propertyType: start.propertyType }],
  ])
  return { listingId, path: parsed.pathname + parsed.search, ...found }
}

const readGeneral = ({ text, url }: PortalDocument, { country, currency }: GeneralPortalOptions) =>
  readListing({ html: text, url, country, currency })

function toListingReading(
  { text, url }: PortalDocument,
  page: PageListing | null,
  { country, currency }: GeneralPortalOptions,
  { operations, propertyTypes }: Offer,
): ListingReading {
  if (page === null) return toUnreadable(text, 'no listing of a property')
  if (page.values.status === 'withdrawn') return { kind: 'gone' }
  const { listing, provenance } = toParsedListing(page, { url, country, currency })
  const { price, squareMeters, rooms, bedrooms } = listing
  if ([price, squareMeters, rooms, bedrooms].every(value => value === null))
    return toUnreadable(text, 'neither price nor area nor rooms')
  // What all searches of the portal have in common applies to its listings.
  if (listing.operation === null && operations.length === 1) {
    listing.operation = operations[0]!
    provenance.operation = 'portal'
  }
  if (listing.propertyType === null && propertyTypes.length === 1) {
    listing.propertyType = propertyTypes[0]!
    provenance.propertyType = 'portal'
  }
  return { kind: 'listing', listing, provenance }
}

function toUnreadable(text: string, detail: string): UnreadablePage {
  return { kind: 'unreadable', reason: detectObstacle(text) ?? 'layout', detail }
}
