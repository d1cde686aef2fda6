/** The shipped gazetteer: its data are complete and correct, and its places are found by what people type. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { type Place, type PlaceCountry, parsePlaces } from '../../domain/location/place.ts'
import { foldName } from '../../domain/location/words.ts'
import { loadGazetteer } from './gazetteer.ts'

const gazetteer = loadGazetteer()
const places = gazetteer.listPlaces()

// Minimum and maximum latitude, then longitude: Portugal with the Azores, Spain with the Canary Islands.
const boxes: Record<PlaceCountry, [number, number, number, number]> = {
  ES: [27.6, 43.9, -18.3, 4.4],
  PT: [32.3, 42.2, -31.4, -6.1],
  IT: [35.4, 47.1, 6.6, 18.6],
}

function countPlaces(country: PlaceCountry, type: Place['type']): number {
  return places.filter(place => place.country === country && place.type === type).length
}

function distanceKm(place: Place, latitude: number, longitude: number): number {
  const east = (place.longitude - longitude) * Math.cos((latitude * Math.PI) / 180)
  return Math.hypot(place.latitude - latitude, east) * 111.2
}

describe('the data', () => {
  test('are read once', () => {
    expect(loadGazetteer()).toBe(gazetteer)
  })

  test('have the official number of divisions of each country', () => {
    const levels = ['region', 'province', 'municipality'] as const
    expect(levels.map(type => countPlaces('ES', type))).toEqual([19, 50, 8131])
    // Portugal has regions only on the islands, which govern themselves; each island replaces a district.
    expect(levels.map(type => countPlaces('PT', type))).toEqual([2, 29, 308])
    expect(levels.map(type => countPlaces('IT', type))).toEqual([20, 107, 7904])
  })

  test('no two places share an id or a label', () => {
    expect(new Set(places.map(place => place.id)).size).toBe(places.length)
    const labels = places.map(place => `${place.type} ${gazetteer.formatLabel(place)}`)
    expect(new Set(labels).size).toBe(places.length)
  })

  test('every place except a country lies in a place of a higher type in the same country', () => {
    const types = ['country', 'region', 'province', 'municipality']
    for (const place of places) {
      const parent = place.parentId ? gazetteer.find(place.parentId) : undefined
      if (place.type === 'country') expect(place.parentId).toBeNull()
      else {
        expect(parent?.country).toBe(place.country)
        expect(types.indexOf(parent!.type)).toBeLessThan(types.indexOf(place.type))
      }
    }
  })

  test('every municipality lies in a province, except for Ceuta and Melilla', () => {
    const exceptions = places.filter(
      place => place.type === 'municipality' && gazetteer.listAncestors(place)[0]?.type !== 'province',
    )
    expect(exceptions.map(place => place.id).sort()).toEqual(['ES-51001', 'ES-52001'])
  })

  test('municipalities have the codes of the national statistics offices', () => {
    const codes: Record<PlaceCountry, RegExp> = {
      ES: /^ES-(0[1-9]|[1-4]\d|5[0-2])\d{3}$/,
      PT: /^PT-\d{4}$/,
      IT: /^IT-\d{6}$/,
    }
    for (const { id, type, country } of places)
      if (type === 'municipality') expect(id).toMatch(codes[country])
  })

  test('every place lies in the bounding box of its country', () => {
    for (const { id, country, latitude, longitude } of places) {
      const [south, north, west, east] = boxes[country]
      const isInside = latitude > south && latitude < north && longitude > west && longitude < east
      expect(isInside, `${id} at ${latitude}, ${longitude}`).toBe(true)
    }
  })

  test('no municipality lies far from all its neighbours in the province, except for islands and Barrancos', () => {
    const byProvince = Map.groupBy(
      places.filter(({ type }) => type === 'municipality'),
      place => place.parentId!,
    )
    const far = [...byProvince.values()]
      .filter(neighbours => neighbours.length > 1)
      .flatMap(neighbours =>
        neighbours.filter(place =>
          neighbours.every(
            other => other === place || distanceKm(place, other.latitude, other.longitude) > 40,
          ),
        ),
      )
    expect(far.map(place => place.name).sort()).toEqual([
      'Barrancos',
      'Lampedusa e Linosa',
      'Pantelleria',
      'Ustica',
      'Ventotene',
    ])
  })

  test.each([
    ['Roma', 'IT-058091', 41.893, 12.483],
    ['Madrid', 'ES-28079', 40.417, -3.703],
    ['Barcelona', 'ES-08019', 41.383, 2.177],
    ['Milano', 'IT-015146', 45.464, 9.19],
    ['Napoli', 'IT-063049', 40.852, 14.268],
    ['Torino', 'IT-001272', 45.07, 7.687],
    ['Valencia', 'ES-46250', 39.47, -0.376],
    ['Sevilla', 'ES-41091', 37.389, -5.984],
    ['Zaragoza', 'ES-50297', 41.649, -0.889],
    ['Palermo', 'IT-082053', 38.116, 13.361],
    ['Lisboa', 'PT-1106', 38.722, -9.139],
    ['Porto', 'PT-1312', 41.15, -8.61],
    ['Cornellà de Llobregat', 'ES-08073', 41.355, 2.07],
    ['El Ejido', 'ES-04902', 36.776, -2.814],
  ])('%s has its true coordinates', (_, id, latitude, longitude) => {
    expect(distanceKm(gazetteer.find(id)!, latitude, longitude)).toBeLessThan(10)
  })

  test('a line without other names and population is read', () => {
    expect(parsePlaces('ES-1\tES\tmunicipality\tUno\t\t40.5\t-3.5\t\n')).toEqual([
      {
        id: 'ES-1',
        name: 'Uno',
        names: ['Uno'],
        type: 'municipality',
        parentId: 'ES',
        country: 'ES',
        latitude: 40.5,
        longitude: -3.5,
        population: null,
      },
    ])
  })
})

describe('the search', () => {
  test.each([
    ['barc', 'Barcelona, Barcelona'],
    ['BARCELONA', 'Barcelona, Barcelona'],
    ['barclona', 'Barcelona, Barcelona'],
    ['barcelona provincia', 'Barcelona provincia'],
    ['sant cug', 'Sant Cugat del Vallès, Barcelona'],
    ['san cugat', 'Sant Cugat del Vallès, Barcelona'],
    ["l'hosp", "L'Hospitalet de Llobregat, Barcelona"],
    ['hospitalet de llobregat', "L'Hospitalet de Llobregat, Barcelona"],
    ['lhospitalet', "L'Hospitalet de Llobregat, Barcelona"],
    ['villanueva de la c', 'Villanueva de la Cañada, Madrid'],
    ['madird', 'Madrid, Madrid'],
    ['sevila', 'Sevilla, Sevilla'],
    ['Seville', 'Sevilla, Sevilla'],
    ['valncia', 'València, València/Valencia'],
    ['Valencia', 'València, València/Valencia'],
    ['Donostia', 'Donostia/San Sebastián, Gipuzkoa'],
    ['san sebastian', 'Donostia/San Sebastián, Gipuzkoa'],
    ['coruña', 'A Coruña, A Coruña'],
    ['La Coruña', 'A Coruña, A Coruña'],
    ['elche', 'Elx/Elche, Alacant/Alicante'],
    ['gasteiz', 'Vitoria-Gasteiz, Araba/Álava'],
    ['lerida', 'Lleida, Lleida'],
    ['palma de mallorca', 'Palma, Illes Balears'],
    ['ibiza', 'Eivissa, Illes Balears'],
    ['zaragosa', 'Zaragoza, Zaragoza'],
    ['ceuta', 'Ceuta, España'],
    ['Catalonia', 'Cataluña/Catalunya, España'],
    ['euskadi', 'País Vasco/Euskadi, España'],
    ['rozas madrid', 'Las Rozas de Madrid, Madrid'],
    ['henares alcala', 'Alcalá de Henares, Madrid'],
    ['lis', 'Lisboa, Lisboa'],
    ['Lisbon', 'Lisboa, Lisboa'],
    ['lisboa distrito', 'Lisboa distrito'],
    ['oporto', 'Porto, Porto'],
    ['gaia', 'Vila Nova de Gaia, Porto'],
    ['setubal', 'Setúbal, Setúbal'],
    ['guimaraes', 'Guimarães, Braga'],
    ['azores', 'Açores, Portugal'],
    ['rome', 'Roma, Roma'],
    ['Milan', 'Milano, Milano'],
    ['florencia', 'Firenze, Firenze'],
    ['venzia', 'Venezia, Venezia'],
    ['palremo', 'Palermo, Palermo'],
    ['bozen', 'Bolzano/Bozen, Bolzano/Bozen'],
    ['laquila', "L'Aquila, L'Aquila"],
    ["reggio nell'emilia", "Reggio nell'Emilia, Reggio nell'Emilia"],
    ['sicily', 'Sicilia, Italia'],
    ['provincia di milano', 'Milano provincia'],
    ['vigo pontevedra', 'Vigo, Pontevedra'],
  ])('"%s" finds %s first', (q, label) => {
    const [best] = gazetteer.search({ q, limit: 5 })
    expect(best && gazetteer.formatLabel(best)).toBe(label)
  })

  test('every label finds its place among the first three', () => {
    const sample = places.filter(place => place.latitude.toFixed(4).endsWith('7'))
    const notFound = sample.filter(
      place => !gazetteer.search({ q: gazetteer.formatLabel(place), limit: 3 }).includes(place),
    )
    expect(sample.length).toBeGreaterThan(1000)
    expect(notFound.map(gazetteer.formatLabel)).toEqual([])
  })

  test('a missing letter still finds the city, unless the rest is the name of another place', () => {
    const cities = places.filter(({ type, name }) => type === 'municipality' && /^\p{L}{7,}$/u.test(name))
    const notFound = cities.slice(0, 300).filter(place => {
      const q = place.name.slice(0, 3) + place.name.slice(4)
      const found = gazetteer.search({ q, limit: 10 })
      return !found.includes(place) && !found[0]?.names.some(name => foldName(name) === foldName(q))
    })
    expect(notFound.map(place => place.name)).toEqual([])
  })

  test('any text is answered, with at most the requested number of places', () => {
    const texts = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc.string({ unit: fc.constantFrom('a', 'l', 'e', ' ', "'", '-', 's'), maxLength: 100 }),
    )
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 20 }), (q, limit) => {
        expect(gazetteer.search({ q, limit }).length).toBeLessThanOrEqual(limit)
      }),
      { numRuns: 200 },
    )
  })
})
