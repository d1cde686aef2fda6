/** Listings in Portugal and Italy have places, phones and texts of their country. */
import { isValidPhoneNumber } from 'libphonenumber-js/max'
import { describe, expect, test } from 'vitest'
import type { SimulatedListing } from './listing.ts'
import { citiesByCountry, kilometersBetween } from './places.ts'
import { createWorld } from './world.ts'

const asOf = Date.parse('2026-11-01T00:00:00Z')
const world = await createWorld({ seed: 1, asOf })
const countries = [
  {
    country: 'PT',
    callingCode: '+351',
    postcode: /^\d{4}-\d{3}$/,
    title: /^(Apartamento|Estúdio) T\d .*para (venda|arrendar) em |^(Escritório|Loja|Lugar de garagem) para /,
    description: /Vende-se|Arrenda-se|área bruta/,
    noAgencies: /imobiliárias/,
  },
  {
    country: 'IT',
    callingCode: '+39',
    postcode: /^\d{5}$/,
    title:
      /^(Monolocale|Bilocale|Trilocale|Quadrilocale|Appartamento|Attico|Ufficio|Locale commerciale|Box auto) .*in (vendita|affitto) in /,
    description: /mq commerciali/,
    noAgencies: /agenzie/i,
  },
] as const

describe.each(countries)('$country', expected => {
  const { country } = expected
  const listings = [...world.published(country)].map(world.listing)

  test('has three thousand listings, in all its cities, of every operation and type', () => {
    expect(listings).toHaveLength(3000)
    for (const { slug } of citiesByCountry[country])
      for (const operation of ['sale', 'rent'] as const)
        for (const propertyType of ['homes', 'offices', 'premises', 'garages'] as const) {
          const found = world.select({ operation, propertyType, city: slug }).map(world.listing)
          expect(found.length).toBeGreaterThan(0)
          expect(found.every(one => one.country === country && one.citySlug === slug)).toBe(true)
        }
  })

  test('has valid phones: a unique one for each person, one for all listings of an agency', () => {
    const [privates, agencies] = (['private', 'agency'] as const).map(type =>
      listings.filter(one => one.advertiser.type === type),
    ) as [SimulatedListing[], SimulatedListing[]]
    expect(new Set(privates.map(one => one.advertiser.phone)).size).toBe(privates.length)
    const byAgency = Map.groupBy(agencies, one => `${one.advertiser.name}, ${one.city}`)
    expect(new Set(agencies.map(one => one.advertiser.phone)).size).toBe(byAgency.size)
    for (const { advertiser } of listings) {
      expect(advertiser.phone.startsWith(expected.callingCode)).toBe(true)
      expect([advertiser.phone, isValidPhoneNumber(advertiser.phone)]).toEqual([advertiser.phone, true])
    }
  })

  test('has postcodes of the country and coordinates near the centre of the city', () => {
    for (const { latitude, longitude, citySlug, postcode } of listings) {
      const city = citiesByCountry[country].find(one => one.slug === citySlug)!
      expect(kilometersBetween(latitude, longitude, city)).toBeLessThan(14)
      expect(postcode).toMatch(expected.postcode)
    }
  })

  test('has texts in its language, with every placeholder filled', () => {
    for (const { title, description, statesNoAgencies } of listings) {
      expect(title).toMatch(expected.title)
      expect(description).toMatch(expected.description)
      expect(`${title} ${description}`).not.toMatch(/undefined|null|NaN|[{}]/)
      if (statesNoAgencies) expect(description).toMatch(expected.noAgencies)
    }
  })
})

describe('worlds of another size', () => {
  test('have the given number of Spanish listings, the first of them unchanged, with unique ids', async () => {
    const large = await createWorld({ seed: 1, asOf, listings: 50_000 })
    const ids = [...large.published()].map(index => large.attributes(index).id)
    expect(new Set(ids).size).toBe(50_000)
    expect(large.listing(7)).toEqual(world.listing(7))
    expect(large.key).not.toBe(world.key)
  })

  test('have the same listings in other countries', async () => {
    const small = await createWorld({ seed: 1, asOf, listings: 10 })
    const listForeign = ({ published, listing }: typeof world) =>
      [...published('PT'), ...published('IT')].map(listing)
    expect([...small.published()]).toHaveLength(10)
    expect(listForeign(small)).toEqual(listForeign(world))
  })
})
