// Portal H: a Spanish portal whose saved searches are Atom feeds of the newest adverts; it tells what is new, never what is all.
import Type, { type Static } from 'typebox'
import { type AtomEntry, readAtomPage } from '../../domain/feed/atom.ts'
import { readObstacle } from '../../domain/listing/challenge.ts'
import { type Element, elementOf, elementsOf, textOf } from '../../domain/listing/html.ts'
import type { ListingFacts, Operation, PropertyType } from '../../domain/listing/listing.ts'
import { parseMoney } from '../../domain/listing/money.ts'
import { joinFacts, type PageContext, readListing } from '../../domain/listing/read-listing.ts'
import { absoluteUrl, longText } from '../../domain/listing/values.ts'
import { readDetailLines } from '../../domain/listing/vocabulary.ts'
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
const OPERATION_WORDS: Record<Operation, string> = { sale: 'venta', rent: 'alquiler' }
const TYPE_WORDS: Record<PropertyType, string> = {
  homes: 'vivienda',
  offices: 'oficina',
  premises: 'local',
  garages: 'garaje',
}
const ADVERTISER_WORDS = { private: 'particular', agency: 'profesional' } as const
const LISTING_PATH = /^\/anuncio\/(?<listingId>AL[A-Za-z0-9-]{1,60})\/?$/
const ATOM = 'application/atom+xml'
const LINK = /<a\s[^<>]*>[^<>]*<\/a>/g

const filters = Type.Object(
  {
    operation: sharedFilters.operation(OPERATIONS),
    location: sharedFilters.location({ id: 'mun-08019', label: 'Barcelona' }),
    propertyType: sharedFilters.propertyType(PROPERTY_TYPES),
    minPrice: sharedFilters.minPrice,
    maxPrice: sharedFilters.maxPrice,
    minRooms: sharedFilters.minRooms,
    minSquareMeters: sharedFilters.minSquareMeters,
    advertiserType: sharedFilters.advertiserType,
  },
  { additionalProperties: false },
)

type Search = Static<typeof filters>

export const portalH: PortalDefinition<typeof filters, PagedSearch<Search>> = {
  id: 'portal_h',
  name: 'Portal H',
  country: 'ES',
  language: 'es',
  currency: 'EUR',
  timezone: 'Europe/Madrid',
  capabilities: { extract: false, validate: true, campaign: true, ficha: false },
  operations: OPERATIONS,
  propertyTypes: PROPERTY_TYPES,
  listingPath: LISTING_PATH,
  filters,
  locations: { countries: ['ES'], types: ['province', 'municipality'], idOf: locationId },
  politeness: { requestsPerSecond: 1, concurrency: 2 },
  search: { kind: 'pages', covers: 'latest', cards: 'facts', start: firstPage, read: readSearchPage },
  details: { read: readDetailPage },
}

/** `mun-08019` by the INE code of a town, `prov-B` by the letters of a province. */
function locationId({ id, type }: KnownPlace): string {
  return `${type === 'municipality' ? 'mun' : 'prov'}-${id.slice('ES-'.length)}`
}

function firstPage(search: Search): PortalRequest {
  const { propertyType = 'homes', advertiserType = 'any', minPrice, maxPrice } = search
  const query = new URLSearchParams({
    op: OPERATION_WORDS[search.operation],
    tipo: TYPE_WORDS[propertyType],
    zona: search.location.id,
  })
  // Whole numbers alone, and the portal's own values are whole: rounding inwards finds the same adverts.
  if (minPrice !== undefined) query.set('precio-min', String(Math.ceil(minPrice)))
  if (maxPrice !== undefined) query.set('precio-max', String(Math.floor(maxPrice)))
  if (search.minRooms !== undefined) query.set('hab-min', String(search.minRooms))
  if (search.minSquareMeters !== undefined) query.set('m2-min', String(Math.ceil(search.minSquareMeters)))
  if (advertiserType !== 'any') query.set('anunciante', ADVERTISER_WORDS[advertiserType])
  return { path: `/alertas.atom?${query}`, accept: ATOM }
}

function readSearchPage({ text, url }: PortalDocument): SearchPageReading {
  const page = readAtomPage(text, url)
  if (page === null) return unreadable(text, 'no whole Atom feed')
  const { total, next, entries } = page
  const cards = entries.flatMap(entry => readCard(entry, url) ?? [])
  if (cards.length === 0) {
    // That nothing is there is believed only of a feed that says so itself.
    return entries.length === 0 && total === 0
      ? { kind: 'page', total, cards, next: [] }
      : unreadable('', `${total ?? 'unknown'} adverts promised, ${entries.length} entries, none readable`)
  }
  if (cards.every(card => card.listing.price === null)) return unreadable('', 'no entry has a price')
  return { kind: 'page', total, cards, next: next === null ? [] : [{ path: next, accept: ATOM }] }
}

function readCard(entry: AtomEntry, url: string): FactsCard | null {
  const address = entry.page === null ? null : URL.parse(entry.page)
  const listingId = address && LISTING_PATH.exec(address.pathname)?.groups?.listingId
  if (!listingId || address.origin !== URL.parse(url)?.origin) return null
  const facts = { ...readSummary(entry.text), ...readCategories(entry), ...entry.point }
  if (entry.title !== null) facts.title = entry.title
  if (entry.publishedAt !== null) facts.publishedAt = entry.publishedAt
  if (entry.images.length > 0) facts.images = entry.images
  if (entry.author === 'Particular') facts['contact.advertiserType'] = 'private'
  else if (entry.author !== null) {
    facts['contact.advertiserType'] = 'agency'
    facts['contact.name'] = entry.author
  }
  const found = joinFacts(contextOf(address.href), [['feed', facts]])
  return found && { listingId, path: address.pathname, changedAt: entry.updatedAt, ...found }
}

/** The price in the first line, figures parted by dots in the next, and the advertiser's words below them. */
function readSummary(html: string): ListingFacts {
  const [priceLine = '', figures = '', ...words] = (longText(html.replace(LINK, '')) ?? '')
    .split('\n')
    .filter(Boolean)
  const facts = readDetailLines(figures.split(' · '))
  Object.assign(facts, priceFacts(priceLine))
  if (words.length > 0) facts.description = words.join('\n')
  return facts
}

function readCategories({ categories }: AtomEntry): ListingFacts {
  const term = (name: string) => categories.find(({ scheme }) => scheme.endsWith(`/${name}`))?.term
  const operation = OPERATIONS.find(value => OPERATION_WORDS[value] === term('operacion'))
  const propertyType = PROPERTY_TYPES.find(value => TYPE_WORDS[value] === term('tipo'))
  const municipality = term('municipio')
  return {
    ...(operation ? { operation } : {}),
    ...(propertyType ? { propertyType } : {}),
    ...(municipality ? { municipality } : {}),
  }
}

function readDetailPage({ text: html, url }: PortalDocument): ListingReading {
  if (/^Anuncio retirado\b/.test(elementOf(html, 'title')?.inner ?? '')) return { kind: 'gone' }
  const list = elementOf(html, 'dl', 'ficha-datos')
  if (list === null) return unreadable(html, 'no list of figures')
  const found = readListing({ ...contextOf(url), html, markup: readMarkup(html, list, url) })
  if (found === null || found.listing.price === null) return unreadable(html, 'no price')
  return { kind: 'listing', ...found }
}

function readMarkup(html: string, list: Element, url: string): ListingFacts {
  const names = elementsOf(list.inner, 'dt').map(name => textOf(name.inner))
  const values = elementsOf(list.inner, 'dd').map(value => textOf(value.inner))
  const value = (name: string) => values[names.indexOf(name)] ?? ''
  const extras = elementsOf(elementOf(html, 'ul', 'ficha-extras')?.inner ?? '', 'li')
  const lines = [value('Superficie'), value('Dormitorios'), value('Baños'), value('Planta'), value('Estado')]
  const facts = readDetailLines([...lines, ...extras.map(extra => textOf(extra.inner))])
  Object.assign(facts, priceFacts(textOf(elementOf(html, 'p', 'ficha-precio')?.inner ?? '')))
  const operation = OPERATIONS.find(word => OPERATION_WORDS[word] === value('Operación').toLowerCase())
  const propertyType = PROPERTY_TYPES.find(word => TYPE_WORDS[word] === value('Inmueble').toLowerCase())
  if (operation) facts.operation = operation
  if (propertyType) facts.propertyType = propertyType
  const texts = {
    title: textOf(elementOf(html, 'h1')?.inner ?? ''),
    description: longText(elementOf(html, 'div', 'ficha-texto')?.inner ?? '') ?? '',
    address: value('Dirección'),
    municipality: value('Municipio'),
    province: value('Provincia'),
    postcode: value('Código postal'),
  }
  for (const [name, text] of Object.entries(texts)) if (text !== '') facts[name as keyof typeof texts] = text
  const photos = elementsOf(elementOf(html, 'div', 'ficha-fotos')?.inner ?? '', 'a')
  const images = photos.flatMap(({ tag }) => absoluteUrl(/href="([^"]+)"/.exec(tag)?.[1] ?? '', url) ?? [])
  if (images.length > 0) facts.images = images
  return { ...facts, ...readContact(html) }
}

function readContact(html: string): ListingFacts {
  const contact = elementOf(html, 'section', 'ficha-contacto')?.inner ?? ''
  const kind = textOf(elementOf(contact, 'span', 'tipo')?.inner ?? '')
  const name = textOf(elementOf(contact, 'strong')?.inner ?? '')
  const phone = textOf(elementOf(contact, 'a', 'telefono')?.inner ?? '')
  return {
    ...(kind === 'Particular' ? { 'contact.advertiserType': 'private' } : {}),
    ...(kind === 'Profesional' ? { 'contact.advertiserType': 'agency' } : {}),
    ...(name === '' ? {} : { 'contact.name': name }),
    ...(phone === '' ? {} : { 'contact.phoneRaw': phone }),
  }
}

function priceFacts(text: string): ListingFacts {
  const price = parseMoney(text)
  if (price === null || price.amount <= 0) return {}
  const currency = price.currency ?? price.sharedSign
  return { price: price.amount, ...(currency && { currency }) }
}

function contextOf(url: string): PageContext {
  return { url, country: portalH.country, currency: portalH.currency }
}

function unreadable(html: string, detail: string): Unreadable {
  return { kind: 'unreadable', reason: readObstacle(html) ?? 'layout', detail }
}
