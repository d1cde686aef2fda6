/** Recognizes listings of one property. Expectations follow the data cleaning of the valuation data sets. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameProperty, type ListedFacts, toFingerprint, toNearbyFingerprints } from './same-property.ts'

const flat: ListedFacts = {
  latitude: 41.39,
  longitude: 2.17,
  squareMeters: 80,
  bedrooms: 3,
  bathrooms: 2,
  floor: 4,
  yearBuilt: 1970,
  price: 300_000,
}
/** Moves the flat north. */
const moveNorth = (meters: number) => ({ latitude: 41.39 + meters / 111_195 })

test.each<[string, Partial<ListedFacts>, Partial<ListedFacts>]>([
  ['unchanged', {}, {}],
  ['with its pin moved by 129 m', {}, moveNorth(129)],
  ['slightly larger, the building known by its year', {}, { squareMeters: 82, ...moveNorth(100) }],
  ['of an unknown year', {}, { yearBuilt: null, ...moveNorth(100) }],
  ['of an unknown floor on both sides, the year known', { floor: null }, { floor: null, ...moveNorth(100) }],
  ['nearby, without bathrooms', { bathrooms: null }, { bathrooms: null, ...moveNorth(59) }],
  [
    'nearby, with the minimum of stated facts',
    { bathrooms: null, floor: null, yearBuilt: null },
    { floor: null, ...moveNorth(50) },
  ],
  ['14 % cheaper', {}, { price: 258_000 }],
])('one property: %s', (_how, one, other) => {
  expect(isSameProperty({ ...flat, ...one }, { ...flat, ...other })).toBe(true)
  expect(isSameProperty({ ...flat, ...other }, { ...flat, ...one })).toBe(true)
})

test.each<[string, Partial<ListedFacts>, Partial<ListedFacts>]>([
  ['131 m apart', {}, moveNorth(131)],
  ['with another number of bedrooms', {}, { bedrooms: 2 }],
  ['with another number of bathrooms', {}, { bathrooms: 1 }],
  ['on another floor', {}, { floor: 5 }],
  ['with only one stated floor', {}, { floor: null }],
  ['of another year', {}, { yearBuilt: 1971 }],
  ['4 % larger', {}, { squareMeters: 83.4 }],
  ['slightly larger in an unknown building', { yearBuilt: null }, { squareMeters: 81, ...moveNorth(20) }],
  ['slightly larger on an unknown floor', { floor: null }, { floor: null, squareMeters: 81 }],
  [
    '61 m apart, neither floor nor year known',
    { floor: null, yearBuilt: null },
    { floor: null, yearBuilt: null, ...moveNorth(61) },
  ],
  ['61 m apart, without bathrooms', { bathrooms: null }, { bathrooms: null, ...moveNorth(61) }],
  ['at a very different price', {}, { price: 250_000 }],
  ['without stated bedrooms', { bedrooms: null }, { bedrooms: null }],
])('two properties: %s', (_how, one, other) => {
  expect(isSameProperty({ ...flat, ...one }, { ...flat, ...other })).toBe(false)
  expect(isSameProperty({ ...flat, ...other }, { ...flat, ...one })).toBe(false)
})

test('a property is found under the nearby fingerprints of each of its listings', () => {
  const size = fc.double({ min: 5, max: 100_000, noNaN: true })
  const share = fc.double({ min: 1 / 1.03, max: 1.03, noNaN: true })
  fc.assert(
    fc.property(size, share, (squareMeters, share) => {
      const [one, other] = [
        { ...flat, squareMeters },
        { ...flat, squareMeters: squareMeters * share },
      ]
      fc.pre(isSameProperty(one, other))
      const near = toNearbyFingerprints('homes', one)
      expect(near).toContain(toFingerprint('homes', other))
      expect(near.length).toBeLessThanOrEqual(2)
    }),
  )
})

test('properties with different floor, bedrooms, size or market have different fingerprints', () => {
  const storedFingerprint = toFingerprint('homes', flat)
  for (const other of [{ floor: 5 }, { floor: null }, { bedrooms: 2 }, { squareMeters: 90 }])
    expect(toFingerprint('homes', { ...flat, ...other })).not.toBe(storedFingerprint)
  expect(toFingerprint('offices', flat)).not.toBe(storedFingerprint)
  expect(toFingerprint('homes', { ...flat, bedrooms: null })).toBeNull()
  expect(toNearbyFingerprints('homes', { ...flat, bedrooms: null })).toEqual([])
})
