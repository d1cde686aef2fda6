/** Portal A: a Spanish portal with server-rendered pages of thirty cards, and JSON-LD on every detail page. */
import Type, { type Static } from 'typebox'
import { detectObstacle } from '../../domain/listing/challenge.ts'
import {
  type Element,
  extractText,
  findAttribute,
  findElement,
  findElements,
  hasClass,
} from '../../domain/listing/html.ts'
import type { ListingFacts, Operation, PropertyType } from '../../domain/listing/listing.ts'
import { parseMoney } from '../../domain/listing/money.ts'
import { parseLocalNumber } from '../../domain/listing/number.ts'
import { mergeFacts, type PageContext, parseListing } from '../../domain/listing/parse-listing.ts'
import { parseInstant, toAbsoluteUrl } from '../../domain/listing/values.ts'
import { parseDetailLines, parsePathWords, parseTitleWords } from '../../domain/listing/vocabulary.ts'
import { toSlug } from '../../domain/slug.ts'
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
import { parseListingMarkup } from './portal-a-detail.ts'

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
const operationPaths: Record<Operation, string> = { sale: 'venta', rent: 'alquiler' }
const typePaths: Record<PropertyType, string> = {
  homes: 'viviendas',
  offices: 'oficinas',
  premises: 'locales',
  garages: 'garajes',
}
const linkPattern = /<(?:a|link)\s[^<>]*>/g
/** The paths in Spain and in Portugal. */
const listingPath = /^\/(?:inmueble|imovel)\/(?<listingId>[A-Za-z0-9]{1,64})\/?$/

const filters = Type.Object(
  {
    operation: sharedFilters.operation(portalOperations),
    location: sharedFilters.location({ id: 'barcelona', label: 'Barcelona' }),
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
  operations: portalOperations,
  propertyTypes: portalPropertyTypes,
  listingPath: listingPath,
  listingExample: '/inmueble/166310033/',
  filters,
  locations: { countries: ['ES'], types: ['province', 'municipality'], toPortalId: toPortalLocation },
  politeness: { requestsPerSecond: 2, concurrency: 8 },
  search: {
    kind: 'pages',
    coverage: 'all',
    cards: 'facts',
    start: search => ({ path: toSearchPath(search) }),
    read: parseSearchPage,
  },
  details: { read: ({ text, url }) => parseDetailPage(text, url) },
}

/**
 * `barcelona`, `barcelona-provincia`; the second of two official names (`alicante`). If two towns share a name, the
 * smaller one has its province in the id.
 */
function toPortalLocation({ name, type, province, isNamesake }: SearchPlace): string {
  const slug = toSlug(name.split('/').at(-1)!)
  if (type === 'province') return `${slug}-provincia`
  return isNamesake && province ? `${slug}-${toSlug(province.name)}` : slug
}

function toSearchPath(search: Search): string {
  const {
    operation,
    location,
    propertyType = 'homes',
    features = [],
    advertiserType = 'any',
    ...rest
  } = search
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) query.set(name, formatWholeNumber(name, value))
  if (features.length > 0) query.set('features', features.join(','))
  if (advertiserType !== 'any') query.set('advertiserType', advertiserType)
  const path = `/${operationPaths[operation]}/${typePaths[propertyType]}/${encodeURIComponent(location.id)}/`
  return query.size > 0 ? `${path}?${query}` : path
}

/** The portal takes whole numbers only. Its own values are whole, so rounding inwards finds the same listings. */
function formatWholeNumber(name: string, value: unknown): string {
  if (typeof value !== 'number') return String(value)
  return String(name.startsWith('min') ? Math.ceil(value) : Math.floor(value))
}

function parseSearchPage({ text: html, url }: PortalDocument): SearchPageReading {
  const page = Number(URL.parse(url)?.searchParams.get('page') ?? 1)
  const total = parseTotal(html)
  // Advertisements between the cards are articles too.
  const articles = findElements(html, 'article').filter(article => article.inner.includes('item-link'))
  const searchFacts = parsePathWords(URL.parse(url)?.pathname ?? '')
  const cards = articles.flatMap(article => parseCard(article, url, searchFacts) ?? [])
  const next = parseNextLink(html, url)
  if (cards.length > 0) {
    if (!cards.some(card => card.listing.price !== null)) return toUnreadable(html, 'no card has a price')
    if (page === 1 && total === null && next.length === 0 && !hasPager(html))
      return toUnreadable(html, 'no count of listings and no pager: there may be more')
    return { kind: 'page', total, cards, next }
  }
  if (articles.length === 0 && isEmptySearch(html, page, total))
    return { kind: 'page', total, cards, next: [] }
  return toUnreadable(
    html,
    `${total ?? 'unknown'} listings reported, ${articles.length} cards, none of them readable`,
  )
}

/** True if the page states that it is empty: no results, or a page after the last. */
function isEmptySearch(html: string, page: number, total: number | null): boolean {
  return total === null ? page > 1 && findElement(html, 'main', 'no-results') !== null : total === 0
}

/** The next page; empty on the last one. */
function parseNextLink(html: string, url: string): PortalRequest[] {
  const link =
    html.match(linkPattern)?.find(isNext) ??
    findElement(findElement(html, 'li', 'next')?.inner ?? '', 'a')?.tag
  const address = URL.parse(findAttribute(link ?? '', 'href') ?? '', url)
  if (link === undefined || address === null || address.origin !== URL.parse(url)?.origin) return []
  return [{ path: address.pathname + address.search }]
}

const isNext = (tag: string) => findAttribute(tag, 'rel') === 'next'

/** A search whose listings fit on one page has no pager. */
function hasPager(html: string): boolean {
  return ['ul', 'div'].some(name => findElement(html, name, 'pagination') !== null)
}

function parseTotal(html: string): number | null {
  const heading = findElement(html, 'h1', 'listing-title')
  if (heading === null) return null
  const text = /^([\d.]+) an[uú]ncios?\b/.exec(extractText(heading.inner))?.[1]
  return parseLocalNumber(findAttribute(heading.tag, 'data-total') ?? text ?? '')
}

/** `searchFacts` come from the URL of the search and apply to all its listings. */
function parseCard(article: Element, url: string, searchFacts: ListingFacts): FactsCard | null {
  const link = findElement(article.inner, 'a', 'item-link')
  const address = link && URL.parse(findAttribute(link.tag, 'href') ?? '', url)
  const listingId = address && listingPath.exec(address.pathname)?.groups?.listingId
  if (!listingId) return null
  const title = extractText(link.inner)
  const markup = parseCardMarkup(article.inner, url)
  if (title !== '') markup.title = title
  const found = mergeFacts(toPageContext(address.href), [
    ['markup', markup],
    ['url', searchFacts],
    ['text', parseTitleWords(title)],
  ])
  return found && { listingId, path: address.pathname, ...found }
}

function parseCardMarkup(html: string, url: string): ListingFacts {
  const spans = findElements(html, 'span')
  const facts = parseDetailLines(
    spans.filter(span => hasClass(span.tag, 'item-detail')).map(span => extractText(span.inner)),
  )
  const price = parseMoney(extractText(spans.find(span => hasClass(span.tag, 'item-price'))?.inner ?? ''))
  Object.assign(facts, toPriceFacts(price))
  const excerpt = findElement(html, 'div', 'item-description') ?? findElement(html, 'p', 'item-description')
  const description = extractText(excerpt?.inner ?? '')
  if (description !== '') facts.description = description
  const picture = findElement(html, 'img')?.tag ?? ''
  // If pictures load on demand, `src` is one grey pixel.
  const source = findAttribute(picture, 'data-ondemand-img') ?? findAttribute(picture, 'src')
  const image = toAbsoluteUrl(source ?? '', url)
  if (image !== null) facts.images = [image]
  const publishedAt = parseInstant(findAttribute(findElement(html, 'time')?.tag ?? '', 'datetime'))
  if (publishedAt !== null) facts.publishedAt = publishedAt
  const advertiser = spans.find(span => hasClass(span.tag, 'item-advertiser'))
  if (advertiser && hasClass(advertiser.tag, 'private')) facts['contact.advertiserType'] = 'private'
  else if (advertiser) {
    facts['contact.advertiserType'] = 'agency'
    facts['contact.name'] = extractText(advertiser.inner)
  }
  const phone = extractText(findElement(html, 'a', 'item-clickable-phone')?.inner ?? '')
  if (phone !== '') facts['contact.phoneRaw'] = phone
  return facts
}

function parseDetailPage(html: string, url: string): ListingReading {
  if (/ya no está publicado|já não está publicado/.test(findElement(html, 'title')?.inner ?? ''))
    return { kind: 'gone' }
  const markup = parseListingMarkup(html, url)
  if (markup === null) return toUnreadable(html, 'no list of characteristics')
  const found = parseListing({ ...toPageContext(url), html, markup })
  // Without JSON-LD and price, the rest would look like a listing with few facts.
  const isReadable = markup.price !== undefined || Object.values(found?.provenance ?? {}).includes('json-ld')
  if (found === null || !isReadable) return toUnreadable(html, 'no JSON-LD of a listing and no price')
  return { kind: 'listing', ...found }
}

function toPriceFacts(price: ReturnType<typeof parseMoney>): ListingFacts {
  if (price === null || price.amount <= 0) return {}
  const currency = price.currency ?? price.sharedSign
  return { price: price.amount, ...(currency && { currency }) }
}

function toPageContext(url: string): PageContext {
  const isInPortugal = URL.parse(url)?.pathname.startsWith('/imovel/')
  return { url, country: isInPortugal ? 'PT' : portalA.country, currency: portalA.currency }
}

function toUnreadable(html: string, detail: string): UnreadablePage {
  return { kind: 'unreadable', reason: detectObstacle(html) ?? 'layout', detail }
}
