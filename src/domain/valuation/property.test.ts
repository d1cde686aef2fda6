/** Sets of amenities as bits. */
import { expect, test } from 'vitest'
import { amenities, toAmenities, toAmenitySet } from './property.ts'

test('each amenity keeps its bit in stored sets', () => {
  expect(amenities.slice(0, 18).join(' ')).toBe(
    'lift terrace balcony parking pool garden air_conditioning storage_room fitted_wardrobes concierge ' +
      'exterior interior top_floor security waterfront view basement renovated',
  )
  expect(toAmenitySet(['lift', 'air_conditioning', 'renovated'])).toBe(1 + 2 ** 6 + 2 ** 17)
})

test('a set contains the amenities it was made of; unknown names are ignored', () => {
  expect(toAmenities(toAmenitySet(amenities))).toEqual(amenities)
  expect(toAmenities(toAmenitySet(['view', 'helipad', 'ascensor']))).toEqual(['lift', 'view'])
})
