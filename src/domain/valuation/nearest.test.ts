/** The index finds the same neighbours as a full scan. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeProperty, makeTown } from '../../../test/synthetic-market.ts'
import { metersBetween } from '../geo.ts'
import { areComparable, createNearestFinder } from './nearest.ts'

const town = makeTown(1500)
const nearest = createNearestFinder(town)

test('finds the nearest for any place, inside or outside the town', () => {
  const place = fc.record({
    latitude: fc.double({ min: 41.3, max: 41.5, noNaN: true }),
    longitude: fc.double({ min: 2.0, max: 2.3, noNaN: true }),
    squareMeters: fc.integer({ min: 20, max: 300 }),
  })
  fc.assert(
    fc.property(place, fc.integer({ min: 1, max: 300 }), (changes, count) => {
      const subject = makeProperty(changes)
      const all = town
        .filter(property => areComparable(subject, property))
        .map(property => metersBetween(subject, property))
        .sort((a, b) => a - b)
      expect(nearest(subject, count).map(({ meters }) => meters)).toEqual(all.slice(0, count))
    }),
  )
})

test('areas are comparable up to a factor of two, and bedrooms up to two more or less', () => {
  const one = makeProperty({ squareMeters: 80, bedrooms: 2 })
  expect(areComparable(one, makeProperty({ squareMeters: 160, bedrooms: 4 }))).toBe(true)
  expect(areComparable(one, makeProperty({ squareMeters: 161, bedrooms: 2 }))).toBe(false)
  expect(areComparable(one, makeProperty({ squareMeters: 80, bedrooms: 5 }))).toBe(false)
  expect(areComparable(one, makeProperty({ squareMeters: 80, bedrooms: null }))).toBe(true)
})
