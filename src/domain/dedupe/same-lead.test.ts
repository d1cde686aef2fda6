/** The lead that a row of a file is, among the leads of the same person. */
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
const titleOnly: LeadFacts = { ...nothing, title: 'Ático con terraza' }

const cases: [what: string, incoming: LeadFacts, known: LeadFacts[], expectedIndex: number | null][] = [
  ['no lead is known', flat, [], null],
  ['the same flat', flat, [otherFlat, flat], 1],
  ['the same flat at a slightly lower price', { ...flat, price: 369_000 }, [flat], 0],
  ['another flat of the same person', flat, [otherFlat], null],
  [
    'the same listing, with other facts',
    { ...otherFlat, url: 'https://x/1' },
    [{ ...flat, url: 'https://x/1' }],
    0,
  ],
  ['a person without property facts, with one known lead', nothing, [flat], 0],
  ['a person without property facts, with two known leads', nothing, [flat, otherFlat], null],
  ['a person without property facts, with a known lead without them', nothing, [flat, nothing], 1],
  ['a flat of a person whose lead has no property facts', flat, [nothing], 0],
  ['two rows with a title only', titleOnly, [titleOnly], 0],
  ['two rows with different titles', titleOnly, [{ ...titleOnly, title: 'Local céntrico' }], null],
  [
    'one of two that differ only in their titles',
    { ...flat, title: '3º 2ª' },
    [
      { ...flat, title: '3º 1ª' },
      { ...flat, title: '3º 2ª' },
    ],
    1,
  ],
  ['two identical leads', flat, [flat, { ...flat }], null],
]
test.each(cases)('%s', (_what, incoming, known, expectedIndex) => {
  expect(findSameLead(incoming, known)).toBe(expectedIndex === null ? null : known[expectedIndex])
})
