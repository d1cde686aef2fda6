/**
 * The definition of portal C reads the simulator's interface over HTTP: it must return exactly what the simulator
 * advertises.
 */
import { Check } from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  context,
  type Filters,
  madridLocation,
  type OpenPortalC,
  openPortalC,
  pontevedraLocation,
  vigoLocation,
} from '../../../test/portal-c-harness.ts'
import type { Simulator } from '../../simulator/index.ts'
import type { SimulatedListing } from '../../simulator/listing.ts'
import type { Search } from '../../simulator/search.ts'
import type { PortalRequest, SearchPlace } from '../portal.ts'
import { portalC } from './portal-c.ts'

const kindPairs = portalC.operations.flatMap(operation =>
  portalC.propertyTypes.map(propertyType => ({ operation, propertyType })),
)

let portal: OpenPortalC
let simulator: Simulator
beforeAll(async () => {
  portal = await openPortalC()
  simulator = portal.simulator
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

/** The ids of all listings of a search, from all pages. */
async function fetchAllIds(filters: Filters): Promise<string[]> {
  const ids: string[] = []
  let next: PortalRequest[] = [portalC.search.start(filters, context)]
  while (next[0]) {
    const result = await portal.searchCards(filters, next[0])
    ids.push(...result.cards.map(({ listingId }) => listingId))
    next = result.next
  }
  return ids
}

const toCode = ({ id }: SimulatedListing) => `9${id}`

function getOriginal(listingId: string): SimulatedListing {
  const original = simulator.findListing(listingId.slice(1))
  if (!original) throw new Error(`no listing ${listingId}`)
  return original
}

describe('what is read', () => {
  test.each(kindPairs)('equals what was advertised: $operation of $propertyType', async kind => {
    const { cards } = await portal.searchCards({ ...kind, location: vigoLocation })
    expect(cards.length).toBeGreaterThan(20)
    for (const { listingId, path, changedAt, listing: card } of cards) {
      const original = getOriginal(listingId)
      const shown = {
        ...kind,
        title: original.title,
        price: original.price,
        currency: 'EUR',
        squareMeters: original.squareMeters,
        rooms: original.bedrooms,
        bedrooms: original.bedrooms,
        bathrooms: original.bathrooms,
        condition: original.condition,
        floor: original.floor,
        address: original.address,
        municipality: original.city,
        province: original.province,
        postcode: null,
        latitude: original.latitude,
        longitude: original.longitude,
        url: `${simulator.portalUrl('portal_c')}${path}`,
        publishedAt: original.publishedAt.toISOString(),
        contact: {
          name: original.advertiser.name,
          phone: original.advertiser.phone,
          phoneRaw: original.advertiser.phone,
          email: null,
          advertiserType: original.advertiser.type,
        },
      }
      expect(card).toMatchObject(shown)
      expect(changedAt).toBe(original.updatedAt.toISOString())
      expect(original.features).toEqual(expect.arrayContaining(card.features))
      expect(card.images).toHaveLength(1)
      expect(portalC.listingPath.exec(path)?.groups).toEqual({ listingId })

      const result = await portal.readDetail(listingId)
      if (result.kind !== 'listing') throw new Error(`${listingId} is ${result.kind}`)
      expect(result.listing).toMatchObject({ ...shown, description: original.description })
      expect(result.listing.features.toSorted()).toEqual(original.features.toSorted())
      expect(result.listing.images).toHaveLength(original.photoCount)
    }
  })

  test('every value of a listing comes from the interface, except the currency, which is fixed', async () => {
    const { cards } = await portal.searchCards({ operation: 'sale', location: madridLocation })
    const { url, currency, ...found } = cards[0]!.provenance
    expect({ url, currency }).toEqual({ url: 'url', currency: 'portal' })
    expect(new Set(Object.values(found))).toEqual(new Set(['api']))
  })

  test('the pages of a search hold every listing once, newest first, and each has the total', async () => {
    const filters: Filters = { operation: 'rent', location: vigoLocation }
    const originals = simulator.findListings({ operation: 'rent', propertyType: 'homes', city: 'vigo' })
    expect(originals.length).toBeGreaterThan(100)
    expect(await fetchAllIds(filters)).toEqual(originals.map(toCode))
    const first = await portal.searchCards(filters)
    expect([first.total, (await portal.searchCards(filters, first.next[0])).total]).toEqual([
      originals.length,
      originals.length,
    ])
    const { path, form } = portalC.search.start(filters, context)
    expect(await portal.search(filters, { path, form: { ...form, numPage: '999' } })).toMatchObject({
      cards: [],
      next: [],
    })
  })

  test('a search without results is an empty page', async () => {
    for (const location of [vigoLocation, { id: '0-EU-ES-01-001', label: 'Alegría' }])
      expect(await portal.search({ operation: 'sale', location, minPrice: 900_000_000 })).toEqual({
        kind: 'page',
        total: 0,
        cards: [],
        next: [],
      })
  })

  test('a withdrawn listing is reported as gone, and is no longer found', async () => {
    const filters: Filters = { operation: 'sale', location: madridLocation }
    const { cards } = await portal.searchCards(filters)
    const { listingId } = cards[0]!
    simulator.withdraw(listingId.slice(1))
    expect(await portal.readDetail(listingId)).toEqual({ kind: 'gone' })
    expect(await fetchAllIds(filters)).not.toContain(listingId)
  })
})

describe('the filters', () => {
  const vigo: Search = { operation: 'sale', propertyType: 'homes', city: 'vigo' }
  test.each<[Partial<Filters>, Partial<Search>]>([
    [{}, {}],
    [
      { propertyType: 'offices', operation: 'rent' },
      { propertyType: 'offices', operation: 'rent' },
    ],
    [
      { minPrice: 150_000.5, maxPrice: 300_000.5 },
      { minPrice: 150_001, maxPrice: 300_000 },
    ],
    [{ minRooms: 0 }, { minRooms: 0 }],
    [{ minRooms: 4 }, { minRooms: 4 }],
    [{ maxRooms: 0 }, { maxRooms: 0 }],
    [
      { minRooms: 2, maxRooms: 3 },
      { minRooms: 2, maxRooms: 3 },
    ],
    [{ minBathrooms: 2 }, { minBathrooms: 2 }],
    [{ minBathrooms: 3 }, { minBathrooms: 3 }],
    [
      { minSquareMeters: 60.2, maxSquareMeters: 90.7 },
      { minSquareMeters: 61, maxSquareMeters: 90 },
    ],
    [{ condition: 'new' }, { condition: 'new' }],
    [{ condition: 'good' }, { condition: 'good' }],
    [{ condition: 'to_renovate' }, { condition: 'to_renovate' }],
    ...([1, 2, 7, 30] as const).map((publishedWithinDays): [Partial<Filters>, Partial<Search>] => [
      { publishedWithinDays },
      { publishedWithinDays },
    ]),
    ...(
      [
        'lift',
        'terrace',
        'parking',
        'pool',
        'air_conditioning',
        'storage_room',
        'fitted_wardrobes',
        'exterior',
      ] as const
    ).map((feature): [Partial<Filters>, Partial<Search>] => [
      { features: [feature] },
      { features: [feature] },
    ]),
    [{ features: ['lift', 'terrace'] }, { features: ['lift', 'terrace'] }],
    [{ location: pontevedraLocation }, { city: 'pontevedra-provincia' }],
  ])('%j finds the matching listings', async (filters, originals) => {
    const requested: Filters = { operation: 'sale', location: vigoLocation, ...filters }
    expect(Check(portalC.filters, requested)).toBe(true)
    const expected = simulator.findListings({ ...vigo, ...originals }).map(toCode)
    expect(expected.length).toBeGreaterThan(0)
    expect(await fetchAllIds(requested)).toEqual(expected)
  })

  test.each([
    ['minRooms above the highest count of the portal', { minRooms: 5 }],
    ['maxRooms at the count that means "or more"', { maxRooms: 4 }],
    ['minBathrooms above the highest count of the portal', { minBathrooms: 4 }],
    ['a publication age that the portal does not offer', { publishedWithinDays: 3 }],
    ['a feature without a parameter', { features: ['balcony'] }],
    ['a key that it does not know', { advertiserType: 'private' }],
    ['half a room', { minRooms: 1.5 }],
  ])('%s is refused', (_what, filters) => {
    expect(Check(portalC.filters, { operation: 'sale', location: vigoLocation, ...filters })).toBe(false)
  })

  test.each(Object.entries(portalC.filters.properties))(
    '%s has a title and a description, and its examples are valid',
    (key, property) => {
      const { title, description, examples } = property as unknown as Record<string, unknown>
      expect([title, description]).toEqual([expect.any(String), expect.any(String)])
      for (const value of examples as unknown[])
        expect(Check(portalC.filters, { operation: 'sale', location: vigoLocation, [key]: value })).toBe(true)
    },
  )

  test('towns and provinces have ids made of their official codes', () => {
    const toPortalId = (id: string, type: 'municipality' | 'province') =>
      portalC.locations.toPortalId({ id, type } as SearchPlace)
    expect(toPortalId('ES-36057', 'municipality')).toBe(vigoLocation.id)
    expect(toPortalId('ES-PO', 'province')).toBe(pontevedraLocation.id)
  })
})
