/** What a feature is usually worth is something that a person believes, also where much is unknown or much is there. */
import { expect, test } from 'vitest'
import { makeProperty } from '../../../test/synthetic-market.ts'
import { computeBaselineLogPrice } from './baseline-prices.ts'
import { amenities, type Characteristics, toAmenitySet } from './property.ts'

/** How much more is paid with these, as a share. */
const effectOf = (to: Partial<Characteristics>, from: Partial<Characteristics> = {}) =>
  Math.expm1(computeBaselineLogPrice(makeProperty(to)) - computeBaselineLogPrice(makeProperty(from)))
const all = toAmenitySet(amenities)
const [lift, pool] = [toAmenitySet(['lift']), toAmenitySet(['pool'])]

test('a plot that is told where others tell none is worth something, never a multiple', () => {
  for (const plotSquareMeters of [0, 50, 160]) expect(effectOf({ plotSquareMeters })).toBe(0)
  expect(effectOf({ plotSquareMeters: 400 })).toBeGreaterThan(0.05)
  expect(effectOf({ plotSquareMeters: 1e7 })).toBeLessThan(0.3)
})

test('to say that there is no lift does not mean that there is nothing else', () => {
  const unstated = { amenities: null }
  const noLift = { amenities: 0, amenitiesUnknown: all & ~lift, floor: null }
  expect(effectOf(noLift, { ...unstated, floor: null })).toBeGreaterThan(-0.01)
  expect(effectOf({ ...noLift, amenities: lift }, noLift)).toBeCloseTo(0.05, 2)
  expect(effectOf({ amenities: 0 }, unstated)).toBeLessThan(-0.05)
})

test('each amenity adds less, the more there are', () => {
  const otherAmenities = all & ~pool
  expect(effectOf({ amenities: pool, floor: null }, { amenities: 0, floor: null })).toBeCloseTo(0.1, 1)
  expect(effectOf({ amenities: all, floor: null }, { amenities: otherAmenities, floor: null })).toBeLessThan(
    0.04,
  )
  expect(effectOf({ amenities: all, floor: null }, { amenities: 0, floor: null })).toBeLessThan(0.65)
})

test('a lift makes upper floors dearer, and where nobody tells of one they are ordinary', () => {
  expect(effectOf({ floor: 5, amenities: lift }, { floor: 1, amenities: lift })).toBeGreaterThan(0)
  expect(effectOf({ floor: 5, amenities: 0 }, { floor: 1, amenities: 0 })).toBeLessThan(0)
  expect(effectOf({ floor: 5, amenities: null }, { floor: 1, amenities: null })).toBe(0)
  expect(effectOf({ floor: 0, amenities: null }, { floor: 1, amenities: null })).toBeLessThan(-0.05)
})

test('as many bathrooms as are usual for the area are no gain where others tell none', () => {
  const large = { squareMeters: 160, bathrooms: null }
  expect(effectOf({ ...large, bathrooms: 2 }, large)).toBe(0)
  expect(effectOf({ ...large, bathrooms: 1 }, large)).toBeLessThan(-0.05)
  expect(effectOf({ bathrooms: 1 }, { bathrooms: null })).toBe(0)
})
