/** Baseline prices stay plausible for subjects with few facts and for subjects with many. */
import { expect, test } from 'vitest'
import { makeProperty } from '../../../test/synthetic-market.ts'
import { computeBaselineLogPrice } from './baseline-prices.ts'
import { amenities, type Characteristics, toAmenitySet } from './property.ts'

/** The relative price difference between the two sets of facts: 0.05 is 5 %. */
const computeEffect = (to: Partial<Characteristics>, from: Partial<Characteristics> = {}) =>
  Math.expm1(computeBaselineLogPrice(makeProperty(to)) - computeBaselineLogPrice(makeProperty(from)))
const all = toAmenitySet(amenities)
const [lift, pool] = [toAmenitySet(['lift']), toAmenitySet(['pool'])]

test('a stated plot has a small positive value, never a multiple of the price', () => {
  for (const plotSquareMeters of [0, 50, 160]) expect(computeEffect({ plotSquareMeters })).toBe(0)
  expect(computeEffect({ plotSquareMeters: 400 })).toBeGreaterThan(0.05)
  expect(computeEffect({ plotSquareMeters: 1e7 })).toBeLessThan(0.3)
})

test('stating that there is no lift does not imply that there are no other amenities', () => {
  const unstated = { amenities: null }
  const noLift = { amenities: 0, amenitiesUnknown: all & ~lift, floor: null }
  expect(computeEffect(noLift, { ...unstated, floor: null })).toBeGreaterThan(-0.01)
  expect(computeEffect({ ...noLift, amenities: lift }, noLift)).toBeCloseTo(0.05, 2)
  expect(computeEffect({ amenities: 0 }, unstated)).toBeLessThan(-0.05)
})

test('each further amenity adds less', () => {
  const otherAmenities = all & ~pool
  expect(computeEffect({ amenities: pool, floor: null }, { amenities: 0, floor: null })).toBeCloseTo(0.1, 1)
  expect(
    computeEffect({ amenities: all, floor: null }, { amenities: otherAmenities, floor: null }),
  ).toBeLessThan(0.04)
  expect(computeEffect({ amenities: all, floor: null }, { amenities: 0, floor: null })).toBeLessThan(0.65)
})

test('a lift makes upper floors more expensive; if the lift is unstated, the floor has no effect', () => {
  expect(computeEffect({ floor: 5, amenities: lift }, { floor: 1, amenities: lift })).toBeGreaterThan(0)
  expect(computeEffect({ floor: 5, amenities: 0 }, { floor: 1, amenities: 0 })).toBeLessThan(0)
  expect(computeEffect({ floor: 5, amenities: null }, { floor: 1, amenities: null })).toBe(0)
  expect(computeEffect({ floor: 0, amenities: null }, { floor: 1, amenities: null })).toBeLessThan(-0.05)
})

test('a number of bathrooms that is usual for the area adds nothing to an unstated number', () => {
  const large = { squareMeters: 160, bathrooms: null }
  expect(computeEffect({ ...large, bathrooms: 2 }, large)).toBe(0)
  expect(computeEffect({ ...large, bathrooms: 1 }, large)).toBeLessThan(-0.05)
  expect(computeEffect({ bathrooms: 1 }, { bathrooms: null })).toBe(0)
})
