/** Generated listings are plausible: prices follow place, size and condition; advertisers are private or agencies. */
import { isValidPhoneNumber } from 'libphonenumber-js/max'
import { describe, expect, test } from 'vitest'
import type { SimulatedListing } from './listing.ts'
import { kilometersBetween, spanishCities } from './places.ts'
import { createWorld } from './world.ts'

const world = await createWorld({ seed: 1, asOf: Date.parse('2026-11-01T00:00:00Z') })
const listings = [...world.published()].map(world.listing)
const listHomes = (city: string, operation: SimulatedListing['operation'] = 'sale') =>
  listings.filter(one => one.propertyType === 'homes' && one.operation === operation && one.citySlug === city)
const perSquareMeter = (listing: SimulatedListing) => listing.price / listing.squareMeters
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!

function computeCorrelation(pairs: readonly (readonly [number, number])[]): number {
  const x = mean(pairs.map(pair => pair[0]))
  const y = mean(pairs.map(pair => pair[1]))
  const covariance = mean(pairs.map(pair => (pair[0] - x) * (pair[1] - y)))
  const deviation = (side: 0 | 1, centre: number) =>
    Math.sqrt(mean(pairs.map(pair => (pair[side] - centre) ** 2)))
  return covariance / deviation(0, x) / deviation(1, y)
}

test('twenty thousand listings have unique ids', () => {
  expect(listings).toHaveLength(20_000)
  expect(new Set(listings.map(listing => listing.id)).size).toBe(20_000)
})

describe('prices', () => {
  test.each(['sale', 'rent'] as const)('grow with size (%s)', operation => {
    const pairs = listHomes('madrid', operation).map(
      one => [Math.log(one.squareMeters), Math.log(one.price)] as const,
    )
    expect(computeCorrelation(pairs)).toBeGreaterThan(0.6)
  })

  test.each(['zaragoza', 'valladolid', 'murcia'])(
    'per square metre fall with the distance from the centre of %s',
    slug => {
      const centre = spanishCities.find(city => city.slug === slug)!
      const pairs = listHomes(slug).map(
        one =>
          [kilometersBetween(one.latitude, one.longitude, centre), Math.log(perSquareMeter(one))] as const,
      )
      expect(computeCorrelation(pairs)).toBeLessThan(-0.2)
    },
  )

  test('differ between cities and neighbourhoods as in reality', () => {
    const priceLevel = (list: SimulatedListing[]) => median(list.map(perSquareMeter))
    expect(priceLevel(listHomes('madrid'))).toBeGreaterThan(1.7 * priceLevel(listHomes('cordoba')))
    expect(priceLevel(listHomes('palma', 'rent'))).toBeGreaterThan(
      1.3 * priceLevel(listHomes('murcia', 'rent')),
    )
    const inQuarter = (name: string) => listHomes('madrid').filter(one => one.neighbourhood === name)
    expect(priceLevel(inQuarter('Recoletos'))).toBeGreaterThan(1.8 * priceLevel(inQuarter('Aluche')))
  })

  test('follow condition and lift', () => {
    const priceLevel = (matches: (listing: SimulatedListing) => boolean) =>
      median([...listHomes('madrid'), ...listHomes('barcelona')].filter(matches).map(perSquareMeter))
    expect(priceLevel(one => one.condition === 'new')).toBeGreaterThan(
      priceLevel(one => one.condition === 'good'),
    )
    expect(priceLevel(one => one.condition === 'good')).toBeGreaterThan(
      1.15 * priceLevel(one => one.condition === 'to_renovate'),
    )
    const isHigh = (one: SimulatedListing) => one.floor !== null && one.floor >= 4
    const hasLift = (one: SimulatedListing) => one.features.includes('lift')
    expect(priceLevel(one => isHigh(one) && hasLift(one))).toBeGreaterThan(
      1.1 * priceLevel(one => isHigh(one) && !hasLift(one)),
    )
  })

  test('are whole euros in the range of Spanish asking prices', () => {
    for (const { price, operation, propertyType } of listings) {
      expect(Number.isInteger(price)).toBe(true)
      if (propertyType !== 'homes') continue
      const [low, high] = operation === 'sale' ? [15_000, 4_000_000] : [120, 15_000]
      expect(price).toBeGreaterThan(low)
      expect(price).toBeLessThan(high)
    }
  })
})

describe('advertisers', () => {
  const privates = listings.filter(listing => listing.advertiser.type === 'private')
  const agencies = listings.filter(listing => listing.advertiser.type === 'agency')

  test('are private in about a quarter of the listings; some refuse calls from agencies', () => {
    expect(privates.length / listings.length).toBeCloseTo(0.25, 1)
    const withoutAgencies = listings.filter(listing => listing.statesNoAgencies)
    expect(withoutAgencies.length).toBeGreaterThan(1000)
    for (const { advertiser, description } of withoutAgencies) {
      expect(advertiser.type).toBe('private')
      expect(description).toMatch(/agencias|inmobiliarias/i)
    }
  })

  test('have valid Spanish phones: a unique one for each person, one for all listings of an agency', () => {
    expect(new Set(privates.map(one => one.advertiser.phone)).size).toBe(privates.length)
    const phoneByAgency = Map.groupBy(agencies, one => `${one.advertiser.name}, ${one.city}`)
    for (const group of phoneByAgency.values())
      expect(new Set(group.map(one => one.advertiser.phone)).size).toBe(1)
    expect(new Set(agencies.map(one => one.advertiser.phone)).size).toBe(phoneByAgency.size)
    const phones = new Set(listings.map(one => one.advertiser.phone))
    expect([...phones].filter(phone => !isValidPhoneNumber(phone))).toEqual([])
  })
})

test('places are near the centre of their city, with its postcode', () => {
  for (const { latitude, longitude, citySlug, postcode } of listings) {
    const city = spanishCities.find(one => one.slug === citySlug)!
    expect(kilometersBetween(latitude, longitude, city)).toBeLessThan(12)
    expect(city.neighbourhoods.some(one => one.postcode === postcode)).toBe(true)
  }
})

test('dates are before the present of the world', () => {
  for (const { publishedAt } of listings) expect(publishedAt.getTime()).toBeLessThanOrEqual(world.asOf)
})

test('every text has its placeholders filled', () => {
  for (const { title, description, advertiser } of listings) {
    expect(`${title} ${description} ${advertiser.name}`).not.toMatch(/undefined|null|NaN|[{}]/)
  }
})
