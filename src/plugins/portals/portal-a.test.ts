/**
 * The definition of portal A reads the simulator's portal over HTTP: it must return exactly what the simulator
 * advertises.
 */
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { searchContext } from '../../../test/search-context.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { SimulatedListing } from '../../simulator/listing.ts'
import type { PortalDocument, PortalRequest, SearchPageReading } from '../portal.ts'
import { portalA } from './portal-a.ts'

type Filters = Parameters<typeof portalA.search.start>[0]

const madridPlace = { id: 'madrid', label: 'Madrid' }
const vigoPlace = { id: 'vigo', label: 'Vigo' }
const kindPairs = portalA.operations.flatMap(operation =>
  portalA.propertyTypes.map(propertyType => ({ operation, propertyType })),
)

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({})
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

async function fetchPage(path: string): Promise<PortalDocument> {
  const reply = await fetch(simulator.portalUrl('portal_a') + path)
  return { text: await reply.text(), url: reply.url }
}

function readSearch(page: PortalDocument, filters: Filters): SearchPageReading {
  return portalA.search.read(page, filters, searchContext)
}

async function search(
  filters: Filters,
  request: PortalRequest = portalA.search.start(filters, searchContext),
) {
  return readSearch(await fetchPage(request.path), filters)
}

/** Reads a page of results; throws if it is unreadable. */
async function searchCards(filters: Filters, request?: PortalRequest) {
  const result = await search(filters, request)
  if (result.kind !== 'page') throw new Error(`unreadable: ${result.detail}`)
  return { ...result, cards: result.cards.map(card => ({ ...card, listing: card.listing! })) }
}

async function readDetail(listingId: string) {
  return portalA.details!.read(await fetchPage(`/inmueble/${listingId}/`))
}

function getOriginal(listingId: string): SimulatedListing {
  const original = simulator.findListing(listingId)
  if (!original) throw new Error(`no listing ${listingId}`)
  return original
}

describe('what is read', () => {
  test.each(kindPairs)('equals what was advertised: $operation of $propertyType', async kind => {
    const { cards } = await searchCards({ ...kind, location: vigoPlace })
    expect(cards.length).toBeGreaterThan(20)
    for (const { listingId, path, listing: card } of cards) {
      const original = getOriginal(listingId)
      const floor = original.floor
      const shown = {
        ...kind,
        title: original.title,
        price: original.price,
        currency: 'EUR',
        squareMeters: original.squareMeters,
        floor,
      }
      const publishedAt = original.publishedAt.toISOString()
      expect(path).toBe(`/inmueble/${listingId}/`)
      expect(card).toMatchObject({
        ...shown,
        rooms: original.bedrooms,
        publishedAt,
        contact: { advertiserType: original.advertiser.type },
      })
      expect(original.features).toEqual(expect.arrayContaining(card.features))

      const result = await readDetail(listingId)
      if (result.kind !== 'listing') throw new Error(`${listingId} is ${result.kind}`)
      const { listing } = result
      expect(listing).toMatchObject({
        ...shown,
        description: original.description,
        bedrooms: original.bedrooms,
        bathrooms: original.bathrooms,
        condition: original.condition,
        address: original.address,
        municipality: original.city,
        province: original.province,
        postcode: original.postcode,
        latitude: original.latitude,
        longitude: original.longitude,
        url: card.url,
        publishedAt,
        contact: {
          name: original.advertiser.name,
          phone: original.advertiser.phone,
          email: null,
          advertiserType: original.advertiser.type,
        },
      })
      expect(listing.features.toSorted()).toEqual(original.features.toSorted())
      expect(listing.images).toHaveLength(original.photoCount)
      expect(portalA.listingPath.exec(new URL(listing.url).pathname)?.groups).toEqual({ listingId })
    }
  })

  test('each value of a detail page has its provenance', async () => {
    const { cards } = await searchCards({ operation: 'sale', location: madridPlace, features: ['lift'] })
    const result = await readDetail(cards[0]!.listingId)
    expect(result).toMatchObject({
      provenance: {
        price: 'json-ld',
        latitude: 'json-ld',
        'contact.phone': 'json-ld',
        condition: 'markup',
        features: 'markup',
      },
    })
  })

  test('following the next links returns every listing of the search once', async () => {
    const filters: Filters = { operation: 'rent', location: vigoPlace }
    const ids: string[] = []
    let total: number | null = null
    for (let requests = [portalA.search.start(filters, searchContext)]; requests.length > 0; ) {
      const result = await searchCards(filters, requests.shift())
      ids.push(...result.cards.map(card => card.listingId))
      requests.push(...result.next)
      total ??= result.total
    }
    const originals = simulator.findListings({ operation: 'rent', propertyType: 'homes', city: 'vigo' })
    expect(total).toBe(originals.length)
    expect(originals.length).toBeGreaterThan(60)
    expect(ids.toSorted()).toEqual(originals.map(({ id }) => id).toSorted())
  })

  test('a page after the last has neither cards nor a next page', async () => {
    const result = await search(
      { operation: 'rent', location: vigoPlace },
      { path: '/alquiler/viviendas/vigo/?page=999' },
    )
    expect(result).toEqual({ kind: 'page', total: null, cards: [], next: [] })
  })

  test.each<[string, Filters]>([
    ['a price that nothing has', { operation: 'sale', location: vigoPlace, minPrice: 900_000_000 }],
    ['a place that nobody advertises in', { operation: 'sale', location: { id: 'atlantida', label: 'x' } }],
  ])('a search without results is an empty page: %s', async (_what, filters) => {
    expect(await search(filters)).toEqual({ kind: 'page', total: 0, cards: [], next: [] })
  })

  test('the last page has no next page, unless the portal repeats its pages', async () => {
    const filters: Filters = { operation: 'sale', location: madridPlace, minPrice: 1_300_000 }
    const last = await searchCards(filters)
    expect(last.cards.length).toBeGreaterThan(0)
    expect(last.total).toBeLessThanOrEqual(30)
    expect(last.next).toEqual([])
    simulator.faults.add({ portal: 'portal_a', kind: 'loop' })
    const again = await searchCards(filters)
    expect(again.next).toHaveLength(1)
    expect(await searchCards(filters, again.next[0])).toMatchObject({ cards: again.cards })
  })

  test('a withdrawn listing is reported as gone', async () => {
    const { cards } = await searchCards(
      { operation: 'sale', location: madridPlace },
      { path: '/venta/viviendas/madrid/?page=2' },
    )
    simulator.withdraw(cards[0]!.listingId)
    expect(await readDetail(cards[0]!.listingId)).toEqual({ kind: 'gone' })
  })
})

describe('what cannot be read', () => {
  const kinds = [
    ['challenge', 'challenge', 'challenge'],
    ['redirectToLogin', 'login', 'login'],
    ['layout', 'layout', 'layout'],
    ['empty', 'layout', null],
  ] as const
  test.each(kinds)('%s: a search is %s, a listing %s', async (kind, searchResult, detailResult) => {
    const { cards } = await searchCards({ operation: 'sale', location: madridPlace })
    const { listingId } = cards[0]!
    simulator.faults.add({ portal: 'portal_a', kind, match: '/venta/' })
    simulator.faults.add({ portal: 'portal_a', kind, match: '/inmueble/' })
    expect(await search({ operation: 'sale', location: madridPlace })).toMatchObject({
      kind: 'unreadable',
      reason: searchResult,
    })
    expect(await readDetail(listingId)).toMatchObject(
      detailResult ? { kind: 'unreadable', reason: detailResult } : { kind: 'listing' },
    )
  })

  test('a page of another kind is neither a search nor a listing', async () => {
    const missing = await fetchPage('/venta/castillos/madrid/')
    const layout = { kind: 'unreadable', reason: 'layout' }
    expect(readSearch(missing, { operation: 'sale', location: madridPlace })).toMatchObject(layout)
    expect(portalA.details!.read(missing)).toMatchObject(layout)
  })

  test('"no results" on the first page needs a count of 0', async () => {
    const { text, url } = await fetchPage('/venta/viviendas/vigo/?page=999')
    const first = { text, url: url.replace('page=999', 'page=1') }
    expect(readSearch(first, { operation: 'sale', location: vigoPlace })).toMatchObject({ reason: 'layout' })
  })

  test('cards without any price are a new layout', async () => {
    const { text, url } = await fetchPage('/venta/viviendas/vigo/')
    const page = { text: text.replaceAll('item-price', 'x'), url }
    expect(readSearch(page, { operation: 'sale', location: vigoPlace })).toMatchObject({ reason: 'layout' })
  })

  test('cards without a count and a pager are a new layout', async () => {
    const filters: Filters = { operation: 'sale', location: vigoPlace }
    const { text, url } = await fetchPage('/venta/viviendas/vigo/')
    const uncounted = text.replaceAll('listing-title', 'x')
    const unlinked = uncounted.replaceAll('rel="next"', '')
    expect(readSearch({ text: uncounted, url }, filters)).toMatchObject({ total: null, next: [{}] })
    expect(readSearch({ text: unlinked, url }, filters)).toMatchObject({ total: null, next: [] })
    const page = { text: unlinked.replaceAll('pagination', 'x'), url }
    expect(readSearch(page, filters)).toMatchObject({ kind: 'unreadable', reason: 'layout' })
    // The count of the first page also holds for the pages after it.
    expect(readSearch({ ...page, url: `${url}?page=2` }, filters)).toMatchObject({ kind: 'page', next: [] })
  })

  test('a listing without JSON-LD is read from its markup; without any price it is unreadable', async () => {
    const { cards } = await searchCards({ operation: 'sale', location: madridPlace })
    const { text, url } = await fetchPage(cards[0]!.path)
    const withoutJsonLd = text.replace(/<script type="application\/ld\+json">.*?<\/script>/s, '')
    const { price, squareMeters, floor } = cards[0]!.listing
    expect(portalA.details!.read({ text: withoutJsonLd, url })).toMatchObject({
      kind: 'listing',
      listing: {
        price,
        squareMeters,
        floor,
        contact: { phone: getOriginal(cards[0]!.listingId).advertiser.phone },
      },
      provenance: { price: 'markup' },
    })
    const unpriced = { text: withoutJsonLd.replaceAll('info-data', 'x'), url }
    expect(portalA.details!.read(unpriced)).toMatchObject({ kind: 'unreadable', reason: 'layout' })
  })

  test('truncated or altered pages never make it throw', async () => {
    const filters: Filters = { operation: 'sale', location: vigoPlace }
    const results = await fetchPage('/venta/viviendas/vigo/')
    const { cards } = await searchCards(filters)
    const original = await fetchPage(cards[0]!.path)
    // Styles and footer are half of a page, and nothing is parsed there.
    const pages = [results, original].map(page => ({
      ...page,
      text: page.text.replace(/<style.*?<\/style>/s, '').replace(/<footer.*/s, ''),
    }))
    const changes = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.string({ unit: anyCharacter, maxLength: 2 })),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...pages),
        changes,
        fc.boolean(),
        ({ text: whole, url }, changes, isCut) => {
          let broken = whole
          for (const [share, text] of changes) {
            const index = Math.floor(share * whole.length)
            broken = isCut
              ? broken.slice(0, index)
              : broken.slice(0, index) + text + broken.slice(index + text.length)
          }
          expect(['page', 'unreadable']).toContain(readSearch({ text: broken, url }, filters).kind)
          expect(['listing', 'gone', 'unreadable']).toContain(
            portalA.details!.read({ text: broken, url }).kind,
          )
        },
      ),
      { numRuns: 100 },
    )
  })
})
