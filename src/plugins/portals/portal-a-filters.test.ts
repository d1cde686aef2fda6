/**
 * The filters of portal A: the schema describes and validates them, and the simulator's portal applies each over
 * HTTP.
 */
import { Check } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import { allFeatures, type SimulatedListing } from '../../simulator/listing.ts'
import type { PortalRequest, SearchContext } from '../portal.ts'
import { portalA } from './portal-a.ts'

type Filters = Parameters<typeof portalA.search.start>[0]

const madrid = { id: 'madrid', label: 'Madrid' }
const vigo = { id: 'vigo', label: 'Vigo' }

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({})
})
afterAll(() => simulator.close())

const searchContext: SearchContext = {
  place: {
    id: 'ES-28079',
    name: 'Madrid',
    names: ['Madrid'],
    type: 'municipality',
    parentId: 'ES-M',
    country: 'ES',
    latitude: 40.4,
    longitude: -3.7,
    population: 3_300_000,
  },
  since: null,
}

/** Returns the portal's count of results, and the listings of all its pages. */
async function search(filters: Filters): Promise<{ total: number | null; listings: SimulatedListing[] }> {
  const listings: SimulatedListing[] = []
  let total: number | null = null
  const requests: PortalRequest[] = [portalA.search.start(filters, searchContext)]
  for (const { path } of requests) {
    const response = await fetch(simulator.portalUrl('portal_a') + path)
    const result = portalA.search.read(
      { text: await response.text(), url: response.url },
      filters,
      searchContext,
    )
    if (result.kind !== 'page') throw new Error(`no page of results: ${result.detail}`)
    total = result.total
    listings.push(...result.cards.map(card => simulator.findListing(card.listingId)!))
    requests.push(...result.next)
  }
  return { total, listings }
}

describe('the filters', () => {
  const schema = portalA.filters
  const minimal = { operation: 'sale', location: madrid }

  test.each(Object.entries(schema.properties))(
    '%s has a title and a description, and its examples are valid',
    (key, property) => {
      expect(property).toMatchObject({
        title: expect.any(String),
        description: expect.any(String),
        examples: [expect.anything()],
      })
      const { examples, default: byDefault } = property as object as {
        examples: unknown[]
        default?: unknown
      }
      for (const value of byDefault === undefined ? examples : [...examples, byDefault])
        expect(Check(schema, { ...minimal, [key]: value })).toBe(true)
    },
  )

  test.each([
    ['an unknown key', { ...minimal, minprice: 1 }],
    ['no operation', { location: madrid }],
    ['no location', { operation: 'sale' }],
    ['a location that would leave the path', { ...minimal, location: { id: '../admin', label: 'x' } }],
    ['an unknown feature', { ...minimal, features: ['sauna'] }],
    ['a price below zero', { ...minimal, minPrice: -1 }],
    ['half a room', { ...minimal, minRooms: 1.5 }],
    ['text for a number', { ...minimal, maxPrice: '100000' }],
    ['the word of another key', { ...minimal, operation: 'homes' }],
  ])('%s is refused', (_what, filters) => {
    expect(Check(schema, minimal)).toBe(true)
    expect(Check(schema, filters)).toBe(false)
  })

  test.each<[filters: Filters, path: string]>([
    [{ operation: 'sale', location: madrid }, '/venta/viviendas/madrid/'],
    [{ operation: 'rent', location: vigo, propertyType: 'garages' }, '/alquiler/garajes/vigo/'],
    [
      { operation: 'sale', location: vigo, propertyType: 'premises', advertiserType: 'any', features: [] },
      '/venta/locales/vigo/',
    ],
    [
      {
        operation: 'rent',
        location: madrid,
        minPrice: 500,
        features: ['lift', 'terrace'],
        advertiserType: 'private',
      },
      '/alquiler/viviendas/madrid/?minPrice=500&features=lift%2Cterrace&advertiserType=private',
    ],
    [
      { operation: 'sale', location: madrid, minPrice: 99_999.5, maxSquareMeters: 80.5 },
      '/venta/viviendas/madrid/?minPrice=100000&maxSquareMeters=80',
    ],
  ])('%j is requested at %s', (filters, path) => {
    expect(portalA.search.start(filters, searchContext)).toEqual({ path })
  })

  const narrowingFilters: [filters: Partial<Filters>, fits: (original: SimulatedListing) => boolean][] = [
    [{ minPrice: 400_000 }, original => original.price >= 400_000],
    [{ maxPrice: 200_000 }, original => original.price <= 200_000],
    [{ minRooms: 3 }, original => (original.bedrooms ?? 0) >= 3],
    [{ maxRooms: 1 }, original => (original.bedrooms ?? 9) <= 1],
    [{ minBathrooms: 2 }, original => (original.bathrooms ?? 0) >= 2],
    [{ minSquareMeters: 120 }, original => original.squareMeters >= 120],
    [{ maxSquareMeters: 60 }, original => original.squareMeters <= 60],
    [{ condition: 'to_renovate' }, original => original.condition === 'to_renovate'],
    [{ condition: 'new' }, original => original.condition === 'new'],
    [{ advertiserType: 'private' }, original => original.advertiser.type === 'private'],
    [
      { features: ['lift', 'parking'] },
      original => original.features.includes('lift') && original.features.includes('parking'),
    ],
    [{ publishedWithinDays: 7 }, original => original.publishedAt.getTime() >= Date.UTC(2026, 9, 25)],
    ...portalA.propertyTypes.map(
      (propertyType): [Partial<Filters>, (original: SimulatedListing) => boolean] => [
        { propertyType, operation: 'rent' },
        original => original.propertyType === propertyType && original.operation === 'rent',
      ],
    ),
  ]
  test.each(narrowingFilters)('%j is applied by the portal', async (filters, fits) => {
    const { operation = 'sale', propertyType = 'homes' } = filters
    const all = simulator.findListings({ operation, propertyType, city: 'vigo' })
    const expectedIds = all.filter(fits).map(({ id }) => id)
    const { total, listings } = await search({ operation: 'sale', location: vigo, ...filters })
    expect(expectedIds.length).toBeGreaterThan(0)
    expect(total).toBe(expectedIds.length)
    expect(listings.map(({ id }) => id).toSorted()).toEqual(expectedIds.toSorted())
  })

  test.each(allFeatures)('the portal knows the feature %s', async feature => {
    const { listings } = await search({ operation: 'sale', location: vigo, features: [feature] })
    expect(listings.length).toBeGreaterThan(0)
    for (const original of listings) expect(original.features).toContain(feature)
  })
})
