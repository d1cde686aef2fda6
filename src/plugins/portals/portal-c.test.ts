// The definition of portal C against the simulator's interface, over HTTP: what is read equals what was advertised.
import { Check } from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  CONTEXT,
  type Filters,
  MADRID,
  type OpenPortalC,
  openPortalC,
  PONTEVEDRA,
  VIGO,
} from '../../../test/portal-c-samples.ts'
import type { Advert } from '../../simulator/advert.ts'
import type { Simulator } from '../../simulator/index.ts'
import type { Search } from '../../simulator/search.ts'
import type { KnownPlace, PortalRequest } from '../portal.ts'
import { portalC } from './portal-c.ts'

const KINDS = portalC.operations.flatMap(operation =>
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

/** Ids of all adverts of a search, page after page. */
async function allIds(filters: Filters): Promise<string[]> {
  const ids: string[] = []
  let next: PortalRequest[] = [portalC.search.start(filters, CONTEXT)]
  while (next[0]) {
    const reading = await portal.searchCards(filters, next[0])
    ids.push(...reading.cards.map(({ listingId }) => listingId))
    next = reading.next
  }
  return ids
}

const codeOf = ({ id }: Advert) => `9${id}`

function truthOf(listingId: string): Advert {
  const advert = simulator.advert(listingId.slice(1))
  if (!advert) throw new Error(`no advert ${listingId}`)
  return advert
}

describe('what is read', () => {
  test.each(KINDS)('equals what was advertised: $operation of $propertyType', async kind => {
    const { cards } = await portal.searchCards({ ...kind, location: VIGO })
    expect(cards.length).toBeGreaterThan(20)
    for (const { listingId, path, changedAt, listing: card } of cards) {
      const advert = truthOf(listingId)
      const shown = {
        ...kind,
        title: advert.title,
        price: advert.price,
        currency: 'EUR',
        squareMeters: advert.squareMeters,
        rooms: advert.bedrooms,
        bedrooms: advert.bedrooms,
        bathrooms: advert.bathrooms,
        condition: advert.condition,
        floor: advert.floor,
        address: advert.address,
        municipality: advert.city,
        province: advert.province,
        postcode: null,
        latitude: advert.latitude,
        longitude: advert.longitude,
        url: `${simulator.portalUrl('portal_c')}${path}`,
        publishedAt: advert.publishedAt.toISOString(),
        contact: {
          name: advert.advertiser.name,
          phone: advert.advertiser.phone,
          phoneRaw: advert.advertiser.phone,
          email: null,
          advertiserType: advert.advertiser.type,
        },
      }
      expect(card).toMatchObject(shown)
      expect(changedAt).toBe(advert.updatedAt.toISOString())
      expect(advert.features).toEqual(expect.arrayContaining(card.features))
      expect(card.images).toHaveLength(1)
      expect(portalC.listingPath.exec(path)?.groups).toEqual({ listingId })

      const reading = await portal.detail(listingId)
      if (reading.kind !== 'listing') throw new Error(`${listingId} is ${reading.kind}`)
      expect(reading.listing).toMatchObject({ ...shown, description: advert.description })
      expect(reading.listing.features.toSorted()).toEqual(advert.features.toSorted())
      expect(reading.listing.images).toHaveLength(advert.photoCount)
    }
  })

  test('every value of an advert was found in the interface, but the currency, which is that of all', async () => {
    const { cards } = await portal.searchCards({ operation: 'sale', location: MADRID })
    const { url, currency, ...found } = cards[0]!.provenance
    expect({ url, currency }).toEqual({ url: 'url', currency: 'portal' })
    expect(new Set(Object.values(found))).toEqual(new Set(['api']))
  })

  test('the pages of a search hold every advert once, newest first, and each tells the total', async () => {
    const filters: Filters = { operation: 'rent', location: VIGO }
    const truth = simulator.advertsOf({ operation: 'rent', propertyType: 'homes', city: 'vigo' })
    expect(truth.length).toBeGreaterThan(100)
    expect(await allIds(filters)).toEqual(truth.map(codeOf))
    const first = await portal.searchCards(filters)
    expect([first.total, (await portal.searchCards(filters, first.next[0])).total]).toEqual([
      truth.length,
      truth.length,
    ])
    const { path, form } = portalC.search.start(filters, CONTEXT)
    expect(await portal.search(filters, { path, form: { ...form, numPage: '999' } })).toMatchObject({
      cards: [],
      next: [],
    })
  })

  test('a search without results is a page with none', async () => {
    for (const location of [VIGO, { id: '0-EU-ES-01-001', label: 'Alegría' }])
      expect(await portal.search({ operation: 'sale', location, minPrice: 900_000_000 })).toEqual({
        kind: 'page',
        total: 0,
        cards: [],
        next: [],
      })
  })

  test('an advert that was withdrawn is gone, and no longer found', async () => {
    const filters: Filters = { operation: 'sale', location: MADRID }
    const { cards } = await portal.searchCards(filters)
    const { listingId } = cards[0]!
    simulator.withdraw(listingId.slice(1))
    expect(await portal.detail(listingId)).toEqual({ kind: 'gone' })
    expect(await allIds(filters)).not.toContain(listingId)
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
    [{ location: PONTEVEDRA }, { city: 'pontevedra-provincia' }],
  ])('%j finds what it asks for', async (filters, truth) => {
    const asked: Filters = { operation: 'sale', location: VIGO, ...filters }
    expect(Check(portalC.filters, asked)).toBe(true)
    const expected = simulator.advertsOf({ ...vigo, ...truth }).map(codeOf)
    expect(expected.length).toBeGreaterThan(0)
    expect(await allIds(asked)).toEqual(expected)
  })

  test.each([
    ['fewest rooms beyond the counts that it tells apart', { minRooms: 5 }],
    ['most rooms where it knows only "or more"', { maxRooms: 4 }],
    ['bathrooms likewise', { minBathrooms: 4 }],
    ['days other than its own', { publishedWithinDays: 3 }],
    ['a feature that it cannot be asked for', { features: ['balcony'] }],
    ['a key that it does not know', { advertiserType: 'private' }],
    ['half a room', { minRooms: 1.5 }],
  ])('%s are refused', (_what, filters) => {
    expect(Check(portalC.filters, { operation: 'sale', location: VIGO, ...filters })).toBe(false)
  })

  test.each(Object.entries(portalC.filters.properties))(
    '%s is explained, and its examples are valid',
    (key, property) => {
      const { title, description, examples } = property as unknown as Record<string, unknown>
      expect([title, description]).toEqual([expect.any(String), expect.any(String)])
      for (const value of examples as unknown[])
        expect(Check(portalC.filters, { operation: 'sale', location: VIGO, [key]: value })).toBe(true)
    },
  )

  test('towns and provinces have ids of their own, from their official codes', () => {
    const idOf = (id: string, type: 'municipality' | 'province') =>
      portalC.locations.idOf({ id, type } as KnownPlace)
    expect(idOf('ES-36057', 'municipality')).toBe(VIGO.id)
    expect(idOf('ES-PO', 'province')).toBe(PONTEVEDRA.id)
  })
})
