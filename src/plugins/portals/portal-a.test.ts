// The definition of portal A against the simulator's portal, over HTTP: what is read equals what was advertised.
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Advert } from '../../simulator/advert.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import { portalA } from './portal-a.ts'

type Filters = Parameters<typeof portalA.searchPath>[0]

const MADRID = { id: 'madrid', label: 'Madrid' }
const VIGO = { id: 'vigo', label: 'Vigo' }
const KINDS = portalA.operations.flatMap(operation =>
  portalA.propertyTypes.map(propertyType => ({ operation, propertyType })),
)

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({})
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

async function fetchPage(path: string): Promise<{ html: string; url: string }> {
  const reply = await fetch(simulator.portalUrl('portal_a') + path)
  return { html: await reply.text(), url: reply.url }
}

async function search(filters: Filters, page = 1) {
  const { html, url } = await fetchPage(portalA.searchPath(filters, page))
  return portalA.readSearchPage(html, url)
}

/** The results of a search, for tests in which anything else is a failure. */
async function searchCards(filters: Filters, page = 1) {
  const reading = await search(filters, page)
  if (reading.kind !== 'page') throw new Error(`unreadable: ${reading.detail}`)
  return reading
}

async function detail(listingId: string) {
  const { html, url } = await fetchPage(`/inmueble/${listingId}/`)
  return portalA.readListing(html, url)
}

function truthOf(listingId: string): Advert {
  const advert = simulator.advert(listingId)
  if (!advert) throw new Error(`no advert ${listingId}`)
  return advert
}

describe('what is read', () => {
  test.each(KINDS)('equals what was advertised: $operation of $propertyType', async kind => {
    const { cards } = await searchCards({ ...kind, location: VIGO })
    expect(cards.length).toBeGreaterThan(20)
    for (const { listingId, path, listing: card } of cards) {
      const advert = truthOf(listingId)
      const floor = advert.floor === null ? null : String(advert.floor)
      const shown = {
        ...kind,
        title: advert.title,
        price: advert.price,
        currency: 'EUR',
        squareMeters: advert.squareMeters,
        floor,
      }
      const publishedAt = advert.publishedAt.toISOString()
      expect(path).toBe(`/inmueble/${listingId}/`)
      expect(card).toMatchObject({
        ...shown,
        rooms: advert.bedrooms,
        publishedAt,
        contact: { advertiserType: advert.advertiser.type },
      })
      expect(advert.features).toEqual(expect.arrayContaining(card.features))

      const reading = await detail(listingId)
      if (reading.kind !== 'listing') throw new Error(`${listingId} is ${reading.kind}`)
      const { listing } = reading
      expect(listing).toMatchObject({
        ...shown,
        description: advert.description,
        bedrooms: advert.bedrooms,
        bathrooms: advert.bathrooms,
        condition: advert.condition,
        address: advert.address,
        municipality: advert.city,
        province: advert.province,
        postcode: advert.postcode,
        latitude: advert.latitude,
        longitude: advert.longitude,
        url: card.url,
        publishedAt,
        contact: {
          name: advert.advertiser.name,
          phone: advert.advertiser.phone,
          email: null,
          advertiserType: advert.advertiser.type,
        },
      })
      expect(listing.features.toSorted()).toEqual(advert.features.toSorted())
      expect(listing.images).toHaveLength(advert.photoCount)
      expect(portalA.listingPath.exec(new URL(listing.url).pathname)?.groups).toEqual({ listingId })
    }
  })

  test('each value of a detail page says where it was found', async () => {
    const { cards } = await searchCards({ operation: 'sale', location: MADRID, features: ['lift'] })
    const reading = await detail(cards[0]!.listingId)
    expect(reading).toMatchObject({
      provenance: {
        price: 'json-ld',
        latitude: 'json-ld',
        'contact.phone': 'json-ld',
        condition: 'markup',
        features: 'markup',
      },
    })
  })

  test('the pages of a search hold every advert once, and the last says that it is the last', async () => {
    const filters: Filters = { operation: 'rent', location: VIGO }
    const first = await searchCards(filters)
    const ids = first.cards.map(card => card.listingId)
    let hasNext = first.hasNext
    for (let page = 2; hasNext; page += 1) {
      const reading = await searchCards(filters, page)
      ids.push(...reading.cards.map(card => card.listingId))
      hasNext = reading.hasNext
    }
    expect(first.total).toBeGreaterThan(60)
    expect(ids).toHaveLength(first.total!)
    expect(new Set(ids).size).toBe(ids.length)
    expect(await search(filters, 999)).toEqual({ kind: 'page', total: null, cards: [], hasNext: false })
  })

  test('a search without results is a page with none', async () => {
    const reading = await search({ operation: 'sale', location: VIGO, minPrice: 900_000_000 })
    expect(reading).toEqual({ kind: 'page', total: 0, cards: [], hasNext: false })
  })

  test('an advert that was withdrawn is gone', async () => {
    const { cards } = await searchCards({ operation: 'sale', location: MADRID }, 2)
    simulator.withdraw(cards[0]!.listingId)
    expect(await detail(cards[0]!.listingId)).toEqual({ kind: 'gone' })
  })
})

describe('what cannot be read', () => {
  const kinds = [
    ['challenge', 'challenge', 'challenge'],
    ['redirectToLogin', 'login', 'login'],
    ['layout', 'layout', 'layout'],
    ['empty', 'layout', null],
  ] as const
  test.each(kinds)('%s: a search is %s, an advert %s', async (kind, ofSearch, ofDetail) => {
    const { cards } = await searchCards({ operation: 'sale', location: MADRID })
    const { listingId } = cards[0]!
    simulator.faults.set({ portal: 'portal_a', kind, match: '/venta/' })
    simulator.faults.set({ portal: 'portal_a', kind, match: '/inmueble/' })
    expect(await search({ operation: 'sale', location: MADRID })).toMatchObject({
      kind: 'unreadable',
      reason: ofSearch,
    })
    expect(await detail(listingId)).toMatchObject(
      ofDetail ? { kind: 'unreadable', reason: ofDetail } : { kind: 'listing' },
    )
  })

  test('a page of another kind is no search and no advert', async () => {
    const missing = await fetchPage('/venta/viviendas/atlantis/')
    expect(portalA.readSearchPage(missing.html, missing.url)).toMatchObject({
      kind: 'unreadable',
      reason: 'layout',
    })
    expect(portalA.readListing(missing.html, missing.url)).toMatchObject({
      kind: 'unreadable',
      reason: 'layout',
    })
  })

  test('"no results" on the first page is not believed: only a count of none is', async () => {
    const { html, url } = await fetchPage('/venta/viviendas/vigo/?page=999')
    expect(portalA.readSearchPage(html, url.replace('page=999', 'page=1'))).toMatchObject({
      reason: 'layout',
    })
  })

  test('cards of which none has a price are a new layout', async () => {
    const { html, url } = await fetchPage('/venta/viviendas/vigo/')
    expect(portalA.readSearchPage(html.replaceAll('item-price', 'x'), url)).toMatchObject({
      reason: 'layout',
    })
  })

  test('pages cut short or with characters changed never make it fail', async () => {
    const results = await fetchPage('/venta/viviendas/vigo/')
    const { cards } = await searchCards({ operation: 'sale', location: VIGO })
    const advert = await fetchPage(cards[0]!.path)
    // Styles and footer are half of a page and nothing is read there.
    const pages = [results, advert].map(page => ({
      ...page,
      html: page.html.replace(/<style.*?<\/style>/s, '').replace(/<footer.*/s, ''),
    }))
    const changes = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.string({ unit: 'binary', maxLength: 2 })),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(fc.constantFrom(...pages), changes, fc.boolean(), ({ html, url }, changes, isCut) => {
        let broken = html
        for (const [share, text] of changes) {
          const at = Math.floor(share * html.length)
          broken = isCut ? broken.slice(0, at) : broken.slice(0, at) + text + broken.slice(at + text.length)
        }
        expect(['page', 'unreadable']).toContain(portalA.readSearchPage(broken, url).kind)
        expect(['listing', 'gone', 'unreadable']).toContain(portalA.readListing(broken, url).kind)
      }),
      { numRuns: 300 },
    )
  })
})
