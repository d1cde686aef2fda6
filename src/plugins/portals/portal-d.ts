// Portal D: Portuguese classifieds in plain elements, twenty a page; the telephone is given on a second request.
import Type, { type Static } from 'typebox'
import { toE164 } from '../../domain/contact/phone.ts'
import {
  type CardLayout,
  elementsAt,
  firstAt,
  type ReadCard,
  readCards,
  readCount,
} from '../../domain/listing/cards.ts'
import { readObstacle } from '../../domain/listing/challenge.ts'
import { readDay, readLocalInstant } from '../../domain/listing/dates.ts'
import { attributeOf, elementOf, elementsOf, textOf } from '../../domain/listing/html.ts'
import type { ListingFacts, Operation, PropertyType } from '../../domain/listing/listing.ts'
import { parseMoney } from '../../domain/listing/money.ts'
import { type FoundListing, joinFacts, type PageContext } from '../../domain/listing/read-listing.ts'
import { absoluteUrl, longText, readCoordinates } from '../../domain/listing/values.ts'
import { readDetailLines, readTitleWords } from '../../domain/listing/vocabulary.ts'
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

const OPERATIONS = ['sale', 'rent'] as const
const PROPERTY_TYPES = ['homes', 'offices', 'premises', 'garages'] as const
const OPERATION_WORDS: Record<Operation, string> = { sale: 'vender', rent: 'arrendar' }
const CATEGORY_WORDS: Record<PropertyType, string> = {
  homes: 'habitacao',
  offices: 'escritorios',
  premises: 'lojas',
  garages: 'garagens',
}
/** The portal's parameter of each filter that is a number; homes are searched by typology, T0 to T9. */
const PARAMETERS = {
  minPrice: 'pmin',
  maxPrice: 'pmax',
  minRooms: 'tmin',
  maxRooms: 'tmax',
  minSquareMeters: 'amin',
  maxSquareMeters: 'amax',
  publishedWithinDays: 'dias',
} as const
const LISTING_PATH = /^\/anuncio\/[a-z-]+-ID(?<listingId>[0-9A-Z]{1,13})\.htm$/
const TIMEZONE = 'Europe/Lisbon'

const CARDS: CardLayout = {
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
    operation: sharedFilters.operation(OPERATIONS),
    location: sharedFilters.location({ id: 'lisboa-1106', label: 'Lisboa' }),
    propertyType: sharedFilters.propertyType(PROPERTY_TYPES),
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
  timezone: TIMEZONE,
  capabilities: { extract: true, validate: true, campaign: true, ficha: true },
  operations: OPERATIONS,
  propertyTypes: PROPERTY_TYPES,
  listingPath: LISTING_PATH,
  filters,
  locations: { countries: ['PT'], types: ['province', 'municipality'], idOf: locationId },
  politeness: { requestsPerSecond: 1, concurrency: 2 },
  search: {
    kind: 'pages',
    covers: 'all',
    cards: 'facts',
    start: search => searchRequest(search, 1),
    read: readSearchPage,
  },
  details: {
    read: readDetailPage,
    followUp: { request: phoneRequest, read: readPhone },
  },
}

/** The name and the official number: two digits for a district, four for a concelho (`lisboa-11`, `lisboa-1106`). */
function locationId({ id, name }: KnownPlace): string {
  return `${slugOf(name)}-${id.replace(/^PT-/, '')}`
}

function searchRequest(search: Search, page: number): PortalRequest {
  const query = new URLSearchParams({
    op: OPERATION_WORDS[search.operation],
    cat: CATEGORY_WORDS[search.propertyType ?? 'homes'],
    zona: search.location.id,
  })
  for (const [name, parameter] of Object.entries(PARAMETERS)) {
    const value = search[name as keyof typeof PARAMETERS]
    // The portal knows whole numbers alone. Its own values are whole, so rounding inwards finds the same adverts.
    if (value !== undefined)
      query.set(parameter, String(name.startsWith('min') ? Math.ceil(value) : Math.floor(value)))
  }
  if (search.advertiserType === 'private') query.set('quem', 'particular')
  if (search.advertiserType === 'agency') query.set('quem', 'agencia')
  if (page > 1) query.set('pag', String(page))
  return { path: `/pesquisa.asp?${query}` }
}

function readSearchPage({ text: html, url }: PortalDocument, search: Search): SearchPageReading {
  const query = URL.parse(url)?.searchParams ?? new URLSearchParams()
  const page = Number(query.get('pag') ?? 1)
  const total = readCount(html, { name: 'div', className: 'resultados' })
  const { cards: read, cardCount } = readCards(html, url, CARDS)
  const shared = { kind: kindOf(query), today: dayOf(html) }
  const cards = read.flatMap(card => cardOf(card, shared) ?? [])
  const hasNext = firstAt(html, { name: 'a', className: 'seguinte' }) !== null
  if (cards.length > 0) {
    if (!cards.some(card => card.listing.price !== null)) return unreadable(html, 'no card has a price')
    const hasPager = hasNext || firstAt(html, { name: 'div', className: 'paginas' }) !== null
    if (page === 1 && total === null && !hasPager)
      return unreadable(html, 'neither a count of adverts nor a pager: there may be more')
    return { kind: 'page', total, cards, next: hasNext ? [searchRequest(search, page + 1)] : [] }
  }
  const saysNone = firstAt(html, { name: 'div', className: 'sem_resultados' }) !== null
  // A page behind the last says that there is no more; the first page must count none.
  if (cardCount === 0 && saysNone && (total === 0 || (total === null && page > 1)))
    return { kind: 'page', total, cards, next: [] }
  return unreadable(html, `${total ?? 'unknown'} adverts promised, ${cardCount} cards, none of them readable`)
}

/** What the address of the search says of all its adverts. */
function kindOf(query: URLSearchParams): ListingFacts {
  const operation = OPERATIONS.find(name => OPERATION_WORDS[name] === query.get('op'))
  const propertyType = PROPERTY_TYPES.find(name => CATEGORY_WORDS[name] === query.get('cat'))
  return { ...(operation && { operation }), ...(propertyType && { propertyType }) }
}

/** The day that the page states in its head: without it "Hoje" is no date. */
function dayOf(html: string): Temporal.PlainDate | null {
  const at = html.indexOf('id="data_hoje"')
  return at === -1 ? null : readDay(textOf(html.slice(at, at + 120).replace(/^[^>]*>/, '')))
}

function cardOf(
  { url, facts, inner }: ReadCard,
  shared: { kind: ListingFacts; today: Temporal.PlainDate | null },
): FactsCard | null {
  const path = URL.parse(url)?.pathname ?? ''
  const listingId = LISTING_PATH.exec(path)?.groups?.listingId
  if (!listingId) return null
  const publishedAt = readLocalInstant(wordsIn(inner, 'div', 'data'), TIMEZONE, shared.today)
  if (publishedAt !== null) facts.publishedAt = publishedAt
  const municipality = /, ([^,]+)$/.exec(wordsIn(inner, 'div', 'local'))?.[1]
  if (municipality) facts.municipality = municipality
  const [, agency] = /^Agência: (.+)$/.exec(wordsIn(inner, 'div', 'quem')) ?? []
  if (agency) {
    facts['contact.advertiserType'] = 'agency'
    facts['contact.name'] = agency
  } else if (wordsIn(inner, 'div', 'quem') === 'Particular') facts['contact.advertiserType'] = 'private'
  const found = joinFacts(contextOf(url), [
    ['markup', facts],
    ['url', shared.kind],
    ['text', readTitleWords(facts.title ?? '')],
  ])
  return found && { listingId, path, ...found }
}

function readDetailPage({ text: html, url }: PortalDocument): ListingReading {
  if (firstAt(html, { name: 'div', className: 'indisponivel' })) return { kind: 'gone' }
  const sheet = firstAt(html, { name: 'div', className: 'ficha' })
  if (sheet === null) return unreadable(html, 'no sheet of an advert')
  const facts = readSheet(sheet.inner, url, dayOf(html))
  const found = joinFacts(contextOf(url), [
    ['markup', facts],
    ['text', readTitleWords(facts.title ?? '')],
  ])
  return found === null
    ? unreadable(html, 'a sheet that tells of no property')
    : { kind: 'listing', ...found }
}

function readSheet(html: string, url: string, today: Temporal.PlainDate | null): ListingFacts {
  const rows = elementsAt(html, { name: 'div', className: 'linha' }).map(row => textOf(row.inner))
  const extras = elementsOf(elementOf(html, 'ul', 'extras')?.inner ?? '', 'li').map(item =>
    textOf(item.inner),
  )
  // A street may be called after a garden.
  const told = rows.filter(row => !/^(Negócio|Morada|Distrito|Publicado):/.test(row))
  const facts = readDetailLines([...told, ...extras])
  const row = (label: string) =>
    rows.find(text => text.startsWith(`${label}: `))?.slice(label.length + 2) ?? ''
  const put = <K extends keyof ListingFacts>(name: K, value: ListingFacts[K] | null | undefined | '') => {
    if (value !== null && value !== undefined && value !== '') facts[name] = value
  }
  put('title', wordsIn(html, 'h1', 'tit_lista'))
  const price = parseMoney(wordsIn(html, 'div', 'preco'))
  if (price !== null && price.amount > 0) {
    put('price', price.amount)
    put('currency', price.currency ?? price.sharedSign)
  }
  put('operation', readTitleWords(row('Negócio')).operation)
  const address = /^(.+), (\d{4}-\d{3}) (.+)$/.exec(row('Morada'))
  put('address', address?.[1] ?? row('Morada'))
  put('postcode', address?.[2])
  put('municipality', address?.[3])
  put('province', row('Distrito'))
  put('publishedAt', readLocalInstant(row('Publicado'), TIMEZONE, today))
  put('description', longText(firstAt(html, { name: 'div', className: 'descricao' })?.inner ?? ''))
  const map = /abreMapa\('(-?\d{1,3}(?:\.\d*)?)','(-?\d{1,3}(?:\.\d*)?)'\)/.exec(html)
  Object.assign(facts, map && readCoordinates(map[1], map[2]))
  const images = elementsAt(html, { name: 'img', className: 'mini' })
  const addresses = images.flatMap(({ tag }) => absoluteUrl(attributeOf(tag, 'src') ?? '', url) ?? [])
  if (addresses.length > 0) facts.images = [...new Set(addresses)]
  const type = wordsIn(html, 'span', 'tipo')
  if (type === 'Particular') facts['contact.advertiserType'] = 'private'
  if (type.startsWith('Agência')) facts['contact.advertiserType'] = 'agency'
  put('contact.name', wordsIn(html, 'span', 'nome'))
  return facts
}

/** The form that a visitor sends with "Ver telefone"; its token is good for this advert alone. */
function phoneRequest({ text: html, url }: PortalDocument): PortalRequest | null {
  const form = elementsOf(html, 'form').find(({ tag }) => attributeOf(tag, 'name') === 'ftel')
  const action = form && URL.parse(attributeOf(form.tag, 'action') ?? '', url)
  if (!action || action.origin !== URL.parse(url)?.origin) return null
  const inputs = elementsAt(form.inner, { name: 'input' })
  const { id, token } = Object.fromEntries(
    inputs.map(({ tag }) => [attributeOf(tag, 'name'), attributeOf(tag, 'value')]),
  )
  return id && token ? { path: action.pathname, form: { id, token } } : null
}

/** Anything else than a number that can be called adds nothing. */
function readPhone({ text: html }: PortalDocument, found: FoundListing): FoundListing {
  const phoneRaw = wordsIn(html, 'span', 'telefone')
  const phone = toE164(phoneRaw, portalD.country)
  if (phone === null) return found
  return {
    listing: { ...found.listing, contact: { ...found.listing.contact, phone, phoneRaw } },
    provenance: { ...found.provenance, 'contact.phone': 'contact', 'contact.phoneRaw': 'contact' },
  }
}

function wordsIn(html: string, name: string, className: string): string {
  return textOf(firstAt(html, { name, className })?.inner ?? '')
}

function contextOf(url: string): PageContext {
  return { url, country: portalD.country, currency: portalD.currency }
}

function unreadable(html: string, detail: string): Unreadable {
  return { kind: 'unreadable', reason: readObstacle(html) ?? 'layout', detail }
}
