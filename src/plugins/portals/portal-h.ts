/** Portal H: a Spanish portal whose saved searches are Atom feeds. They only hold the newest listings, never all. */
import Type, { type Static } from 'typebox'
import { type AtomEntry, parseAtomPage } from '../../domain/feed/atom.ts'
import { detectObstacle } from '../../domain/listing/challenge.ts'
import { type Element, extractText, findElement, findElements } from '../../domain/listing/html.ts'
import type { ListingFacts, Operation, PropertyType } from '../../domain/listing/listing.ts'
import { parseMoney } from '../../domain/listing/money.ts'
import { mergeFacts, type PageContext, parseListing } from '../../domain/listing/parse-listing.ts'
import { toAbsoluteUrl, toMultilineText } from '../../domain/listing/values.ts'
import { parseDetailLines } from '../../domain/listing/vocabulary.ts'
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
const operationWords: Record<Operation, string> = { sale: 'venta', rent: 'alquiler' }
const typeWords: Record<PropertyType, string> = {
  homes: 'vivienda',
  offices: 'oficina',
  premises: 'local',
  garages: 'garaje',
}
const advertiserWords = { private: 'particular', agency: 'profesional' } as const
const listingPath = /^\/anuncio\/(?<listingId>AL[A-Za-z0-9-]{1,60})\/?$/
const atomType = 'application/atom+xml'
const linkPattern = /<a\s[^<>]*>[^<>]*<\/a>/g

const filters = Type.Object(
  {
    operation: sharedFilters.operation(portalOperations),
    location: sharedFilters.location({ id: 'mun-08019', label: 'Barcelona' }),
    propertyType: sharedFilters.propertyType(portalPropertyTypes),
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
  operations: portalOperations,
  propertyTypes: portalPropertyTypes,
  listingPath: listingPath,
  filters,
  locations: { countries: ['ES'], types: ['province', 'municipality'], toPortalId: toPortalLocation },
  politeness: { requestsPerSecond: 1, concurrency: 2 },
  search: { kind: 'pages', coverage: 'latest', cards: 'facts', start: toFirstRequest, read: parseSearchPage },
  details: { read: parseDetailPage },
}

/** `mun-08019` by the INE code of a town, `prov-B` by the letters of a province. */
function toPortalLocation({ id, type }: SearchPlace): string {
  return `${type === 'municipality' ? 'mun' : 'prov'}-${id.slice('ES-'.length)}`
}

function toFirstRequest(search: Search): PortalRequest {
  const { propertyType = 'homes', advertiserType = 'any', minPrice, maxPrice } = search
  const query = new URLSearchParams({
    op: operationWords[search.operation],
    tipo: typeWords[propertyType],
    zona: search.location.id,
  })
  // The portal takes whole numbers only. Its own values are whole, so rounding inwards finds the same listings.
  if (minPrice !== undefined) query.set('precio-min', String(Math.ceil(minPrice)))
  if (maxPrice !== undefined) query.set('precio-max', String(Math.floor(maxPrice)))
  if (search.minRooms !== undefined) query.set('hab-min', String(search.minRooms))
  if (search.minSquareMeters !== undefined) query.set('m2-min', String(Math.ceil(search.minSquareMeters)))
  if (advertiserType !== 'any') query.set('anunciante', advertiserWords[advertiserType])
  return { path: `/alertas.atom?${query}`, accept: atomType }
}

function parseSearchPage({ text, url }: PortalDocument): SearchPageReading {
  const page = parseAtomPage(text, url)
  if (page === null) return toUnreadable(text, 'no complete Atom feed')
  const { total, next, entries } = page
  const cards = entries.flatMap(entry => parseCard(entry, url) ?? [])
  if (cards.length === 0) {
    // An empty feed is only accepted with a count of 0.
    return entries.length === 0 && total === 0
      ? { kind: 'page', total, cards, next: [] }
      : toUnreadable('', `${total ?? 'unknown'} listings reported, ${entries.length} entries, none readable`)
  }
  if (cards.every(card => card.listing.price === null)) return toUnreadable('', 'no entry has a price')
  return { kind: 'page', total, cards, next: next === null ? [] : [{ path: next, accept: atomType }] }
}

function parseCard(entry: AtomEntry, url: string): FactsCard | null {
  const address = entry.page === null ? null : URL.parse(entry.page)
  const listingId = address && listingPath.exec(address.pathname)?.groups?.listingId
  if (!listingId || address.origin !== URL.parse(url)?.origin) return null
  const facts = { ...parseSummary(entry.text), ...parseCategories(entry), ...entry.point }
  if (entry.title !== null) facts.title = entry.title
  if (entry.publishedAt !== null) facts.publishedAt = entry.publishedAt
  if (entry.images.length > 0) facts.images = entry.images
  if (entry.author === 'Particular') facts['contact.advertiserType'] = 'private'
  else if (entry.author !== null) {
    facts['contact.advertiserType'] = 'agency'
    facts['contact.name'] = entry.author
  }
  const found = mergeFacts(toPageContext(address.href), [['feed', facts]])
  return found && { listingId, path: address.pathname, changedAt: entry.updatedAt, ...found }
}

/** The first line has the price, the second the figures, separated by dots. The description follows. */
function parseSummary(html: string): ListingFacts {
  const [priceLine = '', figures = '', ...paragraphs] = (toMultilineText(html.replace(linkPattern, '')) ?? '')
    .split('\n')
    .filter(Boolean)
  const facts = parseDetailLines(figures.split(' · '))
  Object.assign(facts, toPriceFacts(priceLine))
  if (paragraphs.length > 0) facts.description = paragraphs.join('\n')
  return facts
}

function parseCategories({ categories }: AtomEntry): ListingFacts {
  const term = (name: string) => categories.find(({ scheme }) => scheme.endsWith(`/${name}`))?.term
  const operation = portalOperations.find(value => operationWords[value] === term('operacion'))
  const propertyType = portalPropertyTypes.find(value => typeWords[value] === term('tipo'))
  const municipality = term('municipio')
  return {
    ...(operation ? { operation } : {}),
    ...(propertyType ? { propertyType } : {}),
    ...(municipality ? { municipality } : {}),
  }
}

function parseDetailPage({ text: html, url }: PortalDocument): ListingReading {
  if (/^Anuncio retirado\b/.test(findElement(html, 'title')?.inner ?? '')) return { kind: 'gone' }
  const list = findElement(html, 'dl', 'ficha-datos')
  if (list === null) return toUnreadable(html, 'no list of figures')
  const found = parseListing({ ...toPageContext(url), html, markup: parseMarkup(html, list, url) })
  if (found === null || found.listing.price === null) return toUnreadable(html, 'no price')
  return { kind: 'listing', ...found }
}

function parseMarkup(html: string, list: Element, url: string): ListingFacts {
  const names = findElements(list.inner, 'dt').map(name => extractText(name.inner))
  const values = findElements(list.inner, 'dd').map(value => extractText(value.inner))
  const value = (name: string) => values[names.indexOf(name)] ?? ''
  const extras = findElements(findElement(html, 'ul', 'ficha-extras')?.inner ?? '', 'li')
  const lines = [value('Superficie'), value('Dormitorios'), value('Baños'), value('Planta'), value('Estado')]
  const facts = parseDetailLines([...lines, ...extras.map(extra => extractText(extra.inner))])
  Object.assign(facts, toPriceFacts(extractText(findElement(html, 'p', 'ficha-precio')?.inner ?? '')))
  const operation = portalOperations.find(word => operationWords[word] === value('Operación').toLowerCase())
  const propertyType = portalPropertyTypes.find(word => typeWords[word] === value('Inmueble').toLowerCase())
  if (operation) facts.operation = operation
  if (propertyType) facts.propertyType = propertyType
  const texts = {
    title: extractText(findElement(html, 'h1')?.inner ?? ''),
    description: toMultilineText(findElement(html, 'div', 'ficha-texto')?.inner ?? '') ?? '',
    address: value('Dirección'),
    municipality: value('Municipio'),
    province: value('Provincia'),
    postcode: value('Código postal'),
  }
  for (const [name, text] of Object.entries(texts)) if (text !== '') facts[name as keyof typeof texts] = text
  const photos = findElements(findElement(html, 'div', 'ficha-fotos')?.inner ?? '', 'a')
  const images = photos.flatMap(({ tag }) => toAbsoluteUrl(/href="([^"]+)"/.exec(tag)?.[1] ?? '', url) ?? [])
  if (images.length > 0) facts.images = images
  return { ...facts, ...parseContact(html) }
}

function parseContact(html: string): ListingFacts {
  const contact = findElement(html, 'section', 'ficha-contacto')?.inner ?? ''
  const kind = extractText(findElement(contact, 'span', 'tipo')?.inner ?? '')
  const name = extractText(findElement(contact, 'strong')?.inner ?? '')
  const phone = extractText(findElement(contact, 'a', 'telefono')?.inner ?? '')
  return {
    ...(kind === 'Particular' ? { 'contact.advertiserType': 'private' } : {}),
    ...(kind === 'Profesional' ? { 'contact.advertiserType': 'agency' } : {}),
    ...(name === '' ? {} : { 'contact.name': name }),
    ...(phone === '' ? {} : { 'contact.phoneRaw': phone }),
  }
}

function toPriceFacts(text: string): ListingFacts {
  const price = parseMoney(text)
  if (price === null || price.amount <= 0) return {}
  const currency = price.currency ?? price.sharedSign
  return { price: price.amount, ...(currency && { currency }) }
}

function toPageContext(url: string): PageContext {
  return { url, country: portalH.country, currency: portalH.currency }
}

function toUnreadable(html: string, detail: string): UnreadablePage {
  return { kind: 'unreadable', reason: detectObstacle(html) ?? 'layout', detail }
}
