// The filters of portal A: the schema explains and guards them, and the simulator's portal honours each over HTTP.
import { Check } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Advert, FEATURES } from '../../simulator/advert.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { PortalRequest, SearchContext } from '../portal.ts'
import { portalA } from './portal-a.ts'

type Filters = Parameters<typeof portalA.search.start>[0]

const MADRID = { id: 'madrid', label: 'Madrid' }
const VIGO = { id: 'vigo', label: 'Vigo' }

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({})
})
afterAll(() => simulator.close())

const CONTEXT: SearchContext = {
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

/** The portal's count of results, and the adverts behind all its pages of them. */
async function search(filters: Filters): Promise<{ total: number | null; adverts: Advert[] }> {
  const adverts: Advert[] = []
  let total: number | null = null
  const requests: PortalRequest[] = [portalA.search.start(filters, CONTEXT)]
  for (const { path } of requests) {
    const reply = await fetch(simulator.portalUrl('portal_a') + path)
    const reading = portalA.search.read({ text: await reply.text(), url: reply.url }, filters, CONTEXT)
    if (reading.kind !== 'page') throw new Error(`no page of results: ${reading.detail}`)
    total = reading.total
    adverts.push(...reading.cards.map(card => simulator.advert(card.listingId)!))
    requests.push(...reading.next)
  }
  return { total, adverts }
}

describe('the filters', () => {
  const schema = portalA.filters
  const minimal = { operation: 'sale', location: MADRID }

  test.each(Object.entries(schema.properties))(
    '%s is explained, and its examples are valid',
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
    ['no operation', { location: MADRID }],
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
    [{ operation: 'sale', location: MADRID }, '/venta/viviendas/madrid/'],
    [{ operation: 'rent', location: VIGO, propertyType: 'garages' }, '/alquiler/garajes/vigo/'],
    [
      { operation: 'sale', location: VIGO, propertyType: 'premises', advertiserType: 'any', features: [] },
      '/venta/locales/vigo/',
    ],
    [
      {
        operation: 'rent',
        location: MADRID,
        minPrice: 500,
        features: ['lift', 'terrace'],
        advertiserType: 'private',
      },
      '/alquiler/viviendas/madrid/?minPrice=500&features=lift%2Cterrace&advertiserType=private',
    ],
    [
      { operation: 'sale', location: MADRID, minPrice: 99_999.5, maxSquareMeters: 80.5 },
      '/venta/viviendas/madrid/?minPrice=100000&maxSquareMeters=80',
    ],
  ])('%j is asked for at %s', (filters, path) => {
    expect(portalA.search.start(filters, CONTEXT)).toEqual({ path })
  })

  const narrowing: [filters: Partial<Filters>, fits: (advert: Advert) => boolean][] = [
    [{ minPrice: 400_000 }, advert => advert.price >= 400_000],
    [{ maxPrice: 200_000 }, advert => advert.price <= 200_000],
    [{ minRooms: 3 }, advert => (advert.bedrooms ?? 0) >= 3],
    [{ maxRooms: 1 }, advert => (advert.bedrooms ?? 9) <= 1],
    [{ minBathrooms: 2 }, advert => (advert.bathrooms ?? 0) >= 2],
    [{ minSquareMeters: 120 }, advert => advert.squareMeters >= 120],
    [{ maxSquareMeters: 60 }, advert => advert.squareMeters <= 60],
    [{ condition: 'to_renovate' }, advert => advert.condition === 'to_renovate'],
    [{ condition: 'new' }, advert => advert.condition === 'new'],
    [{ advertiserType: 'private' }, advert => advert.advertiser.type === 'private'],
    [
      { features: ['lift', 'parking'] },
      advert => advert.features.includes('lift') && advert.features.includes('parking'),
    ],
    [{ publishedWithinDays: 7 }, advert => advert.publishedAt.getTime() >= Date.UTC(2026, 9, 25)],
    ...portalA.propertyTypes.map((propertyType): [Partial<Filters>, (advert: Advert) => boolean] => [
      { propertyType, operation: 'rent' },
      advert => advert.propertyType === propertyType && advert.operation === 'rent',
    ]),
  ]
  test.each(narrowing)('%j is honoured by the portal', async (filters, fits) => {
    const { operation = 'sale', propertyType = 'homes' } = filters
    const all = simulator.advertsOf({ operation, propertyType, city: 'vigo' })
    const wanted = all.filter(fits).map(({ id }) => id)
    const { total, adverts } = await search({ operation: 'sale', location: VIGO, ...filters })
    expect(wanted.length).toBeGreaterThan(0)
    expect(total).toBe(wanted.length)
    expect(adverts.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted())
  })

  test.each(FEATURES)('the feature %s is known to the portal', async feature => {
    const { adverts } = await search({ operation: 'sale', location: VIGO, features: [feature] })
    expect(adverts.length).toBeGreaterThan(0)
    for (const advert of adverts) expect(advert.features).toContain(feature)
  })
})
