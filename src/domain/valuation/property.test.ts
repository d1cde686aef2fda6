import { expect, test } from 'vitest'
import { amenities, toAmenities, toAmenitySet } from './property.ts'

test('each amenity keeps the place that is its bit in what is stored', () => {
  expect(amenities.slice(0, 18).join(' ')).toBe(
    'lift terrace balcony parking pool garden air_conditioning storage_room fitted_wardrobes concierge ' +
      'exterior interior top_floor security waterfront view basement renovated',
  )
  expect(toAmenitySet(['lift', 'air_conditioning', 'renovated'])).toBe(1 + 2 ** 6 + 2 ** 17)
})

test('a set tells the amenities that it was made of; a name that is none is passed over', () => {
  expect(toAmenities(toAmenitySet(amenities))).toEqual(amenities)
  expect(toAmenities(toAmenitySet(['view', 'helipad', 'ascensor']))).toEqual(['lift', 'view'])
})
