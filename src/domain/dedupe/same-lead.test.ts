import { expect, test } from 'vitest'
import { findSameLead, type LeadFacts } from './same-lead.ts'

const nothing: LeadFacts = {
  phone: '+34612345678',
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
const flat: LeadFacts = {
  ...nothing,
  operation: 'sale',
  propertyType: 'homes',
  squareMeters: 86,
  price: 374_000,
  bedrooms: 3,
  address: 'Carrer de Mallorca, 214, 3º 2ª',
  municipality: 'Barcelona',
}
const otherFlat: LeadFacts = {
  ...flat,
  squareMeters: 52,
  price: 190_000,
  bedrooms: 1,
  address: 'Carrer de Pau, 3',
}
const landline: LeadFacts = { ...nothing, title: 'Ático con terraza' }

const cases: [what: string, incoming: LeadFacts, known: LeadFacts[], expectedIndex: number | null][] = [
  ['nobody is known', flat, [], null],
  ['the same flat', flat, [otherFlat, flat], 1],
  ['the same flat, its price a little down', { ...flat, price: 369_000 }, [flat], 0],
  ['another flat of the person', flat, [otherFlat], null],
  [
    'the same advert, whatever it says now',
    { ...otherFlat, url: 'https://x/1' },
    [{ ...flat, url: 'https://x/1' }],
    0,
  ],
  ['a person alone, of whom one lead is known', nothing, [flat], 0],
  ['a person alone, of whom two are known', nothing, [flat, otherFlat], null],
  ['a person alone, who is known alone beside a flat', nothing, [flat, nothing], 1],
  ['a flat of somebody who was known alone', flat, [nothing], 0],
  ['two lines of a list that tell a title alone', landline, [landline], 0],
  ['two lines with different titles', landline, [{ ...landline, title: 'Local céntrico' }], null],
  [
    'one of two that differ in their titles alone',
    { ...flat, title: '3º 2ª' },
    [
      { ...flat, title: '3º 1ª' },
      { ...flat, title: '3º 2ª' },
    ],
    1,
  ],
  ['two leads that are alike to the letter', flat, [flat, { ...flat }], null],
]
test.each(cases)('%s', (_what, incoming, known, expectedIndex) => {
  expect(findSameLead(incoming, known)).toBe(expectedIndex === null ? null : known[expectedIndex])
})
