/** Portal F: an Italian portal with a sitemap, and detail pages with OpenGraph and microdata. */
import Type, { type Static } from 'typebox'
import { detectObstacle } from '../../domain/listing/challenge.ts'
import { parseLocalInstant } from '../../domain/listing/dates.ts'
import { extractText, findElement, findElements } from '../../domain/listing/html.ts'
import type { ListingFacts, Operation, PropertyType } from '../../domain/listing/listing.ts'
import { parseListing } from '../../domain/listing/parse-listing.ts'
import { parseSitemap } from '../../domain/listing/sitemap.ts'
import { parseDetailLines } from '../../domain/listing/vocabulary.ts'
import { memoize } from '../../domain/memoize.ts'
import { toSlug } from '../../domain/slug.ts'
import type {
  ListingReading,
  PagedSearch,
  PortalDefinition,
  PortalDocument,
  SearchPageReading,
  SearchPlace,
  UnreadablePage,
} from '../portal.ts'
import { sharedFilters } from '../portal-filters.ts'

const portalOperations = ['sale', 'rent'] as const
const portalPropertyTypes = ['homes', 'offices', 'premises', 'garages'] as const
const operationWords: Record<Operation, string> = { sale: 'vendita', rent: 'affitto' }
const typeWords: Record<PropertyType, string> = {
  homes: 'case',
  offices: 'uffici',
  premises: 'negozi',
  garages: 'garage',
}
const listingPath = /^\/annunci\/(?<listingId>\d{1,12})\/$/
const indexPath = '/sitemap.xml'
/** The sitemap is divided by operation, type and municipality; each part has one or more files. */
const partPath =
  /^\/sitemaps\/annunci-(?<operation>[a-z]+)-(?<type>[a-z]+)-(?<place>[a-z0-9-]+)-\d{1,6}\.xml(?:\.gz)?$/
const xmlType = 'application/xml'

/** Only the criteria that divide the sitemap; for others all detail pages would have to be read. */
const filters = Type.Object(
  {
    operation: sharedFilters.operation(portalOperations),
    location: sharedFilters.location({ id: 'roma-rm', label: 'Roma' }),
    propertyType: sharedFilters.propertyType(portalPropertyTypes),
  },
  { additionalProperties: false },
)

type Search = Static<typeof filters>

export const portalF: PortalDefinition<typeof filters, PagedSearch<Search>> = {
  id: 'portal_f',
  name: 'Portal F',
  country: 'IT',
  language: 'it',
  currency: 'EUR',
  timezone: 'Europe/Rome',
  capabilities: { extract: true, validate: true, campaign: true, ficha: true },
  operations: portalOperations,
  propertyTypes: portalPropertyTypes,
  listingPath: listingPath,
  listingExample: '/annunci/155817354/',
  filters,
  locations: { countries: ['IT'], types: ['province', 'municipality'], toPortalId: toPortalLocation },
  politeness: { requestsPerSecond: 2, concurrency: 2 },
  search: {
    kind: 'pages',
    coverage: 'all',
    cards: 'addresses',
    start: () => ({ path: indexPath, accept: xmlType }),
    read: parseSitemapPage,
  },
  details: { read: parseDetailPage },
}

/** With the code of the province, as on number plates: `roma-rm`; `provincia-rm` is the whole province. */
function toPortalLocation({ id, name, type, province }: SearchPlace): string | null {
  if (type === 'province') return `provincia-${toProvinceCode(id)}`
  return province && `${toSlug(name)}-${toProvinceCode(province.id)}`
}

function toProvinceCode(provinceId: string): string {
  return provinceId.replace(/^IT-/, '').toLowerCase()
}

function parseSitemapPage({ text, url }: PortalDocument, search: Search): SearchPageReading {
  const sitemap = parseSitemap(text)
  if (sitemap === null) return toUnreadable(text, 'no complete sitemap')
  // The sitemap protocol forbids an index in an index.
  const isIndex = URL.parse(url)?.pathname === indexPath
  if (isIndex !== (sitemap.kind === 'index'))
    return toUnreadable(text, isIndex ? 'listings in place of an index' : 'an index in place of listings')
  const entries = sitemap.entries.flatMap(({ url: entryUrl, changedAt }) => {
    const path = toPath(entryUrl, url)
    return path === null ? [] : [{ path, changedAt }]
  })
  if (isIndex) {
    const parts = entries.filter(({ path }) => partPath.test(path))
    if (parts.length === 0) return toUnreadable(text, 'an index without a part')
    const next = parts
      .filter(({ path }) => isPartOf(search, path))
      .map(({ path }) => ({ path, accept: xmlType }))
    return { kind: 'page', total: null, cards: [], next }
  }
  const cards = entries.flatMap(({ path, changedAt }) => {
    const listingId = listingPath.exec(path)?.groups?.listingId
    return listingId ? [{ listingId, path, changedAt }] : []
  })
  // The index only lists parts with listings.
  if (cards.length === 0) return toUnreadable(text, `${entries.length} addresses, none of a listing`)
  return { kind: 'page', total: null, cards, next: [] }
}

function toPath(address: string, base: string): string | null {
  const url = URL.parse(address, base)
  return url && url.origin === URL.parse(base)?.origin ? url.pathname : null
}

function isPartOf({ operation, propertyType = 'homes', location }: Search, path: string): boolean {
  const part = partPath.exec(path)?.groups
  if (part?.operation !== operationWords[operation] || part.type !== typeWords[propertyType]) return false
  const province = /^provincia-([a-z]+)$/.exec(location.id)?.[1]
  return province === undefined ? part.place === location.id : !!part.place?.endsWith(`-${province}`)
}

function parseDetailPage({ text: html, url }: PortalDocument): ListingReading {
  if (/non più disponibile/.test(findElement(html, 'title')?.inner ?? '')) return { kind: 'gone' }
  const { country, currency } = portalF
  const found = parseListing({ html, url, country, currency, markup: parseMarkup(html) })
  // Without microdata the rest would look like a listing with few facts.
  if (found === null || !Object.values(found.provenance).includes('microdata'))
    return toUnreadable(html, 'no microdata of a listing')
  return { kind: 'listing', ...found }
}

function parseMarkup(html: string): ListingFacts {
  const list = findElement(html, 'dl', 'im-features__list')?.inner ?? ''
  const values = findElements(list, 'dd').map(value => extractText(value.inner))
  const lines = findElements(list, 'dt').map(
    (label, index) => `${extractText(label.inner)}: ${values[index] ?? ''}`,
  )
  const tags = findElements(findElement(html, 'ul', 'im-tags')?.inner ?? '', 'li').map(tag =>
    extractText(tag.inner),
  )
  const facts = parseDetailLines([...lines, ...tags])
  const date = extractText(findElement(html, 'p', 'im-date')?.inner ?? '')
  const publishedAt = parseDate(date)
  if (publishedAt !== null) facts.publishedAt = publishedAt
  return facts
}

// Many listings share a change date: parse each date once.
const parseDate = memoize(date => parseLocalInstant(date, portalF.timezone, null))

function toUnreadable(text: string, detail: string): UnreadablePage {
  return { kind: 'unreadable', reason: detectObstacle(text) ?? 'layout', detail }
}
