/** Matches a row to a lead with the same id, and distinguishes two rows with one id. */
import { describe, expect, test } from 'vitest'
import { type IdentifiedFacts, isOtherProperty, matchesLead } from './same-id.ts'

const nothing: IdentifiedFacts = {
  name: null,
  identifiers: [],
  phone: null,
  operation: null,
  propertyType: null,
  squareMeters: null,
  price: null,
  bedrooms: null,
  bathrooms: null,
  floor: null,
  latitude: null,
  longitude: null,
  address: null,
  municipality: null,
  postcode: null,
  url: null,
}
const known: IdentifiedFacts = {
  ...nothing,
  name: 'Ana Ruiz Gómez',
  identifiers: ['+34612000001', 'ana@x.es'],
  address: 'Calle Mayor, 3',
  municipality: 'Vigo',
  price: 100_000,
  url: 'https://x.example/1',
}

const cases: [what: string, row: Partial<IdentifiedFacts>, matches: boolean][] = [
  ['the same phone under another name', { name: 'Finques Pau', identifiers: ['+34612000001'] }, true],
  ['another person', { name: 'Pedro López', identifiers: ['+34612000003'] }, false],
  ['the same name in another form', { name: 'RUIZ GOMEZ, Ana', identifiers: ['+34612000003'] }, true],
  ['a name without the second surname', { name: 'Ana Ruiz' }, true],
  ['a first name alone', { name: 'Ana' }, false],
  ['the same place', { name: 'Pedro', address: 'Calle mayor 3', municipality: 'VIGO' }, true],
  ['a street with the same name elsewhere', { address: 'Calle Mayor, 3', municipality: 'Lugo' }, false],
  ['the same listing', { name: 'Pedro', url: 'https://x.example/1' }, true],
  ['a price alone', { price: 90_000 }, true],
  ['another address alone', { address: 'Calle Sol, 1' }, false],
]
test.each(cases)('%s', (_what, row, matches) => {
  expect(matchesLead({ ...nothing, ...row }, known)).toBe(matches)
})

describe('two rows with one id', () => {
  test.each<[string, Partial<IdentifiedFacts>, boolean]>([
    ['and one address are of one property', { address: 'calle mayor 3', price: 5 }, false],
    ['and two addresses are of two properties', { address: 'Calle Mayor, 5', url: known.url }, true],
    ['and two listings are of two properties', { url: 'https://x.example/2' }, true],
    ['and two prices are of two properties', { price: 90_000 }, true],
    ['of which one has no property facts are of one property', {}, false],
  ])('%s', (_what, row, isOther) => {
    expect(isOtherProperty({ ...nothing, ...row }, known)).toBe(isOther)
  })
})
