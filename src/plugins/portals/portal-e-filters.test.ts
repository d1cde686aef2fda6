/**
 * The filters and places of portal E: the definition itself filters the feed, and each filter is compared with the
 * simulator's data.
 */
import { Check } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Filters,
  makeFilters,
  makePlace,
  readFeed,
  spain,
  vigoPlace,
} from '../../../test/portal-e-harness.ts'
import type { Place } from '../../domain/location/place.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import { allFeatures } from '../../simulator/listing.ts'
import type { Search as SimulatorSearch } from '../../simulator/search.ts'
import type { FactsCard } from '../portal.ts'
import { portalE } from './portal-e.ts'

const listingCount = 1500

let simulator: Simulator
let cards: FactsCard[]
beforeAll(async () => {
  simulator = await startSimulator({ listings: listingCount })
  const { items, end } = await readFeed(simulator.portalUrl('portal_e'))
  expect(end).toBeNull()
  cards = items.map(item => item.card!)
})
afterAll(() => simulator.close())

function toIds(filters: Filters, place = vigoPlace): string[] {
  return cards
    .filter(card => portalE.search.matches(card, filters, { place, since: null }))
    .map(card => card.listingId)
    .sort()
}

function listExpectedIds(search: Partial<SimulatorSearch>): string[] {
  const listings = simulator.findListings({
    operation: 'sale',
    propertyType: 'homes',
    city: 'vigo',
    ...search,
  })
  return listings.map(original => `E${original.id}`).sort()
}

describe('the filters', () => {
  test.each<[string, Partial<Filters>, Partial<SimulatorSearch>]>([
    ['operation', { operation: 'rent' }, { operation: 'rent' }],
    ['propertyType', { propertyType: 'offices' }, { propertyType: 'offices' }],
    ['minPrice', { minPrice: 200_000.5 }, { minPrice: 200_001 }],
    ['maxPrice', { maxPrice: 150_000.5 }, { maxPrice: 150_000 }],
    ['minRooms', { minRooms: 3 }, { minRooms: 3 }],
    ['minRooms and maxRooms 0', { minRooms: 0, maxRooms: 0 }, { minRooms: 0, maxRooms: 0 }],
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
  ])('%s finds the matching listings, and no others', (_name, filters, search) => {
    const expected = listExpectedIds(search)
    expect(expected.length).toBeGreaterThan(0)
    expect(toIds(makeFilters(filters))).toEqual(expected)
  })

  test('each feature finds the listings that state it', () => {
    const features = allFeatures.filter(feature =>
      Check(portalE.filters, makeFilters({ features: [feature] })),
    )
    expect(features).toEqual(allFeatures)
    for (const feature of features) {
      const expected = cards.filter(({ listingId }) => {
        const original = simulator.findListing(listingId.slice(1))!
        return (
          original.operation === 'sale' &&
          original.propertyType === 'homes' &&
          original.features.includes(feature)
        )
      })
      expect(expected.length).toBeGreaterThan(0)
      expect(toIds(makeFilters({ features: [feature] }), spain), feature).toEqual(
        expected.map(card => card.listingId).sort(),
      )
    }
  })

  test('there is no filter by publication date, which the feed lacks', () => {
    expect(Check(portalE.filters, makeFilters({}))).toBe(true)
    expect(Check(portalE.filters, { ...makeFilters({}), publishedWithinDays: 7 })).toBe(false)
  })

  test('a bound excludes listings without the value, and prices in another currency', () => {
    const [card] = cards as [FactsCard]
    const baseFilters = { operation: card.listing.operation!, propertyType: card.listing.propertyType! }
    const isFound = (change: Partial<FactsCard['listing']>, more: Partial<Filters>) =>
      portalE.search.matches(
        { ...card, listing: { ...card.listing, ...change } },
        makeFilters({ ...baseFilters, ...more }),
        {
          place: spain,
          since: null,
        },
      )
    expect(isFound({}, { minPrice: 0 })).toBe(true)
    expect(isFound({ price: null }, {})).toBe(true)
    expect(isFound({ price: null }, { minPrice: 0 })).toBe(false)
    expect(isFound({ currency: 'GBP' }, { minPrice: 0 })).toBe(false)
    expect(isFound({ bedrooms: null }, { minRooms: 0 })).toBe(false)
    expect(
      isFound({ contact: { ...card.listing.contact, advertiserType: null } }, { advertiserType: 'agency' }),
    ).toBe(false)
  })
})

describe('places', () => {
  test('a province contains its towns, the country everything', () => {
    const province = makePlace('province', 'Pontevedra', 42.4, -8.6)
    expect(toIds(makeFilters({}), province)).toEqual(listExpectedIds({ city: 'pontevedra-provincia' }))
    const all = cards.filter(
      ({ listing }) => listing.operation === 'sale' && listing.propertyType === 'homes',
    )
    expect(toIds(makeFilters({}), spain)).toHaveLength(all.length)
  })

  test.each<[string, Place, string]>([
    [
      'by an alternative name',
      makePlace('municipality', 'València', 39.4697, -0.3774, 'Valencia'),
      'valencia',
    ],
    [
      'by one part of a double name',
      makePlace('municipality', 'Alacant/Alicante', 38.3452, -0.481),
      'alicante',
    ],
    ['without its accent', makePlace('municipality', 'CORDOBA', 37.8882, -4.7794), 'cordoba'],
    [
      'by the co-official name of its province',
      makePlace('province', 'Vizcaya', 43.2, -2.9, 'Bizkaia'),
      'bilbao',
    ],
  ])('a place is found %s', (_how, place, city) => {
    const expected = listExpectedIds({ city })
    expect(expected.length).toBeGreaterThan(0)
    expect(toIds(makeFilters({}), place)).toEqual(expected)
  })

  test('a town of the same name far away is another town', () => {
    expect(toIds(makeFilters({}), makePlace('municipality', 'Vigo', 37, -4))).toEqual([])
  })

  test('a name matches with its article after it, but not without the article', () => {
    const listing = { ...cards[0]!.listing, operation: 'sale', propertyType: 'homes' } as const
    const isFound = (municipality: string | null, name: string) =>
      portalE.search.matches(
        { ...cards[0]!, listing: { ...listing, municipality, latitude: null, longitude: null } },
        makeFilters({}),
        { place: makePlace('municipality', name, 43, -8), since: null },
      )
    expect(isFound('Coruña, A', 'A Coruña')).toBe(true)
    expect(isFound("L'Hospitalet de Llobregat", 'Hospitalet de Llobregat, L’')).toBe(true)
    expect(isFound('Rinconada', 'La Rinconada')).toBe(false)
    expect(isFound(null, 'A Coruña')).toBe(false)
  })
})

test('ids of places are unique', () => {
  const known = (type: Place['type'], name: string, province: Place | null) =>
    portalE.locations.toPortalId({ ...makePlace(type, name, 0, 0), province, isNamesake: false })
  const granada = makePlace('province', 'Granada', 37, -3)
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
