/** The status that a page shows decides whether a sheet is made, even if the portal's reader overlooks it. */
import { expect, test, vi } from 'vitest'
import type { PortalClient } from '../../crawl/portal-client.ts'
import { generalPortal } from '../../plugins/general-portal.ts'
import type { DetailReader, PortalDefinition } from '../../plugins/portal.ts'
import { fetchListing } from './fetch-listing.ts'
import { toProperty } from './property.ts'

const baseUrl = 'https://portal.example'
const path = '/anuncios/piso-48201'

/** A portal whose listings have this mark beside their heading. */
function fetchMarked(
  mark: string,
  change: (definition: PortalDefinition) => PortalDefinition = same => same,
) {
  const definition = generalPortal({
    id: 'my_site',
    name: 'My site',
    country: 'ES',
    language: 'es',
    currency: 'EUR',
    timezone: 'Europe/Madrid',
    listingPath: /^\/anuncios\/piso-(?<listingId>\d+)$/,
    searches: [{ operation: 'sale', propertyType: 'homes', place: 'ES-36057', path: '/comprar' }],
  }) as unknown as PortalDefinition
  const node = {
    '@context': 'https://schema.org',
    '@type': 'Apartment',
    name: 'Piso en venta en Vigo',
    url: path,
    numberOfRooms: 3,
    floorSize: { '@type': 'QuantitativeValue', value: 80, unitCode: 'MTK' },
    offers: { '@type': 'Offer', price: 150_000, priceCurrency: 'EUR' },
  }
  const text = `<html lang="es"><title>Piso en venta en Vigo</title><body><main>${mark}<h1>Piso en venta en Vigo</h1>
    <p>80 m² · 3 hab. · 150.000 €</p></main><script type="application/ld+json">${JSON.stringify(node)}</script></html>`
  const client: Pick<PortalClient, 'fetchPage'> = {
    fetchPage: async () => ({
      kind: 'page',
      document: { text, url: baseUrl + path },
      validators: { etag: null, lastModified: null },
    }),
  }
  const portal = { definition: change(definition), baseUrl, credentials: null, isLocal: true }
  return fetchListing(portal, client as PortalClient, { listingId: '48201', path })
}

/** The portal has a reader of its own, which reads no status. */
const withOwnReader = (definition: PortalDefinition): PortalDefinition => {
  const { fromGeneral: _none, ...details } = definition.details!
  const read: DetailReader['read'] = page => {
    const reading = details.read(page)
    return reading.kind === 'gone'
      ? details.read({ ...page, text: page.text.replace(/<main>.*?<h1>/, '<main><h1>') })
      : reading
  }
  return { ...definition, details: { read } }
}

test.each([
  ['Vendido', undefined],
  ['Vendido', withOwnReader],
  ['Alquilado', withOwnReader],
])('a listing marked %s is gone', async (mark, change) => {
  await expect(fetchMarked(`<span class="badge">${mark}</span>`, change)).rejects.toMatchObject({
    code: 'LISTING_GONE',
  })
})

test.each([undefined, withOwnReader])('a reserved listing is read, and its sheet says so', async change => {
  const reserved = await fetchMarked('<span class="badge">Reservado</span>', change)
  expect(reserved.parsed?.listing.price).toBe(150_000)
  expect(toProperty(reserved, 'ES').isReserved).toBe(true)
  expect(toProperty(await fetchMarked('', change), 'ES').isReserved).toBe(false)
})

test('the page of a portal without a reader of its own is parsed once', async () => {
  const read = vi.fn()
  const listing = await fetchMarked('', definition => ({
    ...definition,
    details: { ...definition.details!, read },
  }))
  expect(listing.parsed?.listing.price).toBe(150_000)
  expect(read).not.toHaveBeenCalled()
})
