// The adverts of Portugal and Italy, beside those of Spain: places, phones and texts are of their country.
import { isValidPhoneNumber } from 'libphonenumber-js/max'
import { describe, expect, test } from 'vitest'
import type { Advert } from './advert.ts'
import { CITIES_OF, kilometresBetween } from './places.ts'
import { createWorld } from './world.ts'

const asOf = Date.parse('2026-11-01T00:00:00Z')
const world = await createWorld({ seed: 1, asOf })
const countries = [
  {
    country: 'PT',
    calling: '+351',
    postcode: /^\d{4}-\d{3}$/,
    title: /^(Apartamento|Estúdio) T\d .*para (venda|arrendar) em |^(Escritório|Loja|Lugar de garagem) para /,
    description: /Vende-se|Arrenda-se|área bruta/,
    agencies: /imobiliárias/,
  },
  {
    country: 'IT',
    calling: '+39',
    postcode: /^\d{5}$/,
    title:
      /^(Monolocale|Bilocale|Trilocale|Quadrilocale|Appartamento|Attico|Ufficio|Locale commerciale|Box auto) .*in (vendita|affitto) in /,
    description: /mq commerciali/,
    agencies: /agenzie/i,
  },
] as const

describe.each(countries)('$country', expected => {
  const { country } = expected
  const adverts = [...world.published(country)].map(world.advert)

  test('has three thousand adverts, in all its cities, of every operation and kind', () => {
    expect(adverts).toHaveLength(3000)
    for (const { slug } of CITIES_OF[country])
      for (const operation of ['sale', 'rent'] as const)
        for (const propertyType of ['homes', 'offices', 'premises', 'garages'] as const) {
          const found = world.select({ operation, propertyType, city: slug }).map(world.advert)
          expect(found.length).toBeGreaterThan(0)
          expect(found.every(one => one.country === country && one.citySlug === slug)).toBe(true)
        }
  })

  test('has valid phones of its own: one each for people, one for all adverts of an agency', () => {
    const [privates, agencies] = (['private', 'agency'] as const).map(type =>
      adverts.filter(one => one.advertiser.type === type),
    ) as [Advert[], Advert[]]
    expect(new Set(privates.map(one => one.advertiser.phone)).size).toBe(privates.length)
    const byAgency = Map.groupBy(agencies, one => `${one.advertiser.name}, ${one.city}`)
    expect(new Set(agencies.map(one => one.advertiser.phone)).size).toBe(byAgency.size)
    for (const { advertiser } of adverts) {
      expect(advertiser.phone.startsWith(expected.calling)).toBe(true)
      expect([advertiser.phone, isValidPhoneNumber(advertiser.phone)]).toEqual([advertiser.phone, true])
    }
  })

  test('has its own postcodes, near the centre of the city', () => {
    for (const { latitude, longitude, citySlug, postcode } of adverts) {
      const city = CITIES_OF[country].find(one => one.slug === citySlug)!
      expect(kilometresBetween(latitude, longitude, city)).toBeLessThan(14)
      expect(postcode).toMatch(expected.postcode)
    }
  })

  test('writes in its own language, every gap filled in', () => {
    for (const { title, description, agenciesAbstain } of adverts) {
      expect(title).toMatch(expected.title)
      expect(description).toMatch(expected.description)
      expect(`${title} ${description}`).not.toMatch(/undefined|null|NaN|[{}]/)
      if (agenciesAbstain) expect(description).toMatch(expected.agencies)
    }
  })
})

describe('worlds of another size', () => {
  test('have as many Spanish adverts as asked for, the first of them as ever, each with an id of its own', async () => {
    const large = await createWorld({ seed: 1, asOf, adverts: 50_000 })
    const ids = [...large.published()].map(index => large.figures(index).id)
    expect(new Set(ids).size).toBe(50_000)
    expect(large.advert(7)).toEqual(world.advert(7))
    expect(large.key).not.toBe(world.key)
  })

  test('have the same adverts abroad', async () => {
    const small = await createWorld({ seed: 1, asOf, adverts: 10 })
    const abroad = (of: typeof world) => [...of.published('PT'), ...of.published('IT')].map(of.advert)
    expect([...small.published()]).toHaveLength(10)
    expect(abroad(small)).toEqual(abroad(world))
  })
})
