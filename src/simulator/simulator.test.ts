/** The simulated portal over HTTP shows exactly the listings of its world. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Simulator } from './index.ts'
import { startSimulator } from './index.ts'
import type { SimulatedListing } from './listing.ts'

let simulator: Simulator
let portal: string
let listings: SimulatedListing[]

beforeAll(async () => {
  simulator = await startSimulator()
  portal = simulator.portalUrl('portal_a')
  listings = [...simulator.listings]
})
afterAll(() => simulator.close())

const read = async (path: string) => (await fetch(portal + path)).text()
const parseIds = (html: string) =>
  [...html.matchAll(/<article class="item" data-listing-id="([^"]+)"/g)].map(match => match[1]!)
const parseTotal = (html: string) => Number(/data-total="(\d+)"/.exec(html)?.[1])
const parseNextPath = (html: string) =>
  /<a class="next" rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
const isHomeForSale = (listing: SimulatedListing) =>
  listing.operation === 'sale' && listing.propertyType === 'homes'

describe('seeds', () => {
  const fetchPages = async (seed: number) => {
    const other = await startSimulator({ seed })
    const origin = other.portalUrl('portal_a')
    const [first] = other.findListings({ operation: 'rent', propertyType: 'homes', city: 'bilbao' })
    const paths = [
      '/alquiler/viviendas/bilbao/?page=2',
      `/inmueble/${first?.id}/`,
      `/fotos/${first?.id}/1.png`,
    ]
    const bodies = await Promise.all(paths.map(async path => (await fetch(origin + path)).arrayBuffer()))
    await other.close()
    // Each one has its own port.
    return bodies.map(body => Buffer.from(body).toString('latin1').replaceAll(origin, 'ORIGIN'))
  }

  test('the same seed gives the same bytes, another seed different ones', async () => {
    const once = await fetchPages(7)
    expect(await fetchPages(7)).toEqual(once)
    const other = await fetchPages(8)
    for (const [position, body] of once.entries()) expect(other[position]).not.toBe(body)
  })
})

describe('search pages', () => {
  test('following "next" from page one returns every listing of the search once, newest first, 30 per page', async () => {
    const expected = simulator.findListings({ operation: 'sale', propertyType: 'homes', city: 'granada' })
    const pages: string[][] = []
    let path: string | undefined = '/venta/viviendas/granada/'
    while (path) {
      const html = await read(path)
      expect(parseTotal(html)).toBe(expected.length)
      pages.push(parseIds(html))
      path = parseNextPath(html)
    }
    expect(pages.length).toBe(Math.ceil(expected.length / 30))
    expect(pages.slice(0, -1).every(ids => ids.length === 30)).toBe(true)
    expect(pages.flat()).toEqual(expected.map(listing => listing.id))
    expect(new Set(pages.flat()).size).toBe(expected.length)
    const dates = expected.map(listing => listing.publishedAt.getTime())
    expect(dates).toEqual([...dates].sort((a, b) => b - a))
  })

  test('a card shows id, link, Spanish price, rooms, size, photo and advertiser', async () => {
    const search = {
      operation: 'rent',
      propertyType: 'homes',
      city: 'madrid',
      minPrice: 1000,
      minRooms: 2,
    } as const
    const [listing] = simulator.findListings({ ...search, advertiserType: 'private' })
    if (!listing) throw new Error('no listing')
    const html = await read('/alquiler/viviendas/madrid/?minPrice=1000&minRooms=2&advertiserType=private')
    const card = /<article class="item"[\s\S]*?<\/article>/.exec(html)?.[0]
    expect(card).toContain(`data-listing-id="${listing.id}"`)
    expect(card).toContain(`href="/inmueble/${listing.id}/"`)
    expect(card).toContain(`<span class="item-price">${listing.price.toLocaleString('de')} €/mes</span>`)
    expect(card).toContain(`<span class="item-detail">${listing.bedrooms} hab.</span>`)
    expect(card).toContain(`${listing.squareMeters} m²`)
    expect(card).toContain(`src="/fotos/${listing.id}/1.png"`)
    expect(card).toContain('<span class="item-advertiser private">Particular</span>')
  })

  const filters: [string, (listing: SimulatedListing) => boolean][] = [
    ['minPrice=200000&maxPrice=300000', ({ price }) => price >= 200_000 && price <= 300_000],
    ['minRooms=2&maxRooms=3', ({ bedrooms }) => bedrooms === 2 || bedrooms === 3],
    ['minBathrooms=2', ({ bathrooms }) => bathrooms !== null && bathrooms >= 2],
    ['minSquareMeters=70&maxSquareMeters=90', ({ squareMeters }) => squareMeters >= 70 && squareMeters <= 90],
    ['condition=to_renovate', ({ condition }) => condition === 'to_renovate'],
    ['advertiserType=private', ({ advertiser }) => advertiser.type === 'private'],
    ['advertiserType=agency', ({ advertiser }) => advertiser.type === 'agency'],
    ['advertiserType=any', () => true],
    ['publishedWithinDays=7', ({ publishedAt }) => publishedAt >= new Date('2026-10-25T00:00:00Z')],
    ['features=lift,terrace', ({ features }) => features.includes('lift') && features.includes('terrace')],
    [
      'maxPrice=400000&condition=good&features=exterior&utm_source=news',
      ({ price, condition, features }) =>
        price <= 400_000 && condition === 'good' && features.includes('exterior'),
    ],
  ]
  test.each(filters)('?%s finds exactly the matching listings, on every page', async (query, matches) => {
    const inCity = listings.filter(listing => isHomeForSale(listing) && listing.citySlug === 'valencia')
    const expected = inCity.filter(matches).map(listing => listing.id)
    expect(expected.length).toBeGreaterThan(0)
    const found: string[] = []
    let path: string | undefined = `/venta/viviendas/valencia/?${query}`
    while (path) {
      const html: string = await read(path)
      expect(parseTotal(html)).toBe(expected.length)
      found.push(...parseIds(html))
      path = parseNextPath(html)
    }
    expect(found.sort()).toEqual(expected.sort())
  })

  test.each(['/venta/viviendas/madrid/?minPrice=900000000', '/venta/viviendas/atlantida/'])(
    'a search without results says "0 anuncios": %s',
    async path => {
      const html = await read(path)
      expect(html).toContain('<span class="total">0 anuncios</span>')
      expect([parseTotal(html), parseIds(html), parseNextPath(html)]).toEqual([0, [], undefined])
    },
  )

  test('a search of a province finds the listings of all its cities', async () => {
    const html = await read('/venta/viviendas/pontevedra-provincia/')
    const expected = simulator.findListings({ operation: 'sale', propertyType: 'homes', city: 'vigo' })
    expect(parseTotal(html)).toBe(expected.length)
    expect(parseIds(html)).toEqual(expected.slice(0, 30).map(listing => listing.id))
  })

  test('a page past the last is 200, has a message, and no listings', async () => {
    const reply = await fetch(`${portal}/venta/viviendas/madrid/?page=9999`)
    const html = await reply.text()
    expect(reply.status).toBe(200)
    expect(html).toContain('No hay resultados')
    expect(html).not.toContain('data-total')
  })

  test.each([
    ['/venta/castillos/madrid/', 404],
    ['/venta/viviendas/madrid/?minPrice=mucho', 400],
    ['/venta/viviendas/madrid/?condition=perfect', 400],
    ['/venta/viviendas/madrid/?features=lift,helipad', 400],
    ['/venta/viviendas/madrid/?page=0', 400],
  ])('%s is %i', async (path, status) => {
    expect((await fetch(portal + path)).status).toBe(status)
  })
})

describe('the page of a listing', () => {
  const parseJsonLd = (html: string) => {
    const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)]
    expect(blocks).toHaveLength(1)
    return JSON.parse(blocks[0]![1]!)['@graph']
  }

  test('has schema.org data equal to the listing, for every kind', async () => {
    const kinds = ['homes', 'offices', 'premises', 'garages'].flatMap(kind =>
      ['sale', 'rent'].map(
        operation => listings.find(one => one.propertyType === kind && one.operation === operation)!,
      ),
    )
    for (const listing of [...kinds, ...listings.slice(0, 40)]) {
      const [listingNode, property] = parseJsonLd(await read(`/inmueble/${listing.id}/`))
      expect(listingNode).toMatchObject({
        '@type': 'RealEstateListing',
        url: `${portal}/inmueble/${listing.id}/`,
        name: listing.title,
        description: listing.description,
        datePosted: listing.publishedAt.toISOString(),
      })
      expect(listingNode.image).toHaveLength(listing.photoCount)
      const { offeredBy, ...offer } = listingNode.offers
      expect(offer).toMatchObject({ price: listing.price, priceCurrency: 'EUR' })
      expect(offeredBy['@type']).toBe(listing.advertiser.type === 'private' ? 'Person' : 'RealEstateAgent')
      expect(offeredBy.name).toBe(listing.advertiser.name)
      expect(listing.advertiser.phone.endsWith(offeredBy.telephone.replace(/\D/g, '').slice(-9))).toBe(true)
      expect(property.address).toMatchObject({
        streetAddress: listing.address,
        addressLocality: listing.city,
        postalCode: listing.postcode,
      })
      expect(property.geo).toMatchObject({ latitude: listing.latitude, longitude: listing.longitude })
      expect(property.floorSize.value).toBe(listing.squareMeters)
      expect(property.numberOfBedrooms ?? null).toBe(listing.bedrooms)
      expect(property.numberOfBathroomsTotal ?? null).toBe(listing.bathrooms)
    }
  })

  test('is as large as a real one, and shows the phone as a link in its local form', async () => {
    const listing = listings.find(one => one.advertiser.name.includes(' & ') && one.citySlug === 'barcelona')!
    const html = await read(`/inmueble/${listing.id}/`)
    expect(Buffer.byteLength(html)).toBeGreaterThan(30_000)
    expect(Buffer.byteLength(html)).toBeLessThan(60_000)
    expect(html).toMatch(
      new RegExp(`<a class="phone" href="tel:\\${listing.advertiser.phone}">93 \\d{3} \\d\\d \\d\\d</a>`),
    )
    expect(html).toContain(`<p class="advertiser-name">${listing.advertiser.name.replace('&', '&amp;')}</p>`)
    expect(html).toContain('<meta property="og:image" content="http')
  })

  test('an unknown id is 404', async () => {
    expect((await fetch(`${portal}/inmueble/1/`)).status).toBe(404)
  })
})
