/** The location search on a small set of places. */
import { expect, test } from 'vitest'
import { createGazetteer, type LocationSearch } from './gazetteer.ts'
import { sortByImportance } from './importance.ts'
import { type Place, parsePlaces } from './place.ts'

const places = sortByImportance(
  parsePlaces(
    [
      'ES||country|España|Spain|900',
      'PT||country|Portugal||300',
      'ES-MD|ES|region|Comunidad de Madrid|Madrid|400',
      'ES-M|ES-MD|province|Madrid||400',
      'ES-28079|ES-M|municipality|Madrid||300',
      'ES-28005|ES-M|municipality|Alcalá de Henares||90',
      'ES-28900|ES-M|municipality|Madridejos||10',
      'ES-CT|ES|region|Cataluña/Catalunya|Catalunya|500',
      'ES-B|ES-CT|province|Barcelona||450',
      'ES-08019|ES-B|municipality|Barcelona|BCN|290',
      "ES-08101|ES-B|municipality|L'Hospitalet de Llobregat||100",
      'ES-08205|ES-B|municipality|Sant Cugat del Vallès||60',
      'ES-L|ES-CT|province|Lleida||50',
      'ES-25001|ES-L|municipality|Alcalá||40',
      'ES-CE|ES|region|Ciudad Autónoma de Ceuta|Ceuta|30',
      'ES-51001|ES-CE|municipality|Ceuta||30',
      'PT-08|PT|province|Faro||120',
      'PT-0806|PT-08|municipality|Lagoa||20',
      'PT-20|PT|region|Açores||150',
      'PT-42|PT-20|province|Ilha de São Miguel||140',
      'PT-4201|PT-42|municipality|Lagoa||10',
    ]
      .map(line => line.split('|'))
      .map(([id, parent, type, name, others, people]) =>
        [id, parent, type, name, others, 40, -3, people].join('\t'),
      )
      .join('\n'),
  ),
)
const gazetteer = createGazetteer(places)

function ids(search: Partial<LocationSearch>): string[] {
  return gazetteer.search({ q: '', limit: 20, ...search }).map(place => place.id)
}

test('with equal names, the municipality comes first, then the province, then the region', () => {
  expect(ids({ q: 'Madrid' })).toEqual(['ES-28079', 'ES-M', 'ES-MD', 'ES-28900'])
})

test('an exact name comes before a larger place with the name as a prefix', () => {
  expect(ids({ q: 'alcala' })).toEqual(['ES-25001', 'ES-28005'])
})

test('words match in any order, without articles, and as prefixes', () => {
  expect(ids({ q: 'vallès cugat' })).toEqual(['ES-08205'])
  expect(ids({ q: 'hospitalet llobregat' })).toEqual(['ES-08101'])
  expect(ids({ q: 'lhospitalet' })).toEqual(['ES-08101'])
  expect(ids({ q: 'el hosp' })).toEqual(['ES-08101'])
})

test('a word may match the area of the place', () => {
  expect(ids({ q: 'alcala lleida' })).toEqual(['ES-25001'])
})

test('every label finds its own place first', () => {
  for (const place of places) expect(ids({ q: gazetteer.formatLabel(place) })[0]).toBe(place.id)
})

test('typos are allowed only if no name matches exactly', () => {
  expect(ids({ q: 'barclona' })).toEqual(['ES-08019', 'ES-B'])
  expect(ids({ q: 'barcelona' })).toEqual(['ES-08019', 'ES-B'])
  expect(ids({ q: 'xyz' })).toEqual([])
  // Three letters are too few for a typo.
  expect(ids({ q: 'bcm' })).toEqual([])
})

test('countries, types and a parent at any level filter the results', () => {
  expect(ids({ q: 'lagoa', countries: ['ES'] })).toEqual([])
  expect(ids({ q: 'madrid', types: ['province', 'region'] })).toEqual(['ES-M', 'ES-MD'])
  expect(ids({ q: 'alcala', parentId: 'ES-CT' })).toEqual(['ES-25001'])
  expect(ids({ q: 'lagoa', parentId: 'PT-20' })).toEqual(['PT-4201'])
  expect(ids({ q: 'lagoa', parentId: 'XX' })).toEqual([])
})

test('without words, the places in the parent are listed by population', () => {
  expect(ids({ parentId: 'ES-B' })).toEqual(['ES-08019', 'ES-08101', 'ES-08205'])
  expect(ids({ parentId: 'ES-CT' })).toEqual(['ES-B', 'ES-L'])
  expect(ids({ parentId: 'ES-CT', types: ['municipality'] })).toEqual([
    'ES-08019',
    'ES-08101',
    'ES-08205',
    'ES-25001',
  ])
})

test('without words and parent, the largest municipalities are listed', () => {
  expect(ids({ limit: 3 })).toEqual(['ES-28079', 'ES-08019', 'ES-08101'])
  expect(ids({ q: '  ', limit: 1, types: ['region'] })).toEqual(['ES-CT'])
})

test('the number of results is limited', () => {
  expect(ids({ q: 'madrid', limit: 2 })).toEqual(['ES-28079', 'ES-M'])
})

test('a query is truncated to 100 characters', () => {
  expect(ids({ q: `madrid${' '.repeat(100)}zzzz`, limit: 1 })).toEqual(['ES-28079'])
})

test('labels distinguish places with the same name', () => {
  const label = (id: string) => gazetteer.formatLabel(gazetteer.find(id) as Place)
  expect(label('ES-08205')).toBe('Sant Cugat del Vallès, Barcelona')
  expect(label('ES-B')).toBe('Barcelona provincia')
  expect(label('ES-51001')).toBe('Ceuta, España')
  expect(label('PT-08')).toBe('Faro distrito')
  expect([label('PT-0806'), label('PT-4201')]).toEqual(['Lagoa, Faro', 'Lagoa, Ilha de São Miguel'])
  expect(label('PT-42')).toBe('Ilha de São Miguel, Açores')
})

test('the less important of two places with the same name is a namesake', () => {
  const isNamesake = (id: string) => gazetteer.isNamesake(gazetteer.find(id) as Place)
  expect([isNamesake('PT-0806'), isNamesake('PT-4201')]).toEqual([false, true])
  // A province is not a namesake of its capital.
  expect(isNamesake('ES-B')).toBe(false)
})
