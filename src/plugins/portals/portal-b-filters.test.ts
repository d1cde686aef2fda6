/**
 * The filters and places of portal B: the schema describes and validates them, and the simulator's portal applies
 * each over HTTP.
 */
import { Check } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { Feature, SimulatedListing } from '../../simulator/listing.ts'
import { toWorldId } from '../../simulator/portal-b/words.ts'
import type { PortalRequest, SearchContext, SearchPlace } from '../portal.ts'
import { portalB } from './portal-b.ts'
import { extraFeatures } from './portal-b-listing.ts'

type Filters = Parameters<typeof portalB.search.start>[0]

const vigoPlace = { id: '724_PO_36057', label: 'Vigo' }
const provincePlace: SearchPlace = {
  id: 'ES-M',
  name: 'Madrid',
  names: ['Madrid'],
  type: 'province',
  parentId: 'ES-MD',
  country: 'ES',
  latitude: 40.4,
  longitude: -3.7,
  population: 7_000_000,
  province: null,
  isNamesake: false,
}
const townPlace: SearchPlace = {
  ...provincePlace,
  id: 'ES-28079',
  type: 'municipality',
  parentId: 'ES-M',
  province: provincePlace,
}
const searchContext: SearchContext = { place: townPlace, since: null }

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({})
})
afterAll(() => simulator.close())

/** Returns the portal's count of results, and the listings of all its pages. */
async function search(filters: Filters): Promise<{ total: number | null; listings: SimulatedListing[] }> {
  const listings: SimulatedListing[] = []
  let total: number | null = null
  const requests: PortalRequest[] = [portalB.search.start(filters, searchContext)]
  for (const { path } of requests) {
    const reply = await fetch(simulator.portalUrl('portal_b') + path)
    const result = portalB.search.read({ text: await reply.text(), url: reply.url }, filters, searchContext)
    if (result.kind !== 'page') throw new Error(`no page of results: ${result.detail}`)
    total = result.total
    listings.push(...result.cards.map(card => simulator.findListing(toWorldId(card.listingId)!)!))
    requests.push(...result.next)
  }
  return { total, listings }
}

describe('the filters', () => {
  const schema = portalB.filters
  const minimal = { operation: 'sale', location: vigoPlace }

  test.each(Object.entries(schema.properties))(
    '%s has a title and a description, and its examples are valid',
    (key, property) => {
      expect(property).toMatchObject({
        title: expect.any(String),
        description: expect.any(String),
        examples: [expect.anything()],
      })
      const { examples } = property as object as { examples: unknown[] }
      for (const value of examples) expect(Check(schema, { ...minimal, [key]: value })).toBe(true)
    },
  )

  test.each([
    ['an unknown key', { ...minimal, minprice: 1 }],
    ['no operation', { location: vigoPlace }],
    ['no location', { operation: 'sale' }],
    ['a feature that the portal does not know', { ...minimal, features: ['exterior'] }],
    ['a publication age that the portal does not offer', { ...minimal, publishedWithinDays: 3 }],
    ['a price below zero', { ...minimal, minPrice: -1 }],
    ['half a room', { ...minimal, minRooms: 1.5 }],
  ])('%s is refused', (_what, filters) => {
    expect(Check(schema, minimal)).toBe(true)
    expect(Check(schema, filters)).toBe(false)
  })

  test.each<[filters: Filters, path: string]>([
    [
      { operation: 'sale', location: vigoPlace },
      '/es/comprar/viviendas/espana/tu-zona-de-busqueda/l?combinedLocationIds=724_PO_36057&sortType=publicationDate',
    ],
    [
      {
        operation: 'rent',
        location: vigoPlace,
        propertyType: 'premises',
        minPrice: 499.5,
        maxSquareMeters: 80.5,
        features: ['lift', 'terrace'],
        advertiserType: 'private',
        condition: 'good',
        publishedWithinDays: 7,
      },
      '/es/alquiler/locales/espana/tu-zona-de-busqueda/l?combinedLocationIds=724_PO_36057&minPrice=500&maxSurface=80' +
        '&conservationStatusIds=1%2C2%2C3%2C6&extras=13%2C10&clientTypeId=1&publishedWithin=7&sortType=publicationDate',
    ],
  ])('%j is requested at %s', (filters, path) => {
    expect(portalB.search.start(filters, searchContext)).toEqual({ path })
  })

  const asOf = Date.UTC(2026, 10, 1)
  const narrowingFilters: [filters: Partial<Filters>, fits: (original: SimulatedListing) => boolean][] = [
    [{}, () => true],
    [{ minPrice: 400_000 }, original => original.price >= 400_000],
    [{ maxPrice: 200_000.5 }, original => original.price <= 200_000],
    [{ minRooms: 3 }, original => (original.bedrooms ?? 0) >= 3],
    [{ maxRooms: 1 }, original => (original.bedrooms ?? 9) <= 1],
    [{ minBathrooms: 2 }, original => (original.bathrooms ?? 0) >= 2],
    [{ minSquareMeters: 119.5 }, original => original.squareMeters >= 120],
    [{ maxSquareMeters: 60 }, original => original.squareMeters <= 60],
    [{ condition: 'new' }, original => original.condition === 'new'],
    [{ condition: 'good' }, original => original.condition === 'good'],
    [{ condition: 'to_renovate' }, original => original.condition === 'to_renovate'],
    [{ advertiserType: 'private' }, original => original.advertiser.type === 'private'],
    [{ advertiserType: 'agency' }, original => original.advertiser.type === 'agency'],
    [{ advertiserType: 'any' }, () => true],
    [
      { features: ['lift', 'parking'] },
      ({ features }) => features.includes('lift') && features.includes('parking'),
    ],
    ...([1, 7, 30] as const).map(
      (publishedWithinDays): [Partial<Filters>, (original: SimulatedListing) => boolean] => [
        { publishedWithinDays },
        original => original.publishedAt.getTime() >= asOf - publishedWithinDays * 86_400_000,
      ],
    ),
    ...(Object.keys(extraFeatures) as (Feature & keyof typeof extraFeatures)[]).map(
      (feature): [Partial<Filters>, (original: SimulatedListing) => boolean] => [
        { features: [feature] },
        original => original.features.includes(feature),
      ],
    ),
    ...portalB.propertyTypes.map(
      (propertyType): [Partial<Filters>, (original: SimulatedListing) => boolean] => [
        { propertyType, operation: 'rent' },
        () => true,
      ],
    ),
  ]
  test.each(narrowingFilters)('%j is applied by the portal', async (filters, fits) => {
    const { operation = 'sale', propertyType = 'homes' } = filters
    const all = simulator.findListings({ operation, propertyType, city: 'vigo' })
    const expectedIds = all.filter(fits).map(({ id }) => id)
    const { total, listings } = await search({ operation: 'sale', location: vigoPlace, ...filters })
    expect(expectedIds.length).toBeGreaterThan(0)
    expect(total).toBe(expectedIds.length)
    expect(listings.map(({ id }) => id).toSorted()).toEqual(expectedIds.toSorted())
  })
})

describe('the places', () => {
  const { toPortalId } = portalB.locations
  test('have the combined number of the portal, which its filters accept', () => {
    const ids = [
      toPortalId(townPlace),
      toPortalId(provincePlace),
      toPortalId({ ...townPlace, id: 'ES-51001', province: null }),
    ]
    expect(ids).toEqual(['724_M_28079', '724_M_0', '724_0_51001'])
    for (const id of ids)
      expect(Check(portalB.filters, { operation: 'sale', location: { id, label: 'x' } })).toBe(true)
  })

  test('a search of a province returns the listings of its towns', async () => {
    const { total } = await search({
      operation: 'sale',
      location: { id: toPortalId(provincePlace)!, label: 'x' },
      minPrice: 900_000,
    })
    const city = simulator.findListings({
      operation: 'sale',
      propertyType: 'homes',
      city: 'madrid',
      minPrice: 900_000,
    })
    expect(city.length).toBeGreaterThan(0)
    expect(total).toBe(city.length)
  })
})
