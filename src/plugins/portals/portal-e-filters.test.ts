// The filters and places of portal E: the search is done by the definition itself, so that each is held against the truth.
import { Check } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Filters, filtersOf, placeOf, readFeed, SPAIN, VIGO } from '../../../test/portal-e-samples.ts'
import type { Place } from '../../domain/location/place.ts'
import { FEATURES } from '../../simulator/advert.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { Search as TrueSearch } from '../../simulator/search.ts'
import type { FactsCard } from '../portal.ts'
import { portalE } from './portal-e.ts'

const SMALL_WORLD = 1500

let simulator: Simulator
let cards: FactsCard[]
beforeAll(async () => {
  simulator = await startSimulator({ adverts: SMALL_WORLD })
  const { items, end } = await readFeed(simulator.portalUrl('portal_e'))
  expect(end).toBeNull()
  cards = items.map(item => item.card!)
})
afterAll(() => simulator.close())

function idsOf(filters: Filters, place = VIGO): string[] {
  return cards
    .filter(card => portalE.search.matches(card, filters, { place, since: null }))
    .map(card => card.listingId)
    .sort()
}

function trueIds(search: Partial<TrueSearch>): string[] {
  const adverts = simulator.advertsOf({ operation: 'sale', propertyType: 'homes', city: 'vigo', ...search })
  return adverts.map(advert => `E${advert.id}`).sort()
}

describe('the filters', () => {
  test.each<[string, Partial<Filters>, Partial<TrueSearch>]>([
    ['operation', { operation: 'rent' }, { operation: 'rent' }],
    ['propertyType', { propertyType: 'offices' }, { propertyType: 'offices' }],
    ['minPrice', { minPrice: 200_000.5 }, { minPrice: 200_001 }],
    ['maxPrice', { maxPrice: 150_000.5 }, { maxPrice: 150_000 }],
    ['minRooms', { minRooms: 3 }, { minRooms: 3 }],
    ['no rooms at least', { minRooms: 0, maxRooms: 0 }, { minRooms: 0, maxRooms: 0 }],
    ['maxRooms', { maxRooms: 2 }, { maxRooms: 2 }],
    ['minBathrooms', { minBathrooms: 2 }, { minBathrooms: 2 }],
    ['minSquareMeters', { minSquareMeters: 90 }, { minSquareMeters: 90 }],
    ['maxSquareMeters', { maxSquareMeters: 70 }, { maxSquareMeters: 70 }],
    ['condition new', { condition: 'new' }, { condition: 'new' }],
    ['condition good', { condition: 'good' }, { condition: 'good' }],
    ['condition to_renovate', { condition: 'to_renovate' }, { condition: 'to_renovate' }],
    ['features', { features: ['lift', 'fitted_wardrobes'] }, { features: ['lift', 'fitted_wardrobes'] }],
    ['advertiserType private', { advertiserType: 'private' }, { advertiserType: 'private' }],
    ['advertiserType agency', { advertiserType: 'agency' }, { advertiserType: 'agency' }],
    ['advertiserType any', { advertiserType: 'any' }, {}],
    [
      'several at once',
      { operation: 'rent', minPrice: 500, maxPrice: 1200, minRooms: 2, features: ['exterior'] },
      { operation: 'rent', minPrice: 500, maxPrice: 1200, minRooms: 2, features: ['exterior'] },
    ],
  ])('%s finds what it should, and nothing else', (_name, filters, search) => {
    const expected = trueIds(search)
    expect(expected.length).toBeGreaterThan(0)
    expect(idsOf(filtersOf(filters))).toEqual(expected)
  })

  test('each feature finds what states it', () => {
    const features = FEATURES.filter(feature => Check(portalE.filters, filtersOf({ features: [feature] })))
    expect(features).toEqual(FEATURES)
    for (const feature of features) {
      const expected = cards.filter(({ listingId }) => {
        const advert = simulator.advert(listingId.slice(1))!
        return (
          advert.operation === 'sale' && advert.propertyType === 'homes' && advert.features.includes(feature)
        )
      })
      expect(expected.length).toBeGreaterThan(0)
      expect(idsOf(filtersOf({ features: [feature] }), SPAIN), feature).toEqual(
        expected.map(card => card.listingId).sort(),
      )
    }
  })

  test('when an advert was published is not known, so that it is no filter', () => {
    expect(Check(portalE.filters, filtersOf({}))).toBe(true)
    expect(Check(portalE.filters, { ...filtersOf({}), publishedWithinDays: 7 })).toBe(false)
  })

  test('a bound leaves out what does not state the figure, and prices in another currency', () => {
    const [card] = cards as [FactsCard]
    const base = { operation: card.listing.operation!, propertyType: card.listing.propertyType! }
    const found = (change: Partial<FactsCard['listing']>, more: Partial<Filters>) =>
      portalE.search.matches(
        { ...card, listing: { ...card.listing, ...change } },
        filtersOf({ ...base, ...more }),
        {
          place: SPAIN,
          since: null,
        },
      )
    expect(found({}, { minPrice: 0 })).toBe(true)
    expect(found({ price: null }, {})).toBe(true)
    expect(found({ price: null }, { minPrice: 0 })).toBe(false)
    expect(found({ currency: 'GBP' }, { minPrice: 0 })).toBe(false)
    expect(found({ bedrooms: null }, { minRooms: 0 })).toBe(false)
    expect(
      found({ contact: { ...card.listing.contact, advertiserType: null } }, { advertiserType: 'agency' }),
    ).toBe(false)
  })
})

describe('places', () => {
  test('a province holds its towns, the country everything', () => {
    const province = placeOf('province', 'Pontevedra', 42.4, -8.6)
    expect(idsOf(filtersOf({}), province)).toEqual(trueIds({ city: 'pontevedra-provincia' }))
    const all = cards.filter(
      ({ listing }) => listing.operation === 'sale' && listing.propertyType === 'homes',
    )
    expect(idsOf(filtersOf({}), SPAIN)).toHaveLength(all.length)
  })

  test.each<[string, Place, string]>([
    [
      'by another of its names',
      placeOf('municipality', 'València', 39.4697, -0.3774, 'Valencia'),
      'valencia',
    ],
    [
      'by one half of a double name',
      placeOf('municipality', 'Alacant/Alicante', 38.3452, -0.481),
      'alicante',
    ],
    ['without its accent', placeOf('municipality', 'CORDOBA', 37.8882, -4.7794), 'cordoba'],
    [
      'by the co-official name of its province',
      placeOf('province', 'Vizcaya', 43.2, -2.9, 'Bizkaia'),
      'bilbao',
    ],
  ])('a place is known %s', (_how, place, city) => {
    const expected = trueIds({ city })
    expect(expected.length).toBeGreaterThan(0)
    expect(idsOf(filtersOf({}), place)).toEqual(expected)
  })

  test('a namesake far away is another town', () => {
    expect(idsOf(filtersOf({}), placeOf('municipality', 'Vigo', 37, -4))).toEqual([])
  })

  test('a name is the same with its article behind it, and another without', () => {
    const listing = { ...cards[0]!.listing, operation: 'sale', propertyType: 'homes' } as const
    const found = (municipality: string | null, name: string) =>
      portalE.search.matches(
        { ...cards[0]!, listing: { ...listing, municipality, latitude: null, longitude: null } },
        filtersOf({}),
        { place: placeOf('municipality', name, 43, -8), since: null },
      )
    expect(found('Coruña, A', 'A Coruña')).toBe(true)
    expect(found("L'Hospitalet de Llobregat", 'Hospitalet de Llobregat, L’')).toBe(true)
    expect(found('Rinconada', 'La Rinconada')).toBe(false)
    expect(found(null, 'A Coruña')).toBe(false)
  })
})

test('the id of a place is that of no other', () => {
  const known = (type: Place['type'], name: string, province: Place | null) =>
    portalE.locations.idOf({ ...placeOf(type, name, 0, 0), province, isNamesake: false })
  const granada = placeOf('province', 'Granada', 37, -3)
  const ids = [
    known('country', 'España', null),
    known('province', 'Granada', granada),
    known('municipality', 'Granada', granada),
    known('municipality', 'Almuñécar', granada),
    known('municipality', 'Ceuta', null),
  ]
  expect(ids).toEqual([
    'spain',
    'spain_granada',
    'spain_granada_granada',
    'spain_granada_almunecar',
    'spain_ceuta',
  ])
})
