import { Check } from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  CONTEXT,
  type Filters,
  MADRID,
  type OpenPortalH,
  openPortalH,
  PLACE,
  VIGO,
} from '../../../test/portal-h-samples.ts'
import type { Simulator } from '../../simulator/index.ts'
import type { Search as TrueSearch } from '../../simulator/search.ts'
import type { FactsCard } from '../portal.ts'
import { portalH } from './portal-h.ts'

let portal: OpenPortalH
let simulator: Simulator
beforeAll(async () => {
  portal = await openPortalH()
  simulator = portal.simulator
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

/** All pages of an alert. */
async function allPages(filters: Filters) {
  const pages = [await portal.page(filters)]
  while (pages.at(-1)!.next[0]) pages.push(await portal.page(filters, pages.at(-1)!.next[0]))
  return { total: pages[0]!.total, cards: pages.flatMap(({ cards }) => cards), pages: pages.length }
}

function trueIds(search: Partial<TrueSearch>): string[] {
  const adverts = simulator.advertsOf({ operation: 'sale', propertyType: 'homes', city: 'vigo', ...search })
  return adverts.map(advert => `AL${advert.id}`)
}

describe('what is read', () => {
  const kinds = portalH.operations.flatMap(operation =>
    portalH.propertyTypes.map(propertyType => ({ operation, propertyType })),
  )
  test.each(kinds)('equals what was advertised: $operation of $propertyType', async kind => {
    const { cards } = await portal.page({ ...MADRID, ...kind })
    expect(cards).toHaveLength(50)
    for (const { listingId, path, changedAt, listing: card } of cards as FactsCard[]) {
      const advert = simulator.advert(listingId.slice(2))!
      const { type, name } = advert.advertiser
      const shown = {
        ...kind,
        title: advert.title,
        price: advert.price,
        currency: 'EUR',
        squareMeters: advert.squareMeters,
        bedrooms: advert.bedrooms,
        bathrooms: advert.bathrooms,
        municipality: advert.city,
        latitude: advert.latitude,
        longitude: advert.longitude,
        url: simulator.portalUrl('portal_h') + path,
      }
      expect(card).toMatchObject({
        ...shown,
        publishedAt: advert.publishedAt.toISOString(),
        contact: { name: type === 'private' ? null : name, advertiserType: type, phone: null },
      })
      expect(card.images).toHaveLength(1)
      expect(changedAt).toBe(advert.updatedAt.toISOString())
      const words = advert.description.replaceAll('\n\n', ' ')
      expect(words.startsWith(card.description!.replace(/…$/, ''))).toBe(true)
      expect(portalH.listingPath.exec(path)?.groups).toEqual({ listingId })

      const reading = await portal.detail({ path })
      if (reading.kind !== 'listing') throw new Error(`${listingId} is ${reading.kind}`)
      expect(reading.listing).toMatchObject({
        ...shown,
        description: advert.description,
        floor: advert.floor,
        condition: advert.condition,
        address: advert.address,
        province: advert.province,
        postcode: advert.postcode,
        contact: { name, phone: advert.advertiser.phone, advertiserType: type },
      })
      expect(reading.listing.features.toSorted()).toEqual(advert.features.toSorted())
      expect(reading.listing.images).toHaveLength(advert.photoCount)
    }
  })

  test('each value says where it was found', async () => {
    const { cards } = await portal.page(MADRID)
    expect(cards[0]).toMatchObject({ provenance: { price: 'feed', publishedAt: 'feed', latitude: 'feed' } })
    expect(await portal.detail(cards[0]!)).toMatchObject({
      provenance: { price: 'markup', latitude: 'opengraph', 'contact.phone': 'markup' },
    })
  })

  test('an advert that was withdrawn is gone', async () => {
    const { cards } = await portal.page({ ...MADRID, propertyType: 'garages' })
    simulator.withdraw(cards[0]!.listingId.slice(2))
    expect((await portal.get({ path: cards[0]!.path })).status).toBe(410)
    expect(await portal.detail(cards[0]!)).toEqual({ kind: 'gone' })
  })
})

describe('paging', () => {
  test('shows every advert of a small search once, newest first, and ends', async () => {
    const filters: Filters = { ...VIGO, operation: 'rent' }
    const { total, cards, pages } = await allPages(filters)
    const expected = trueIds({ operation: 'rent' })
    expect(pages).toBeGreaterThan(1)
    expect(cards.map(card => card.listingId)).toEqual(expected)
    expect(total).toBe(expected.length)
  })

  test('stops at the newest 200 of a large one, and says how many there are', async () => {
    const { total, cards, pages } = await allPages(MADRID)
    const expected = trueIds({ city: 'madrid' })
    expect(pages).toBe(4)
    expect(cards.map(card => card.listingId)).toEqual(expected.slice(0, 200))
    expect(total).toBe(expected.length)
    expect(total).toBeGreaterThan(200)
    expect(portalH.search.covers).toBe('latest')
  })

  test('an alert without adverts is a page with none', async () => {
    expect(await portal.read({ ...VIGO, minPrice: 900_000_000 })).toEqual({
      kind: 'page',
      total: 0,
      cards: [],
      next: [],
    })
    const nowhere = { id: 'mun-99999', label: 'x' }
    expect(await portal.read({ ...VIGO, location: nowhere })).toEqual({
      kind: 'page',
      total: 0,
      cards: [],
      next: [],
    })
  })

  test('a portal that goes in circles shows the same page again and again', async () => {
    simulator.faults.set({ portal: 'portal_h', kind: 'loop' })
    const first = await portal.page(VIGO)
    const second = await portal.page(VIGO, first.next[0])
    expect(second.cards).toEqual(first.cards)
    expect(second.next).not.toEqual([])
  })

  test('an alert that has not changed is not sent again', async () => {
    const address = new URL(portalH.search.start(VIGO, CONTEXT).path, simulator.portalUrl('portal_h'))
    const etag = (await fetch(address)).headers.get('etag')!
    expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304)
    simulator.change(simulator.advertsOf({ operation: 'sale', propertyType: 'homes', city: 'vigo' })[0]!.id, {
      price: 123_456,
    })
    expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(200)
    const [card] = (await portal.page(VIGO)).cards
    expect(card).toMatchObject({ changedAt: '2026-11-01T00:00:02.000Z', listing: { price: 123_456 } })
  })
})

describe('the filters', () => {
  test.each<[string, Partial<Filters>, Partial<TrueSearch>]>([
    ['operation', { operation: 'rent' }, { operation: 'rent' }],
    ['location', { location: { id: 'mun-18087', label: 'Granada' } }, { city: 'granada' }],
    ['a province', { location: { id: 'prov-PO', label: 'Pontevedra' } }, { city: 'pontevedra-provincia' }],
    ['propertyType', { propertyType: 'premises' }, { propertyType: 'premises' }],
    ['minPrice', { minPrice: 399_999.5 }, { minPrice: 400_000 }],
    ['maxPrice', { maxPrice: 120_000.5 }, { maxPrice: 120_000 }],
    ['minRooms', { minRooms: 4 }, { minRooms: 4 }],
    ['minSquareMeters', { minSquareMeters: 109.5 }, { minSquareMeters: 110 }],
    ['advertiserType private', { advertiserType: 'private' }, { advertiserType: 'private' }],
    ['advertiserType agency', { advertiserType: 'agency' }, { advertiserType: 'agency' }],
    ['advertiserType any', { advertiserType: 'any' }, {}],
  ])('%s finds what it should, and nothing else', async (_name, filters, search) => {
    const { cards, total } = await allPages({ ...VIGO, ...filters })
    const expected = trueIds(search)
    expect(expected.length).toBeGreaterThan(0)
    expect(total).toBe(expected.length)
    expect(cards.map(card => card.listingId)).toEqual(expected.slice(0, 200))
  })

  test.each(['maxRooms', 'minBathrooms', 'maxSquareMeters', 'condition', 'features', 'publishedWithinDays'])(
    '%s is unknown to the portal and refused',
    key => {
      expect(Check(portalH.filters, VIGO)).toBe(true)
      expect(Check(portalH.filters, { ...VIGO, [key]: key === 'features' ? [] : 1 })).toBe(false)
    },
  )

  test('the id of a place is told by its code', () => {
    const known = { ...PLACE, province: null, isNamesake: false }
    expect(portalH.locations.idOf(known)).toBe('mun-36057')
    expect(portalH.locations.idOf({ ...known, id: 'ES-PO', type: 'province' })).toBe('prov-PO')
  })
})
