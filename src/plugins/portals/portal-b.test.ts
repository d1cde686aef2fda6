// The definition of portal B against the simulator's portal, over HTTP: what is read equals what was advertised.
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Advert } from '../../simulator/advert.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import { advertIdOf, listingIdOf, streetOf, titleOf } from '../../simulator/portal-b/words.ts'
import type { PortalDocument, PortalRequest, SearchContext, SearchPageReading } from '../portal.ts'
import { portalB } from './portal-b.ts'
import { EXTRAS } from './portal-b-advert.ts'

type Filters = Parameters<typeof portalB.search.start>[0]

const MADRID = { id: '724_M_28079', label: 'Madrid' }
const VIGO = { id: '724_PO_36057', label: 'Vigo' }
const CONTEXT: SearchContext = {
  place: {
    id: 'ES-36057',
    name: 'Vigo',
    names: ['Vigo'],
    type: 'municipality',
    parentId: 'ES-PO',
    country: 'ES',
    latitude: 42.24,
    longitude: -8.72,
    population: 293_977,
  },
  since: null,
}
const KINDS = portalB.operations.flatMap(operation =>
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
  return portalB.search.read(page, filters, CONTEXT)
}

async function search(filters: Filters, request: PortalRequest = portalB.search.start(filters, CONTEXT)) {
  return readSearch(await fetchPage(request.path), filters)
}

/** The results of a search, for tests in which anything else is a failure. */
async function searchCards(filters: Filters, request?: PortalRequest) {
  const reading = await search(filters, request)
  if (reading.kind !== 'page') throw new Error(`unreadable: ${reading.detail}`)
  return { ...reading, cards: reading.cards.map(card => ({ ...card, listing: card.listing! })) }
}

async function detail(path: string) {
  return portalB.details!.read(await fetchPage(path))
}

function truthOf(listingId: string): Advert {
  const advert = simulator.advert(advertIdOf(listingId) ?? '')
  if (!advert) throw new Error(`no advert ${listingId}`)
  return advert
}

/** What the portal can say of an advert: its vocabulary is smaller than the advertiser's. */
function shownOf(advert: Advert) {
  const { floor, bedrooms, bathrooms } = advert
  return {
    operation: advert.operation,
    propertyType: advert.propertyType,
    description: advert.description,
    price: advert.price,
    currency: 'EUR',
    squareMeters: advert.squareMeters,
    rooms: bedrooms,
    bedrooms,
    bathrooms: bathrooms || null,
    floor: floor === null || floor > 10 ? null : floor,
    condition: advert.condition,
    municipality: advert.city,
    province: advert.province,
    postcode: advert.postcode,
    latitude: advert.latitude,
    longitude: advert.longitude,
    publishedAt: advert.publishedAt.toISOString(),
    contact: {
      name: advert.advertiser.name,
      phone: advert.advertiser.phone,
      email: null,
      advertiserType: advert.advertiser.type,
    },
  }
}

describe('what is read', () => {
  test.each(KINDS)('equals what was advertised: $operation of $propertyType', async kind => {
    const { cards } = await searchCards({ ...kind, location: VIGO })
    expect(cards.length).toBeGreaterThan(20)
    for (const { listingId, path, listing: card } of cards) {
      const advert = truthOf(listingId)
      const known = advert.features.filter(feature => feature in EXTRAS).toSorted()
      expect(card).toMatchObject({ ...shownOf(advert), title: null, address: streetOf(advert) })
      expect(card.features.toSorted()).toEqual(known)
      expect(card.images).toHaveLength(advert.photoCount)
      expect(portalB.listingPath.exec(path)?.groups).toEqual({ listingId })

      const reading = await detail(path)
      if (reading.kind !== 'listing') throw new Error(`${listingId} is ${reading.kind}`)
      const { listing } = reading
      expect(listing).toMatchObject({
        ...shownOf(advert),
        title: titleOf(advert),
        address: advert.address,
        url: card.url,
      })
      expect(listing.features.toSorted()).toEqual(known)
      expect(listing.images).toEqual(card.images)
    }
  })

  test('each value says that it was found in the state', async () => {
    const { cards } = await searchCards({ operation: 'sale', location: MADRID, features: ['lift'] })
    const fromState = { price: 'state', latitude: 'state', 'contact.phone': 'state', features: 'state' }
    expect(cards[0]).toMatchObject({ provenance: fromState })
    expect(await detail(cards[0]!.path)).toMatchObject({ provenance: { ...fromState, title: 'state' } })
  })

  test('the markup holds fewer adverts than are read', async () => {
    const { text } = await fetchPage(
      portalB.search.start({ operation: 'sale', location: MADRID }, CONTEXT).path,
    )
    expect(text.match(/text-display-3/g)).toHaveLength(5)
    expect(
      readSearch({ text, url: simulator.portalUrl('portal_b') }, { operation: 'sale', location: MADRID }),
    ).toMatchObject({
      cards: { length: 30 },
    })
  })

  test('following each page to its next meets every advert of the search once', async () => {
    const filters: Filters = { operation: 'rent', location: VIGO }
    const ids: string[] = []
    let total: number | null = null
    for (let requests = [portalB.search.start(filters, CONTEXT)]; requests.length > 0; ) {
      const reading = await searchCards(filters, requests.shift())
      ids.push(...reading.cards.map(card => card.listingId))
      requests.push(...reading.next)
      total ??= reading.total
    }
    const truth = simulator.advertsOf({ operation: 'rent', propertyType: 'homes', city: 'vigo' })
    expect(total).toBe(truth.length)
    expect(truth.length).toBeGreaterThan(60)
    expect(ids.toSorted()).toEqual(truth.map(({ id }) => listingIdOf(id)).toSorted())
  })

  test('a page behind the last has neither cards nor a next page', async () => {
    const { path } = portalB.search.start({ operation: 'rent', location: VIGO }, CONTEXT)
    const reading = await search(
      { operation: 'rent', location: VIGO },
      { path: path.replace('/l?', '/l/999?') },
    )
    expect(reading).toEqual({ kind: 'page', total: expect.any(Number), cards: [], next: [] })
  })

  test.each<[string, Filters]>([
    ['a price that nothing has', { operation: 'sale', location: VIGO, minPrice: 900_000_000 }],
    [
      'a place that nobody advertises in',
      { operation: 'sale', location: { id: '724_CE_51001', label: 'x' } },
    ],
  ])('a search without results is a page with none: %s', async (_what, filters) => {
    expect(await search(filters)).toEqual({ kind: 'page', total: 0, cards: [], next: [] })
  })

  test('the last page does not lead to another, unless the portal goes round in circles', async () => {
    const filters: Filters = { operation: 'sale', location: MADRID, minPrice: 1_300_000 }
    const last = await searchCards(filters)
    expect(last.cards.length).toBeGreaterThan(0)
    expect(last.next).toEqual([])
    simulator.faults.set({ portal: 'portal_b', kind: 'loop' })
    const again = await searchCards(filters)
    expect(again.next).toHaveLength(1)
    expect(await searchCards(filters, again.next[0])).toMatchObject({ cards: again.cards })
  })

  test('an advert that was withdrawn is gone, though the portal answers as if all were well', async () => {
    const { cards } = await searchCards({ operation: 'sale', location: MADRID })
    simulator.withdraw(advertIdOf(cards[7]!.listingId)!)
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
  test.each(kinds)('%s: a search is %s, an advert %s', async (kind, ofSearch, ofDetail) => {
    const filters: Filters = { operation: 'sale', location: MADRID }
    const { cards } = await searchCards(filters)
    simulator.faults.set({ portal: 'portal_b', kind })
    expect(await search(filters)).toMatchObject({ kind: 'unreadable', reason: ofSearch })
    expect(await detail(cards[0]!.path)).toMatchObject(
      ofDetail ? { kind: 'unreadable', reason: ofDetail } : { kind: 'listing' },
    )
  })

  test('a page of another kind is no search and no advert', async () => {
    const layout = { kind: 'unreadable', reason: 'layout' }
    for (const path of ['/es/comprar/castillos/madrid/todas-las-zonas/l', '/']) {
      const page = await fetchPage(path)
      expect(readSearch(page, { operation: 'sale', location: MADRID })).toMatchObject(layout)
      expect(portalB.details!.read(page)).toMatchObject(layout)
    }
  })

  test('adverts of which none has a price are a new layout', async () => {
    const filters: Filters = { operation: 'sale', location: VIGO }
    const { text, url } = await fetchPage(portalB.search.start(filters, CONTEXT).path)
    const page = { text: text.replaceAll(/\\"(rawPrice|price)\\":/g, '\\"x\\":'), url }
    expect(readSearch(page, filters)).toMatchObject({ kind: 'unreadable', reason: 'layout' })
  })

  test('pages cut short or with characters changed never make it fail', async () => {
    const filters: Filters = { operation: 'sale', location: VIGO, minPrice: 400_000, propertyType: 'homes' }
    const results = await fetchPage(portalB.search.start(filters, CONTEXT).path)
    const advert = await fetchPage((await searchCards(filters)).cards[0]!.path)
    // Styles and texts are most of a page, and nothing is read there.
    const pages = [results, advert].map(page => ({
      ...page,
      text: page.text.replace(/<style.*?<\/style>/s, '').replace(/<header.*?<script id=/s, '<script id='),
    }))
    const changes = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.string({ unit: 'binary', maxLength: 2 })),
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
            const at = Math.floor(share * whole.length)
            text = isCut ? text.slice(0, at) : text.slice(0, at) + change + text.slice(at + change.length)
          }
          expect(['page', 'unreadable']).toContain(readSearch({ text, url }, filters).kind)
          expect(['listing', 'gone', 'unreadable']).toContain(portalB.details!.read({ text, url }).kind)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('any value in any place of an advert is read or left out', () => {
    const leaf = fc.oneof(
      fc.constantFrom<unknown>(null, true, 0, -1, 1e308, '', '3', 'Flat', 'image', 'elevator', 13),
      fc.string({ unit: 'binary', maxLength: 6 }),
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
    const advert = fc.dictionary(fc.constantFrom(...keys), node, { maxKeys: 20 })
    fc.assert(
      fc.property(fc.array(advert, { maxLength: 3 }), node, (realEstates, count) => {
        const state = { initialSearch: { result: { count, realEstates } }, realEstate: realEstates[0] }
        const text = `<script id="__INITIAL_PROPS__" type="application/json">${JSON.stringify(state)}</script>`
        const page = { text, url: 'https://portal.example/es/comprar/vivienda/vigo/terraza/2100000001/d' }
        expect(['page', 'unreadable']).toContain(readSearch(page, { operation: 'sale', location: VIGO }).kind)
        expect(['listing', 'unreadable']).toContain(portalB.details!.read(page).kind)
      }),
      { numRuns: 1000 },
    )
  })
})
