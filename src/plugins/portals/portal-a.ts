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
import {
  type Card,
  type ListingReading,
  type PortalDefinition,
  type SearchPageReading,
  sharedFilters,
  type Unreadable,
} from '../portal.ts'

const OPERATIONS = ['sale', 'rent'] as const
const PROPERTY_TYPES = ['homes', 'offices', 'premises', 'garages'] as const
const FEATURES = [
  'lift',
  'terrace',
  'balcony',
  'parking',
  'pool',
  'garden',
  'airConditioning',
  'storage',
  'wardrobes',
  'doorman',
  'exterior',
  'interior',
  'topFloor',
] as const
const OPERATION_PATHS: Record<Operation, string> = { sale: 'venta', rent: 'alquiler' }
const TYPE_PATHS: Record<PropertyType, string> = {
  homes: 'viviendas',
  offices: 'oficinas',
  premises: 'locales',
  garages: 'garajes',
}
const LISTING_PATH = /^\/inmueble\/(?<listingId>[A-Za-z0-9]{1,64})\/?$/

const filters = Type.Object(
  {
    operation: sharedFilters.operation(OPERATIONS),
    location: sharedFilters.location,
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

export const portalA: PortalDefinition<typeof filters> = {
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
  politeness: { requestsPerSecond: 2, concurrency: 8 },
  searchPath,
  readSearchPage,
  readListing: readDetailPage,
}

function searchPath(search: Static<typeof filters>, page: number): string {
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
  if (page > 1) query.set('page', String(page))
  const path = `/${OPERATION_PATHS[operation]}/${TYPE_PATHS[propertyType]}/${encodeURIComponent(location.id)}/`
  return query.size > 0 ? `${path}?${query}` : path
}

/** The portal knows whole numbers alone. Its own values are whole, so rounding inwards finds the same adverts. */
function wholeNumber(name: string, value: unknown): string {
  if (typeof value !== 'number') return String(value)
  return String(name.startsWith('min') ? Math.ceil(value) : Math.floor(value))
}

function readSearchPage(html: string, url: string): SearchPageReading {
  const total = readTotal(html)
  const articles = elementsOf(html, 'article', 'item')
  const kind = readPathWords(URL.parse(url)?.pathname ?? '')
  const cards = articles.flatMap(article => readCard(article, url, kind) ?? [])
  const hasNext = /<(?:a|link)\s[^<>]*\brel=["']?next\b/.test(html)
  if (cards.length > 0) {
    const isPriced = cards.some(card => card.listing.price !== null)
    return isPriced ? { kind: 'page', total, cards, hasNext } : unreadable(html, 'no card has a price')
  }
  if (articles.length === 0 && isEmptySearch(html, url, total))
    return { kind: 'page', total, cards, hasNext: false }
  return unreadable(
    html,
    `${total ?? 'unknown'} adverts promised, ${articles.length} cards, none of them readable`,
  )
}

/** The page says itself that there is nothing: no advert at all, or none on a page behind the last. */
function isEmptySearch(html: string, url: string, total: number | null): boolean {
  if (total !== null) return total === 0
  const isBehindLast = Number(URL.parse(url)?.searchParams.get('page') ?? 1) > 1
  return isBehindLast && elementOf(html, 'main', 'no-results') !== null
}

function readTotal(html: string): number | null {
  const heading = elementOf(html, 'h1', 'listing-title')
  if (heading === null) return null
  const text = /^([\d.]+) anuncios?\b/.exec(textOf(heading.inner))?.[1]
  return parseLocalNumber(attributeOf(heading.tag, 'data-total') ?? text ?? '')
}

/** `kind` is what the address of the search says of all its adverts. */
function readCard(article: Element, url: string, kind: ListingFacts): Card | null {
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
  const description = textOf(elementOf(html, 'div', 'item-description')?.inner ?? '')
  if (description !== '') facts.description = description
  const image = absoluteUrl(attributeOf(elementOf(html, 'img')?.tag ?? '', 'src') ?? '', url)
  if (image !== null) facts.images = [image]
  const publishedAt = readInstant(attributeOf(elementOf(html, 'time')?.tag ?? '', 'datetime'))
  if (publishedAt !== null) facts.publishedAt = publishedAt
  const advertiser = spans.find(span => hasClass(span.tag, 'item-advertiser'))
  if (advertiser && hasClass(advertiser.tag, 'private')) facts['contact.advertiserType'] = 'private'
  else if (advertiser) {
    facts['contact.advertiserType'] = 'agency'
    facts['contact.name'] = textOf(advertiser.inner)
  }
  return facts
}

function readDetailPage(html: string, url: string): ListingReading {
  if (/ya no está publicado/.test(elementOf(html, 'title')?.inner ?? '')) return { kind: 'gone' }
  const list = elementOf(html, 'ul', 'details-property')
  if (list === null) return unreadable(html, 'no list of characteristics')
  const markup = readDetailMarkup(html, list)
  const found = readListing({ ...contextOf(url), html, markup })
  // What is left without JSON-LD would pass for an advert that says little.
  if (found === null || !Object.values(found.provenance).includes('json-ld'))
    return unreadable(html, 'no JSON-LD of an advert')
  return { kind: 'listing', ...found }
}

function readDetailMarkup(html: string, list: Element): ListingFacts {
  const facts = readDetailLines(elementsOf(list.inner, 'li').map(line => textOf(line.inner)))
  const contact = elementOf(html, 'aside', 'contact')?.inner ?? ''
  const [type, name] = ['advertiser-type', 'advertiser-name'].map(part =>
    textOf(elementOf(contact, 'p', part)?.inner ?? ''),
  )
  if (type === 'Particular') facts['contact.advertiserType'] = 'private'
  if (type === 'Profesional') facts['contact.advertiserType'] = 'agency'
  if (name) facts['contact.name'] = name
  const phone = textOf(elementOf(contact, 'a', 'phone')?.inner ?? '')
  if (phone !== '') facts['contact.phoneRaw'] = phone
  return facts
}

function priceFacts(price: ReturnType<typeof parseMoney>): ListingFacts {
  if (price === null || price.amount <= 0) return {}
  return { price: price.amount, ...(price.currency === null ? {} : { currency: price.currency }) }
}

function contextOf(url: string): PageContext {
  return { url, country: portalA.country, currency: portalA.currency }
}

function unreadable(html: string, detail: string): Unreadable {
  return { kind: 'unreadable', reason: readObstacle(html) ?? 'layout', detail }
}
