/** Portal D: Portuguese classifieds in plain HTML, twenty per page; the phone needs a second request. */
import Type, { type Static } from 'typebox'
import { toE164 } from '../../domain/contact/phone.ts'
import {
  type CardLayout,
  type ParsedCard,
  parseCards,
  parseCount,
  selectElement,
  selectElements,
} from '../../domain/listing/cards.ts'
import { detectObstacle } from '../../domain/listing/challenge.ts'
import { parseDay, parseLocalInstant } from '../../domain/listing/dates.ts'
import { extractText, findAttribute, findElement, findElements } from '../../domain/listing/html.ts'
import type { ListingFacts, Operation, PropertyType } from '../../domain/listing/listing.ts'
import { parseMoney } from '../../domain/listing/money.ts'
import { mergeFacts, type PageContext, type ParsedListing } from '../../domain/listing/parse-listing.ts'
import { parseCoordinates, toAbsoluteUrl, toMultilineText } from '../../domain/listing/values.ts'
import { parseDetailLines, parseTitleWords } from '../../domain/listing/vocabulary.ts'
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

const portalOperations = ['sale', 'rent'] as const
const portalPropertyTypes = ['homes', 'offices', 'premises', 'garages'] as const
const operationWords: Record<Operation, string> = { sale: 'vender', rent: 'arrendar' }
const categoryWords: Record<PropertyType, string> = {
  homes: 'habitacao',
  offices: 'escritorios',
  premises: 'lojas',
  garages: 'garagens',
}
/** The portal's parameter of each numeric filter. Homes are searched by typology, T0 to T9. */
const parameters = {
  minPrice: 'pmin',
  maxPrice: 'pmax',
  minRooms: 'tmin',
  maxRooms: 'tmax',
  minSquareMeters: 'amin',
  maxSquareMeters: 'amax',
  publishedWithinDays: 'dias',
} as const
const listingPath = /^\/anuncio\/[a-z-]+-ID(?<listingId>[0-9A-Z]{1,13})\.htm$/
const timezone = 'Europe/Lisbon'

const cardLayout: CardLayout = {
  card: { name: 'div', className: 'anuncio' },
  link: { name: 'a' },
  title: { name: 'div', className: 'titulo' },
  price: { name: 'div', className: 'preco' },
  lines: { name: 'div', className: 'carac' },
  description: { name: 'div', className: 'texto' },
  image: { name: 'img' },
}

const filters = Type.Object(
  {
    operation: sharedFilters.operation(portalOperations),
    location: sharedFilters.location({ id: 'lisboa-1106', label: 'Lisboa' }),
    propertyType: sharedFilters.propertyType(portalPropertyTypes),
    minPrice: sharedFilters.minPrice,
    maxPrice: sharedFilters.maxPrice,
    minRooms: sharedFilters.minRooms,
    maxRooms: sharedFilters.maxRooms,
    minSquareMeters: sharedFilters.minSquareMeters,
    maxSquareMeters: sharedFilters.maxSquareMeters,
    advertiserType: sharedFilters.advertiserType,
    publishedWithinDays: sharedFilters.publishedWithinDays,
  },
  { additionalProperties: false },
)

type Search = Static<typeof filters>

export const portalD: PortalDefinition<typeof filters, PagedSearch<Search>> = {
  id: 'portal_d',
  name: 'Portal D',
  country: 'PT',
  language: 'pt',
  currency: 'EUR',
  timezone: timezone,
  capabilities: { extract: true, validate: true, campaign: true, ficha: false },
  operations: portalOperations,
  propertyTypes: portalPropertyTypes,
  listingPath: listingPath,
  filters,
  locations: { countries: ['PT'], types: ['province', 'municipality'], toPortalId: toPortalLocation },
  politeness: { requestsPerSecond: 1, concurrency: 2 },
  search: {
    kind: 'pages',
    coverage: 'all',
    cards: 'facts',
    start: search => toSearchRequest(search, 1),
    read: parseSearchPage,
  },
  details: {
    read: parseDetailPage,
    followUp: { request: toPhoneRequest, read: parsePhone },
  },
}

/** Name and official number: two digits for a district, four for a concelho (`lisboa-11`, `lisboa-1106`). */
function toPortalLocation({ id, name }: SearchPlace): string {
  return `${toSlug(name)}-${id.replace(/^PT-/, '')}`
}

function toSearchRequest(search: Search, page: number): PortalRequest {
  const query = new URLSearchParams({
    op: operationWords[search.operation],
    cat: categoryWords[search.propertyType ?? 'homes'],
    zona: search.location.id,
  })
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = search[name as keyof typeof parameters]
    // The portal takes whole numbers only. Its own values are whole, so rounding inwards finds the same listings.
    if (value !== undefined)
      query.set(parameter, String(name.startsWith('min') ? Math.ceil(value) : Math.floor(value)))
  }
  if (search.advertiserType === 'private') query.set('quem', 'particular')
  if (search.advertiserType === 'agency') query.set('quem', 'agencia')
  if (page > 1) query.set('pag', String(page))
  return { path: `/pesquisa.asp?${query}` }
}

function parseSearchPage({ text: html, url }: PortalDocument, search: Search): SearchPageReading {
  const query = URL.parse(url)?.searchParams ?? new URLSearchParams()
  const page = Number(query.get('pag') ?? 1)
  const total = parseCount(html, { name: 'div', className: 'resultados' })
  const { cards: read, cardCount } = parseCards(html, url, cardLayout)
  const sharedFacts = { search: parseSearchFacts(query), today: parsePageDate(html) }
  const cards = read.flatMap(card => toCard(card, sharedFacts) ?? [])
  const hasNext = selectElement(html, { name: 'a', className: 'seguinte' }) !== null
  if (cards.length > 0) {
    if (!cards.some(card => card.listing.price !== null)) return toUnreadable(html, 'no card has a price')
    const hasPager = hasNext || selectElement(html, { name: 'div', className: 'paginas' }) !== null
    if (page === 1 && total === null && !hasPager)
      return toUnreadable(html, 'no count of listings and no pager: there may be more')
    return { kind: 'page', total, cards, next: hasNext ? [toSearchRequest(search, page + 1)] : [] }
  }
  const isEmptySearch = selectElement(html, { name: 'div', className: 'sem_resultados' }) !== null
  // A page after the last states that it is empty; the first page needs a count of 0.
  if (cardCount === 0 && isEmptySearch && (total === 0 || (total === null && page > 1)))
    return { kind: 'page', total, cards, next: [] }
  return toUnreadable(
    html,
    `${total ?? 'unknown'} listings reported, ${cardCount} cards, none of them readable`,
  )
}

/** Facts in the URL of the search, which apply to all its listings. */
function parseSearchFacts(query: URLSearchParams): ListingFacts {
  const operation = portalOperations.find(name => operationWords[name] === query.get('op'))
  const propertyType = portalPropertyTypes.find(name => categoryWords[name] === query.get('cat'))
  return { ...(operation && { operation }), ...(propertyType && { propertyType }) }
}

/** The date in the head of the page, needed for "Hoje" (today). */
function parsePageDate(html: string): Temporal.PlainDate | null {
  const index = html.indexOf('id="data_hoje"')
  return index === -1 ? null : parseDay(extractText(html.slice(index, index + 120).replace(/^[^>]*>/, '')))
}

function toCard(
  { url, facts, inner }: ParsedCard,
  sharedFacts: { search: ListingFacts; today: Temporal.PlainDate | null },
): FactsCard | null {
  const path = URL.parse(url)?.pathname ?? ''
  const listingId = listingPath.exec(path)?.groups?.listingId
  if (!listingId) return null
  const publishedAt = parseLocalInstant(extractElementText(inner, 'div', 'data'), timezone, sharedFacts.today)
  if (publishedAt !== null) facts.publishedAt = publishedAt
  const municipality = /, ([^,]+)$/.exec(extractElementText(inner, 'div', 'local'))?.[1]
  if (municipality) facts.municipality = municipality
  const [, agency] = /^Agência: (.+)$/.exec(extractElementText(inner, 'div', 'quem')) ?? []
  if (agency) {
    facts['contact.advertiserType'] = 'agency'
    facts['contact.name'] = agency
  } else if (extractElementText(inner, 'div', 'quem') === 'Particular')
    facts['contact.advertiserType'] = 'private'
  const found = mergeFacts(toPageContext(url), [
    ['markup', facts],
    ['url', sharedFacts.search],
    ['text', parseTitleWords(facts.title ?? '')],
  ])
  return found && { listingId, path, ...found }
}

function parseDetailPage({ text: html, url }: PortalDocument): ListingReading {
  if (selectElement(html, { name: 'div', className: 'indisponivel' })) return { kind: 'gone' }
  const sheet = selectElement(html, { name: 'div', className: 'ficha' })
  if (sheet === null) return toUnreadable(html, 'no sheet of a listing')
  const facts = parseSheet(sheet.inner, url, parsePageDate(html))
  const found = mergeFacts(toPageContext(url), [
    ['markup', facts],
    ['text', parseTitleWords(facts.title ?? '')],
  ])
  return found === null ? toUnreadable(html, 'a sheet without a property') : { kind: 'listing', ...found }
}

function parseSheet(html: string, url: string, today: Temporal.PlainDate | null): ListingFacts {
  const rows = selectElements(html, { name: 'div', className: 'linha' }).map(row => extractText(row.inner))
  const extras = findElements(findElement(html, 'ul', 'extras')?.inner ?? '', 'li').map(item =>
    extractText(item.inner),
  )
  // A street name may contain "jardim".
  const detailRows = rows.filter(row => !/^(Negócio|Morada|Distrito|Publicado):/.test(row))
  const facts = parseDetailLines([...detailRows, ...extras])
  const row = (label: string) =>
    rows.find(text => text.startsWith(`${label}: `))?.slice(label.length + 2) ?? ''
  const setKnown = <K extends keyof ListingFacts>(
    name: K,
    value: ListingFacts[K] | null | undefined | '',
  ) => {
    if (value !== null && value !== undefined && value !== '') facts[name] = value
  }
  setKnown('title', extractElementText(html, 'h1', 'tit_lista'))
  const price = parseMoney(extractElementText(html, 'div', 'preco'))
  if (price !== null && price.amount > 0) {
    setKnown('price', price.amount)
    setKnown('currency', price.currency ?? price.sharedSign)
  }
  setKnown('operation', parseTitleWords(row('Negócio')).operation)
  const address = /^(.+), (\d{4}-\d{3}) (.+)$/.exec(row('Morada'))
  setKnown('address', address?.[1] ?? row('Morada'))
  setKnown('postcode', address?.[2])
  setKnown('municipality', address?.[3])
  setKnown('province', row('Distrito'))
  setKnown('publishedAt', parseLocalInstant(row('Publicado'), timezone, today))
  setKnown(
    'description',
    toMultilineText(selectElement(html, { name: 'div', className: 'descricao' })?.inner ?? ''),
  )
  const map = /abreMapa\('(-?\d{1,3}(?:\.\d*)?)','(-?\d{1,3}(?:\.\d*)?)'\)/.exec(html)
  Object.assign(facts, map && parseCoordinates(map[1], map[2]))
  const images = selectElements(html, { name: 'img', className: 'mini' })
  const addresses = images.flatMap(({ tag }) => toAbsoluteUrl(findAttribute(tag, 'src') ?? '', url) ?? [])
  if (addresses.length > 0) facts.images = [...new Set(addresses)]
  const type = extractElementText(html, 'span', 'tipo')
  if (type === 'Particular') facts['contact.advertiserType'] = 'private'
  if (type.startsWith('Agência')) facts['contact.advertiserType'] = 'agency'
  setKnown('contact.name', extractElementText(html, 'span', 'nome'))
  return facts
}

/** The form of the button "Ver telefone"; its token is valid for this listing only. */
function toPhoneRequest({ text: html, url }: PortalDocument): PortalRequest | null {
  const form = findElements(html, 'form').find(({ tag }) => findAttribute(tag, 'name') === 'ftel')
  const action = form && URL.parse(findAttribute(form.tag, 'action') ?? '', url)
  if (!action || action.origin !== URL.parse(url)?.origin) return null
  const inputs = selectElements(form.inner, { name: 'input' })
  const { id, token } = Object.fromEntries(
    inputs.map(({ tag }) => [findAttribute(tag, 'name'), findAttribute(tag, 'value')]),
  )
  return id && token ? { path: action.pathname, form: { id, token } } : null
}

/** A reply that is not a valid phone number adds nothing. */
function parsePhone({ text: html }: PortalDocument, found: ParsedListing): ParsedListing {
  const phoneRaw = extractElementText(html, 'span', 'telefone')
  const phone = toE164(phoneRaw, portalD.country)
  if (phone === null) return found
  return {
    listing: { ...found.listing, contact: { ...found.listing.contact, phone, phoneRaw } },
    provenance: { ...found.provenance, 'contact.phone': 'contact', 'contact.phoneRaw': 'contact' },
  }
}

function extractElementText(html: string, name: string, className: string): string {
  return extractText(selectElement(html, { name, className })?.inner ?? '')
}

function toPageContext(url: string): PageContext {
  return { url, country: portalD.country, currency: portalD.currency }
}

function toUnreadable(html: string, detail: string): UnreadablePage {
  return { kind: 'unreadable', reason: detectObstacle(html) ?? 'layout', detail }
}
