// Portal A: a Spanish portal of server-rendered pages, thirty cards each, with JSON-LD on the page of every advert.
import Type, { type Static } from 'typebox'
import { readObstacle } from '../../domain/listing/challenge.ts'
import {
  attributeOf,
  type Element,
  elementOf,
  elementsOf,
  hasClass,
  textOf,
} from '../../domain/listing/html.ts'
import type { ListingFacts, Operation, PropertyType } from '../../domain/listing/listing.ts'
import { parseMoney } from '../../domain/listing/money.ts'
import { parseLocalNumber } from '../../domain/listing/number.ts'
import { joinFacts, type PageContext, readListing } from '../../domain/listing/read-listing.ts'
import { absoluteUrl, readInstant } from '../../domain/listing/values.ts'
import { readDetailLines, readPathWords, readTitleWords } from '../../domain/listing/vocabulary.ts'
import { slugOf } from '../../domain/slug.ts'
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
import { readAdvertMarkup } from './portal-a-detail.ts'

const OPERATIONS = ['sale', 'rent'] as const
const PROPERTY_TYPES = ['homes', 'offices', 'premises', 'garages'] as const
const FEATURES = [
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
const OPERATION_PATHS: Record<Operation, string> = { sale: 'venta', rent: 'alquiler' }
const TYPE_PATHS: Record<PropertyType, string> = {
  homes: 'viviendas',
  offices: 'oficinas',
  premises: 'locales',
  garages: 'garajes',
}
const LINK = /<(?:a|link)\s[^<>]*>/g
/** In Spain and, in Portuguese, in Portugal. */
const LISTING_PATH = /^\/(?:inmueble|imovel)\/(?<listingId>[A-Za-z0-9]{1,64})\/?$/

const filters = Type.Object(
  {
    operation: sharedFilters.operation(OPERATIONS),
    location: sharedFilters.location({ id: 'barcelona', label: 'Barcelona' }),
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

export const portalA: PortalDefinition<typeof filters, PagedSearch<Search>> = {
  id: 'portal_a',
  name: 'Portal A',
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
  politeness: { requestsPerSecond: 2, concurrency: 8 },
  search: {
    kind: 'pages',
    covers: 'all',
    cards: 'facts',
    start: search => ({ path: searchPath(search) }),
    read: readSearchPage,
  },
  details: { read: ({ text, url }) => readDetailPage(text, url) },
}

/**
 * `barcelona`, `barcelona-provincia`; of two official names the second (`alicante`). The smaller of two towns of one name has
 * its province in its own.
 */
function locationId({ name, type, province, isNamesake }: KnownPlace): string {
  const slug = slugOf(name.split('/').at(-1)!)
  if (type === 'province') return `${slug}-provincia`
  return isNamesake && province ? `${slug}-${slugOf(province.name)}` : slug
}

function searchPath(search: Search): string {
  const {
    operation,
    location,
    propertyType = 'homes',
    features = [],
    advertiserType = 'any',
    ...rest
  } = search
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) query.set(name, wholeNumber(name, value))
  if (features.length > 0) query.set('features', features.join(','))
  if (advertiserType !== 'any') query.set('advertiserType', advertiserType)
  const path = `/${OPERATION_PATHS[operation]}/${TYPE_PATHS[propertyType]}/${encodeURIComponent(location.id)}/`
  return query.size > 0 ? `${path}?${query}` : path
}

/** The portal knows whole numbers alone. Its own values are whole, so rounding inwards finds the same adverts. */
function wholeNumber(name: string, value: unknown): string {
  if (typeof value !== 'number') return String(value)
  return String(name.startsWith('min') ? Math.ceil(value) : Math.floor(value))
}

function readSearchPage({ text: html, url }: PortalDocument): SearchPageReading {
  const page = Number(URL.parse(url)?.searchParams.get('page') ?? 1)
  const total = readTotal(html)
  // Advertisements stand between the cards, articles too.
  const articles = elementsOf(html, 'article').filter(article => article.inner.includes('item-link'))
  const kind = readPathWords(URL.parse(url)?.pathname ?? '')
  const cards = articles.flatMap(article => readCard(article, url, kind) ?? [])
  const next = readNext(html, url)
  if (cards.length > 0) {
    if (!cards.some(card => card.listing.price !== null)) return unreadable(html, 'no card has a price')
    if (page === 1 && total === null && next.length === 0 && !hasPager(html))
      return unreadable(html, 'neither a count of adverts nor a pager: there may be more')
    return { kind: 'page', total, cards, next }
  }
  if (articles.length === 0 && isEmptySearch(html, page, total))
    return { kind: 'page', total, cards, next: [] }
  return unreadable(
    html,
    `${total ?? 'unknown'} adverts promised, ${articles.length} cards, none of them readable`,
  )
}

/** The page says itself that there is nothing: no advert at all, or none on a page behind the last. */
function isEmptySearch(html: string, page: number, total: number | null): boolean {
  return total === null ? page > 1 && elementOf(html, 'main', 'no-results') !== null : total === 0
}

/** Nothing on the last page. */
function readNext(html: string, url: string): PortalRequest[] {
  const link =
    html.match(LINK)?.find(isNext) ?? elementOf(elementOf(html, 'li', 'next')?.inner ?? '', 'a')?.tag
  const address = URL.parse(attributeOf(link ?? '', 'href') ?? '', url)
  if (link === undefined || address === null || address.origin !== URL.parse(url)?.origin) return []
  return [{ path: address.pathname + address.search }]
}

const isNext = (tag: string) => attributeOf(tag, 'rel') === 'next'

/** Left out where all adverts are on one page. */
function hasPager(html: string): boolean {
  return ['ul', 'div'].some(name => elementOf(html, name, 'pagination') !== null)
}

function readTotal(html: string): number | null {
  const heading = elementOf(html, 'h1', 'listing-title')
  if (heading === null) return null
  const text = /^([\d.]+) an[uú]ncios?\b/.exec(textOf(heading.inner))?.[1]
  return parseLocalNumber(attributeOf(heading.tag, 'data-total') ?? text ?? '')
}

/** `kind` is what the address of the search says of all its adverts. */
function readCard(article: Element, url: string, kind: ListingFacts): FactsCard | null {
  const link = elementOf(article.inner, 'a', 'item-link')
  const address = link && URL.parse(attributeOf(link.tag, 'href') ?? '', url)
  const listingId = address && LISTING_PATH.exec(address.pathname)?.groups?.listingId
  if (!listingId) return null
  const title = textOf(link.inner)
  const markup = readCardMarkup(article.inner, url)
  if (title !== '') markup.title = title
  const found = joinFacts(contextOf(address.href), [
    ['markup', markup],
    ['url', kind],
    ['text', readTitleWords(title)],
  ])
  return found && { listingId, path: address.pathname, ...found }
}

function readCardMarkup(html: string, url: string): ListingFacts {
  const spans = elementsOf(html, 'span')
  const facts = readDetailLines(
    spans.filter(span => hasClass(span.tag, 'item-detail')).map(span => textOf(span.inner)),
  )
  const price = parseMoney(textOf(spans.find(span => hasClass(span.tag, 'item-price'))?.inner ?? ''))
  Object.assign(facts, priceFacts(price))
  const excerpt = elementOf(html, 'div', 'item-description') ?? elementOf(html, 'p', 'item-description')
  const description = textOf(excerpt?.inner ?? '')
  if (description !== '') facts.description = description
  const picture = elementOf(html, 'img')?.tag ?? ''
  // Where pictures load on demand, `src` is one grey pixel.
  const source = attributeOf(picture, 'data-ondemand-img') ?? attributeOf(picture, 'src')
  const image = absoluteUrl(source ?? '', url)
  if (image !== null) facts.images = [image]
  const publishedAt = readInstant(attributeOf(elementOf(html, 'time')?.tag ?? '', 'datetime'))
  if (publishedAt !== null) facts.publishedAt = publishedAt
  const advertiser = spans.find(span => hasClass(span.tag, 'item-advertiser'))
  if (advertiser && hasClass(advertiser.tag, 'private')) facts['contact.advertiserType'] = 'private'
  else if (advertiser) {
    facts['contact.advertiserType'] = 'agency'
    facts['contact.name'] = textOf(advertiser.inner)
  }
  const phone = textOf(elementOf(html, 'a', 'item-clickable-phone')?.inner ?? '')
  if (phone !== '') facts['contact.phoneRaw'] = phone
  return facts
}

function readDetailPage(html: string, url: string): ListingReading {
  if (/ya no está publicado|já não está publicado/.test(elementOf(html, 'title')?.inner ?? ''))
    return { kind: 'gone' }
  const markup = readAdvertMarkup(html, url)
  if (markup === null) return unreadable(html, 'no list of characteristics')
  const found = readListing({ ...contextOf(url), html, markup })
  // Without JSON-LD and without a price in its place, what is left would pass for an advert that says little.
  const isUnderstood =
    markup.price !== undefined || Object.values(found?.provenance ?? {}).includes('json-ld')
  if (found === null || !isUnderstood) return unreadable(html, 'no JSON-LD of an advert, and no price')
  return { kind: 'listing', ...found }
}

function priceFacts(price: ReturnType<typeof parseMoney>): ListingFacts {
  if (price === null || price.amount <= 0) return {}
  const currency = price.currency ?? price.sharedSign
  return { price: price.amount, ...(currency && { currency }) }
}

function contextOf(url: string): PageContext {
  const isInPortugal = URL.parse(url)?.pathname.startsWith('/imovel/')
  return { url, country: isInPortugal ? 'PT' : portalA.country, currency: portalA.currency }
}

function unreadable(html: string, detail: string): Unreadable {
  return { kind: 'unreadable', reason: readObstacle(html) ?? 'layout', detail }
}
