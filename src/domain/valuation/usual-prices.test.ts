/** What a feature is usually worth is something that a person believes, also where much is unknown or much is there. */
import { expect, test } from 'vitest'
import { madeProperty } from '../../../test/made-market.ts'
import { amenities, amenitySet, type Characteristics } from './property.ts'
import { usualLogPrice } from './usual-prices.ts'

/** How much more is paid with these, as a share. */
const more = (to: Partial<Characteristics>, from: Partial<Characteristics> = {}) =>
  Math.expm1(usualLogPrice(madeProperty(to)) - usualLogPrice(madeProperty(from)))
const all = amenitySet(amenities)
const [lift, pool] = [amenitySet(['lift']), amenitySet(['pool'])]

test('a plot that is told where others tell none is worth something, never a multiple', () => {
  for (const plotSquareMeters of [0, 50, 160]) expect(more({ plotSquareMeters })).toBe(0)
  expect(more({ plotSquareMeters: 400 })).toBeGreaterThan(0.05)
  expect(more({ plotSquareMeters: 1e7 })).toBeLessThan(0.3)
})

test('to say that there is no lift does not mean that there is nothing else', () => {
  const untold = { amenities: null }
  const noLift = { amenities: 0, amenitiesUnknown: all & ~lift, floor: null }
  expect(more(noLift, { ...untold, floor: null })).toBeGreaterThan(-0.01)
  expect(more({ ...noLift, amenities: lift }, noLift)).toBeCloseTo(0.05, 2)
  expect(more({ amenities: 0 }, untold)).toBeLessThan(-0.05)
})

test('each amenity adds less, the more there are', () => {
  const rest = all & ~pool
  expect(more({ amenities: pool, floor: null }, { amenities: 0, floor: null })).toBeCloseTo(0.1, 1)
  expect(more({ amenities: all, floor: null }, { amenities: rest, floor: null })).toBeLessThan(0.04)
  expect(more({ amenities: all, floor: null }, { amenities: 0, floor: null })).toBeLessThan(0.65)
})

test('a lift makes upper floors dearer, and where nobody tells of one they are ordinary', () => {
  expect(more({ floor: 5, amenities: lift }, { floor: 1, amenities: lift })).toBeGreaterThan(0)
  expect(more({ floor: 5, amenities: 0 }, { floor: 1, amenities: 0 })).toBeLessThan(0)
  expect(more({ floor: 5, amenities: null }, { floor: 1, amenities: null })).toBe(0)
  expect(more({ floor: 0, amenities: null }, { floor: 1, amenities: null })).toBeLessThan(-0.05)
})

test('as many bathrooms as are usual for the area are no gain where others tell none', () => {
  const large = { squareMeters: 160, bathrooms: null }
  expect(more({ ...large, bathrooms: 2 }, large)).toBe(0)
  expect(more({ ...large, bathrooms: 1 }, large)).toBeLessThan(-0.05)
  expect(more({ bathrooms: 1 }, { bathrooms: null })).toBe(0)
})
