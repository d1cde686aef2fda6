/** What is told of a subject stands; what is not is as in the comparable. */
import { expect, test } from 'vitest'
import { madeProperty } from '../../../test/made-market.ts'
import { amenities, amenitySet, type Characteristics } from './property.ts'
import { filledFrom, untoldAmenities, withAmenities } from './unknown.ts'

const all = amenitySet(amenities)
const [lift, pool, terrace] = [amenitySet(['lift']), amenitySet(['pool']), amenitySet(['terrace'])]
const nothing: Partial<Characteristics> = {
  ...{ plotSquareMeters: null, bedrooms: null, bathrooms: null, condition: null, floor: null },
  ...{ yearBuilt: null, subtype: null, amenities: null, isPartlyTold: true },
}

test('what an advert does not state is not filled in', () => {
  const subject = madeProperty({ ...nothing, isPartlyTold: false })
  expect(filledFrom(subject, madeProperty())).toBe(subject)
})

test('of a subject of which all is known, nothing is filled in', () => {
  const subject = madeProperty({ plotSquareMeters: 200, isPartlyTold: true })
  expect(filledFrom(subject, madeProperty({ floor: 5, amenities: pool }))).toBe(subject)
})

test('what is unknown of both stays so', () => {
  const subject = madeProperty(nothing)
  expect(filledFrom(subject, madeProperty(nothing))).toBe(subject)
})

test('a subject of which nothing is told becomes the comparable at its own place and of its own size', () => {
  const comparable = madeProperty({ floor: 5, amenities: pool | lift, plotSquareMeters: 40, subtype: 'loft' })
  const subject = madeProperty({ ...nothing, latitude: 41.4, squareMeters: 55 })
  const filled = filledFrom(subject, comparable)
  expect(filled).toMatchObject({ ...comparable, latitude: 41.4, squareMeters: 55 })
  expect(untoldAmenities(filled)).toBe(0)
})

test('amenities that are told stand, the others are as in the comparable', () => {
  const subject = madeProperty({
    ...{ amenities: lift, amenitiesUnknown: all & ~lift & ~pool, isPartlyTold: true },
  })
  const { amenities: set } = filledFrom(subject, madeProperty({ amenities: pool | terrace }))
  expect(set).toBe(lift | terrace)
})

test('of a comparable of which no amenities are told, those alone become known that are told of the subject', () => {
  const untold = madeProperty({ amenities: null })
  const subject = madeProperty({ amenities: 0, amenitiesUnknown: all & ~lift })
  const changed = withAmenities(untold, subject)
  expect(changed.amenities).toBe(0)
  expect(untoldAmenities(changed)).toBe(all & ~lift)
  expect(withAmenities(untold, madeProperty({ amenities: null }))).toBe(untold)
  expect(untoldAmenities(withAmenities(untold, madeProperty({ amenities: pool })))).toBe(0)
})
