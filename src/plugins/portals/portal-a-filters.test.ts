// The filters of portal A: the schema explains and guards them, and the simulator's portal honours each over HTTP.
import { Check } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Advert, FEATURES } from '../../simulator/advert.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import { portalA } from './portal-a.ts'

type Filters = Parameters<typeof portalA.searchPath>[0]

const MADRID = { id: 'madrid', label: 'Madrid' }
const VIGO = { id: 'vigo', label: 'Vigo' }

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({})
})
afterAll(() => simulator.close())

/** The portal's count of results, and the adverts behind the first page of them. */
async function search(filters: Filters): Promise<{ total: number; adverts: Advert[] }> {
  const reply = await fetch(simulator.portalUrl('portal_a') + portalA.searchPath(filters, 1))
  const reading = portalA.readSearchPage(await reply.text(), reply.url)
  if (reading.kind !== 'page' || reading.total === null) throw new Error('no page of results')
  return { total: reading.total, adverts: reading.cards.map(card => simulator.advert(card.listingId)!) }
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

  test.each<[filters: Filters, page: number, path: string]>([
    [{ operation: 'sale', location: MADRID }, 1, '/venta/viviendas/madrid/'],
    [{ operation: 'rent', location: VIGO, propertyType: 'garages' }, 3, '/alquiler/garajes/vigo/?page=3'],
    [
      { operation: 'sale', location: VIGO, propertyType: 'premises', advertiserType: 'any', features: [] },
      1,
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
      2,
      '/alquiler/viviendas/madrid/?minPrice=500&features=lift%2Cterrace&advertiserType=private&page=2',
    ],
  ])('%j, page %d', (filters, page, path) => {
    expect(portalA.searchPath(filters, page)).toBe(path)
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
    const all = await search({ operation: 'sale', location: MADRID })
    const { total, adverts } = await search({ operation: 'sale', location: MADRID, ...filters })
    expect(total).toBeGreaterThan(0)
    expect(total).toBeLessThan(all.total)
    expect(adverts.filter(advert => !fits(advert))).toEqual([])
  })

  test.each(FEATURES)('the feature %s is known to the portal', async feature => {
    const { adverts } = await search({ operation: 'sale', location: MADRID, features: [feature] })
    expect(adverts.length).toBeGreaterThan(0)
    for (const advert of adverts) expect(advert.features).toContain(feature)
  })
})
