/** A minimal portal: pages of cards, and JSON-LD on the page of each listing. */
import type { Static } from 'typebox'
import type { PortalModule } from '../../../src/plugins/load-portals.ts'
import type { PortalRequest, UnreadablePage } from '../../../src/plugins/portal.ts'

const listingPath = /^\/anuncio\/(?<listingId>\d{1,12})$/
const operationWords = { sale: 'venta', rent: 'alquiler' } as const

const myPortal: PortalModule = ({
  Type,
  html,
  parseCount,
  parseListing,
  detectObstacle,
  sharedFilters,
  toSlug,
}) => {
  const filters = Type.Object(
    {
      operation: sharedFilters.operation(['sale', 'rent']),
      location: sharedFilters.location({ id: 'vigo-36057', label: 'Vigo' }),
      maxPrice: sharedFilters.maxPrice,
    },
    { additionalProperties: false },
  )
  type Search = Static<typeof filters>

  const requestPage = ({ operation, location, maxPrice }: Search, page: number): PortalRequest => {
    const query = new URLSearchParams({ pagina: String(page) })
    // The portal accepts only whole euros.
    if (maxPrice !== undefined) query.set('hasta', String(Math.floor(maxPrice)))
    return { path: `/${operationWords[operation]}/${location.id}?${query}` }
  }

  const unreadable = (text: string, detail: string): UnreadablePage => ({
    kind: 'unreadable',
    reason: detectObstacle(text) ?? 'layout',
    detail,
  })

  return {
    id: 'my_portal',
    name: 'My portal',
    country: 'ES',
    language: 'es',
    currency: 'EUR',
    timezone: 'Europe/Madrid',
    capabilities: { extract: true, validate: true, campaign: true, ficha: true },
    operations: ['sale', 'rent'],
    propertyTypes: ['homes'],
    listingPath,
    filters,
    locations: {
      countries: ['ES'],
      types: ['municipality'],
      toPortalId: ({ id, name }) => `${toSlug(name)}-${id.replace('ES-', '')}`,
    },
    politeness: { requestsPerSecond: 1, concurrency: 2 },
    search: {
      kind: 'pages',
      coverage: 'all',
      cards: 'addresses',
      start: (search: Search) => requestPage(search, 1),
      read({ text, url }, search: Search) {
        const total = parseCount(text, { name: 'h1', className: 'total' })
        const cards = html.findElements(text, 'article', 'anuncio').flatMap(({ inner }) => {
          const path = html.findAttribute(html.findElement(inner, 'a')?.tag ?? '', 'href') ?? ''
          const listingId = listingPath.exec(path)?.groups?.listingId
          return listingId ? [{ listingId, path }] : []
        })
        const page = Number(URL.parse(url)?.searchParams.get('pagina') ?? 1)
        // A page without cards counts as empty only if it says so itself. Pages after the last one may say so as well.
        const saysNone = html.findElement(text, 'p', 'sin-resultados') !== null && (total === 0 || page > 1)
        if (cards.length === 0 && !saysNone)
          return unreadable(text, `announces ${total ?? 'an unknown number of'} listings and has no card`)
        const hasNext = html.findElement(text, 'a', 'siguiente') !== null
        return { kind: 'page', total, cards, next: hasNext ? [requestPage(search, page + 1)] : [] }
      },
    },
    details: {
      read({ text, url }) {
        if (html.findElement(text, 'p', 'retirado')) return { kind: 'gone' }
        const found = parseListing({ html: text, url, country: 'ES', currency: 'EUR' })
        return found?.listing.price ? { kind: 'listing', ...found } : unreadable(text, 'no price')
      },
    },
  }
}

export default myPortal
