/**
 * The definition of portal H reads the simulator's alerts over HTTP: it must return exactly what the simulator
 * advertises.
 */
import { Check } from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  context,
  type Filters,
  madridFilters,
  type OpenPortalH,
  openPortalH,
  place,
  vigoFilters,
} from '../../../test/portal-h-harness.ts'
import type { Simulator } from '../../simulator/index.ts'
import type { Search as SimulatorSearch } from '../../simulator/search.ts'
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

/** Reads all pages of an alert. */
async function fetchAllPages(filters: Filters) {
  const pages = [await portal.searchCards(filters)]
  while (pages.at(-1)!.next[0]) pages.push(await portal.searchCards(filters, pages.at(-1)!.next[0]))
  return { total: pages[0]!.total, cards: pages.flatMap(({ cards }) => cards), pages: pages.length }
}

function listExpectedIds(search: Partial<SimulatorSearch>): string[] {
  const listings = simulator.findListings({
    operation: 'sale',
    propertyType: 'homes',
    city: 'vigo',
    ...search,
  })
  return listings.map(original => `AL${original.id}`)
}

describe('what is read', () => {
  const kinds = portalH.operations.flatMap(operation =>
    portalH.propertyTypes.map(propertyType => ({ operation, propertyType })),
  )
  test.each(kinds)('equals what was advertised: $operation of $propertyType', async kind => {
    const { cards } = await portal.searchCards({ ...madridFilters, ...kind })
    expect(cards).toHaveLength(50)
    for (const { listingId, path, changedAt, listing: card } of cards as FactsCard[]) {
      const original = simulator.findListing(listingId.slice(2))!
      const { type, name } = original.advertiser
      const shown = {
        ...kind,
        title: original.title,
        price: original.price,
        currency: 'EUR',
        squareMeters: original.squareMeters,
        bedrooms: original.bedrooms,
        bathrooms: original.bathrooms,
        municipality: original.city,
        latitude: original.latitude,
        longitude: original.longitude,
        url: simulator.portalUrl('portal_h') + path,
      }
      expect(card).toMatchObject({
        ...shown,
        publishedAt: original.publishedAt.toISOString(),
        contact: { name: type === 'private' ? null : name, advertiserType: type, phone: null },
      })
      expect(card.images).toHaveLength(1)
      expect(changedAt).toBe(original.updatedAt.toISOString())
      const words = original.description.replaceAll('\n\n', ' ')
      expect(words.startsWith(card.description!.replace(/…$/, ''))).toBe(true)
      expect(portalH.listingPath.exec(path)?.groups).toEqual({ listingId })

      const result = await portal.readDetail({ path })
      if (result.kind !== 'listing') throw new Error(`${listingId} is ${result.kind}`)
      expect(result.listing).toMatchObject({
        ...shown,
        description: original.description,
        floor: original.floor,
        condition: original.condition,
        address: original.address,
        province: original.province,
        postcode: original.postcode,
        contact: { name, phone: original.advertiser.phone, advertiserType: type },
      })
      expect(result.listing.features.toSorted()).toEqual(original.features.toSorted())
      expect(result.listing.images).toHaveLength(original.photoCount)
    }
  })

  test('each value has its provenance', async () => {
    const { cards } = await portal.searchCards(madridFilters)
    expect(cards[0]).toMatchObject({ provenance: { price: 'feed', publishedAt: 'feed', latitude: 'feed' } })
    expect(await portal.readDetail(cards[0]!)).toMatchObject({
      provenance: { price: 'markup', latitude: 'opengraph', 'contact.phone': 'markup' },
    })
  })

  test('a withdrawn listing is reported as gone', async () => {
    const { cards } = await portal.searchCards({ ...madridFilters, propertyType: 'garages' })
    simulator.withdraw(cards[0]!.listingId.slice(2))
    expect((await portal.fetchDocument({ path: cards[0]!.path })).status).toBe(410)
    expect(await portal.readDetail(cards[0]!)).toEqual({ kind: 'gone' })
  })
})

describe('paging', () => {
  test('returns every listing of a small search once, newest first, and ends', async () => {
    const filters: Filters = { ...vigoFilters, operation: 'rent' }
    const { total, cards, pages } = await fetchAllPages(filters)
    const expected = listExpectedIds({ operation: 'rent' })
    expect(pages).toBeGreaterThan(1)
    expect(cards.map(card => card.listingId)).toEqual(expected)
    expect(total).toBe(expected.length)
  })

  test('stops at the newest 200 of a large search, and has the total', async () => {
    const { total, cards, pages } = await fetchAllPages(madridFilters)
    const expected = listExpectedIds({ city: 'madrid' })
    expect(pages).toBe(4)
    expect(cards.map(card => card.listingId)).toEqual(expected.slice(0, 200))
    expect(total).toBe(expected.length)
    expect(total).toBeGreaterThan(200)
    expect(portalH.search.coverage).toBe('latest')
  })

  test('an alert without listings is an empty page', async () => {
    expect(await portal.search({ ...vigoFilters, minPrice: 900_000_000 })).toEqual({
      kind: 'page',
      total: 0,
      cards: [],
      next: [],
    })
    const nowhere = { id: 'mun-99999', label: 'x' }
    expect(await portal.search({ ...vigoFilters, location: nowhere })).toEqual({
      kind: 'page',
      total: 0,
      cards: [],
      next: [],
    })
  })

  test('a looping portal repeats the same page', async () => {
    simulator.faults.add({ portal: 'portal_h', kind: 'loop' })
    const first = await portal.searchCards(vigoFilters)
    const second = await portal.searchCards(vigoFilters, first.next[0])
    expect(second.cards).toEqual(first.cards)
    expect(second.next).not.toEqual([])
  })

  test('an unchanged alert is not sent again', async () => {
    const address = new URL(portalH.search.start(vigoFilters, context).path, simulator.portalUrl('portal_h'))
    const etag = (await fetch(address)).headers.get('etag')!
    expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304)
    simulator.change(
      simulator.findListings({ operation: 'sale', propertyType: 'homes', city: 'vigo' })[0]!.id,
      {
        price: 123_456,
      },
    )
    expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(200)
    const [card] = (await portal.searchCards(vigoFilters)).cards
    expect(card).toMatchObject({ changedAt: '2026-11-01T00:00:02.000Z', listing: { price: 123_456 } })
  })
})

describe('the filters', () => {
  test.each<[string, Partial<Filters>, Partial<SimulatorSearch>]>([
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
  ])('%s finds the matching listings, and no others', async (_name, filters, search) => {
    const { cards, total } = await fetchAllPages({ ...vigoFilters, ...filters })
    const expected = listExpectedIds(search)
    expect(expected.length).toBeGreaterThan(0)
    expect(total).toBe(expected.length)
    expect(cards.map(card => card.listingId)).toEqual(expected.slice(0, 200))
  })

  test.each(['maxRooms', 'minBathrooms', 'maxSquareMeters', 'condition', 'features', 'publishedWithinDays'])(
    '%s, which the portal does not know, is refused',
    key => {
      expect(Check(portalH.filters, vigoFilters)).toBe(true)
      expect(Check(portalH.filters, { ...vigoFilters, [key]: key === 'features' ? [] : 1 })).toBe(false)
    },
  )

  test('the id of a place is made of its code', () => {
    const known = { ...place, province: null, isNamesake: false }
    expect(portalH.locations.toPortalId(known)).toBe('mun-36057')
    expect(portalH.locations.toPortalId({ ...known, id: 'ES-PO', type: 'province' })).toBe('prov-PO')
  })
})
