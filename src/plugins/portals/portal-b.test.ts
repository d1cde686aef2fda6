/**
 * The definition of portal B reads the simulator's portal over HTTP: it must return exactly what the simulator
 * advertises.
 */
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { searchContext } from '../../../test/search-context.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { SimulatedListing } from '../../simulator/listing.ts'
import { formatTitle, toListingId, toStreet, toWorldId } from '../../simulator/portal-b/words.ts'
import type { PortalDocument, PortalRequest, SearchPageReading } from '../portal.ts'
import { portalB } from './portal-b.ts'
import { extraFeatures } from './portal-b-listing.ts'

type Filters = Parameters<typeof portalB.search.start>[0]

const madridPlace = { id: '724_M_28079', label: 'Madrid' }
const vigoPlace = { id: '724_PO_36057', label: 'Vigo' }
const kindPairs = portalB.operations.flatMap(operation =>
  portalB.propertyTypes.map(propertyType => ({ operation, propertyType })),
)

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({})
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

async function fetchPage(path: string): Promise<PortalDocument> {
  const reply = await fetch(simulator.portalUrl('portal_b') + path)
  return { text: await reply.text(), url: reply.url }
}

function readSearch(page: PortalDocument, filters: Filters): SearchPageReading {
  return portalB.search.read(page, filters, searchContext)
}

async function search(
  filters: Filters,
  request: PortalRequest = portalB.search.start(filters, searchContext),
) {
  return readSearch(await fetchPage(request.path), filters)
}

/** Reads a page of results; throws if it is unreadable. */
async function searchCards(filters: Filters, request?: PortalRequest) {
  const result = await search(filters, request)
  if (result.kind !== 'page') throw new Error(`unreadable: ${result.detail}`)
  return { ...result, cards: result.cards.map(card => ({ ...card, listing: card.listing! })) }
}

async function readDetail(path: string) {
  return portalB.details!.read(await fetchPage(path))
}

function getOriginal(listingId: string): SimulatedListing {
  const original = simulator.findListing(toWorldId(listingId) ?? '')
  if (!original) throw new Error(`no listing ${listingId}`)
  return original
}

/** The facts that the portal can express: it has fewer words than the simulator. */
function toShownFacts(original: SimulatedListing) {
  const { floor, bedrooms, bathrooms } = original
  return {
    operation: original.operation,
    propertyType: original.propertyType,
    description: original.description,
    price: original.price,
    currency: 'EUR',
    squareMeters: original.squareMeters,
    rooms: bedrooms,
    bedrooms,
    bathrooms: bathrooms || null,
    floor: floor === null || floor > 10 ? null : floor,
    condition: original.condition,
    municipality: original.city,
    province: original.province,
    postcode: original.postcode,
    latitude: original.latitude,
    longitude: original.longitude,
    publishedAt: original.publishedAt.toISOString(),
    contact: {
      name: original.advertiser.name,
      phone: original.advertiser.phone,
      email: null,
      advertiserType: original.advertiser.type,
    },
  }
}

describe('what is read', () => {
  test.each(kindPairs)('equals what was advertised: $operation of $propertyType', async kind => {
    const { cards } = await searchCards({ ...kind, location: vigoPlace })
    expect(cards.length).toBeGreaterThan(20)
    for (const { listingId, path, listing: card } of cards) {
      const original = getOriginal(listingId)
      const shownFeatures = original.features.filter(feature => feature in extraFeatures).toSorted()
      expect(card).toMatchObject({ ...toShownFacts(original), title: null, address: toStreet(original) })
      expect(card.features.toSorted()).toEqual(shownFeatures)
      expect(card.images).toHaveLength(original.photoCount)
      expect(portalB.listingPath.exec(path)?.groups).toEqual({ listingId })

      const result = await readDetail(path)
      if (result.kind !== 'listing') throw new Error(`${listingId} is ${result.kind}`)
      const { listing } = result
      expect(listing).toMatchObject({
        ...toShownFacts(original),
        title: formatTitle(original),
        address: original.address,
        url: card.url,
      })
      expect(listing.features.toSorted()).toEqual(shownFeatures)
      expect(listing.images).toEqual(card.images)
    }
  })

  test('each value has the state as its provenance', async () => {
    const { cards } = await searchCards({ operation: 'sale', location: madridPlace, features: ['lift'] })
    const fromState = { price: 'state', latitude: 'state', 'contact.phone': 'state', features: 'state' }
    expect(cards[0]).toMatchObject({ provenance: fromState })
    expect(await readDetail(cards[0]!.path)).toMatchObject({ provenance: { ...fromState, title: 'state' } })
  })

  test('more listings are read than the markup holds', async () => {
    const { text } = await fetchPage(
      portalB.search.start({ operation: 'sale', location: madridPlace }, searchContext).path,
    )
    expect(text.match(/text-display-3/g)).toHaveLength(5)
    expect(
      readSearch(
        { text, url: simulator.portalUrl('portal_b') },
        { operation: 'sale', location: madridPlace },
      ),
    ).toMatchObject({
      cards: { length: 30 },
    })
  })

  test('following the next links returns every listing of the search once', async () => {
    const filters: Filters = { operation: 'rent', location: vigoPlace }
    const ids: string[] = []
    let total: number | null = null
    for (let requests = [portalB.search.start(filters, searchContext)]; requests.length > 0; ) {
      const result = await searchCards(filters, requests.shift())
      ids.push(...result.cards.map(card => card.listingId))
      requests.push(...result.next)
      total ??= result.total
    }
    const originals = simulator.findListings({ operation: 'rent', propertyType: 'homes', city: 'vigo' })
    expect(total).toBe(originals.length)
    expect(originals.length).toBeGreaterThan(60)
    expect(ids.toSorted()).toEqual(originals.map(({ id }) => toListingId(id)).toSorted())
  })

  test('a page after the last has neither cards nor a next page', async () => {
    const { path } = portalB.search.start({ operation: 'rent', location: vigoPlace }, searchContext)
    const result = await search(
      { operation: 'rent', location: vigoPlace },
      { path: path.replace('/l?', '/l/999?') },
    )
    expect(result).toEqual({ kind: 'page', total: expect.any(Number), cards: [], next: [] })
  })

  test.each<[string, Filters]>([
    ['a price that nothing has', { operation: 'sale', location: vigoPlace, minPrice: 900_000_000 }],
    ['a place without listings', { operation: 'sale', location: { id: '724_CE_51001', label: 'x' } }],
  ])('a search without results is an empty page: %s', async (_what, filters) => {
    expect(await search(filters)).toEqual({ kind: 'page', total: 0, cards: [], next: [] })
  })

  test('the last page has no next page, unless the portal repeats its pages', async () => {
    const filters: Filters = { operation: 'sale', location: madridPlace, minPrice: 1_300_000 }
    const last = await searchCards(filters)
    expect(last.cards.length).toBeGreaterThan(0)
    expect(last.next).toEqual([])
    simulator.faults.add({ portal: 'portal_b', kind: 'loop' })
    const again = await searchCards(filters)
    expect(again.next).toHaveLength(1)
    expect(await searchCards(filters, again.next[0])).toMatchObject({ cards: again.cards })
  })

  test('a withdrawn listing is reported as gone, although the portal answers 200', async () => {
    const { cards } = await searchCards({ operation: 'sale', location: madridPlace })
    simulator.withdraw(toWorldId(cards[7]!.listingId)!)
    const reply = await fetch(simulator.portalUrl('portal_b') + cards[7]!.path)
    expect(reply.status).toBe(200)
    expect(portalB.details!.read({ text: await reply.text(), url: reply.url })).toEqual({ kind: 'gone' })
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
    const filters: Filters = { operation: 'sale', location: madridPlace }
    const { cards } = await searchCards(filters)
    simulator.faults.add({ portal: 'portal_b', kind })
    expect(await search(filters)).toMatchObject({ kind: 'unreadable', reason: searchResult })
    expect(await readDetail(cards[0]!.path)).toMatchObject(
      detailResult ? { kind: 'unreadable', reason: detailResult } : { kind: 'listing' },
    )
  })

  test('a page of another kind is neither a search nor a listing', async () => {
    const layout = { kind: 'unreadable', reason: 'layout' }
    for (const path of ['/es/comprar/castillos/madrid/todas-las-zonas/l', '/']) {
      const page = await fetchPage(path)
      expect(readSearch(page, { operation: 'sale', location: madridPlace })).toMatchObject(layout)
      expect(portalB.details!.read(page)).toMatchObject(layout)
    }
  })

  test('listings without any price are a new layout', async () => {
    const filters: Filters = { operation: 'sale', location: vigoPlace }
    const { text, url } = await fetchPage(portalB.search.start(filters, searchContext).path)
    const page = { text: text.replaceAll(/\\"(rawPrice|price)\\":/g, '\\"x\\":'), url }
    expect(readSearch(page, filters)).toMatchObject({ kind: 'unreadable', reason: 'layout' })
  })

  test('truncated or altered pages never make it throw', async () => {
    const filters: Filters = {
      operation: 'sale',
      location: vigoPlace,
      minPrice: 400_000,
      propertyType: 'homes',
    }
    const results = await fetchPage(portalB.search.start(filters, searchContext).path)
    const original = await fetchPage((await searchCards(filters)).cards[0]!.path)
    // Styles and texts are most of a page, and nothing is parsed there.
    const pages = [results, original].map(page => ({
      ...page,
      text: page.text.replace(/<style.*?<\/style>/s, '').replace(/<header.*?<script id=/s, '<script id='),
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
          let text = whole
          for (const [share, change] of changes) {
            const index = Math.floor(share * whole.length)
            text = isCut
              ? text.slice(0, index)
              : text.slice(0, index) + change + text.slice(index + change.length)
          }
          expect(['page', 'unreadable']).toContain(readSearch({ text, url }, filters).kind)
          expect(['listing', 'gone', 'unreadable']).toContain(portalB.details!.read({ text, url }).kind)
        },
      ),
      { numRuns: 80 },
    )
  })

  test('any value in any field of a listing is parsed or omitted', () => {
    const leaf = fc.oneof(
      fc.constantFrom<unknown>(null, true, 0, -1, 1e308, '', '3', 'Flat', 'image', 'elevator', 13),
      fc.string({ unit: anyCharacter, maxLength: 6 }),
    )
    const keys = (
      'id detail es-ES features featuresList key label value rooms surface address municipality district location multimedia src ' +
      'type coordinates latitude date timestamp phone price rawPrice descriptions clientAlias __proto__ realEstate'
    ).split(' ')
    const { node } = fc.letrec(tie => ({
      node: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('node'), { maxKeys: 8 }),
      ),
    }))
    const original = fc.dictionary(fc.constantFrom(...keys), node, { maxKeys: 20 })
    fc.assert(
      fc.property(fc.array(original, { maxLength: 3 }), node, (realEstates, count) => {
        const state = { initialSearch: { result: { count, realEstates } }, realEstate: realEstates[0] }
        const text = `<script id="__INITIAL_PROPS__" type="application/json">${JSON.stringify(state)}</script>`
        const page = { text, url: 'https://portal.example/es/comprar/vivienda/vigo/terraza/2100000001/d' }
        expect(['page', 'unreadable']).toContain(
          readSearch(page, { operation: 'sale', location: vigoPlace }).kind,
        )
        expect(['listing', 'unreadable']).toContain(portalB.details!.read(page).kind)
      }),
      { numRuns: 400 },
    )
  })
})
