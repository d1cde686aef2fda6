/** What is told of a subject stands; what is not is as in the comparable. */
import { expect, test } from 'vitest'
import { makeProperty } from '../../../test/synthetic-market.ts'
import { amenities, type Characteristics, toAmenitySet } from './property.ts'
import { fillUnknowns, unstatedAmenities, withAmenities } from './unstated.ts'

const all = toAmenitySet(amenities)
const [lift, pool, terrace] = [toAmenitySet(['lift']), toAmenitySet(['pool']), toAmenitySet(['terrace'])]
const nothing: Partial<Characteristics> = {
  plotSquareMeters: null,
  bedrooms: null,
  bathrooms: null,
  condition: null,
  floor: null,
  yearBuilt: null,
  subtype: null,
  amenities: null,
  isPartiallyDescribed: true,
}

test('what an advert does not state is not filled in', () => {
  const subject = makeProperty({ ...nothing, isPartiallyDescribed: false })
  expect(fillUnknowns(subject, makeProperty())).toBe(subject)
})

test('of a subject of which all is known, nothing is filled in', () => {
  const subject = makeProperty({ plotSquareMeters: 200, isPartiallyDescribed: true })
  expect(fillUnknowns(subject, makeProperty({ floor: 5, amenities: pool }))).toBe(subject)
})

test('what is unknown of both stays so', () => {
  const subject = makeProperty(nothing)
  expect(fillUnknowns(subject, makeProperty(nothing))).toBe(subject)
})

test('a subject of which nothing is told becomes the comparable at its own place and of its own size', () => {
  const comparable = makeProperty({ floor: 5, amenities: pool | lift, plotSquareMeters: 40, subtype: 'loft' })
  const subject = makeProperty({ ...nothing, latitude: 41.4, squareMeters: 55 })
  const filled = fillUnknowns(subject, comparable)
  expect(filled).toMatchObject({ ...comparable, latitude: 41.4, squareMeters: 55 })
  expect(unstatedAmenities(filled)).toBe(0)
})

test('amenities that are told stand, the others are as in the comparable', () => {
  const subject = makeProperty({
    amenities: lift,
    amenitiesUnknown: all & ~lift & ~pool,
    isPartiallyDescribed: true,
  })
  const { amenities: set } = fillUnknowns(subject, makeProperty({ amenities: pool | terrace }))
  expect(set).toBe(lift | terrace)
})

test('of a comparable of which no amenities are told, those alone become known that are told of the subject', () => {
  const unstated = makeProperty({ amenities: null })
  const subject = makeProperty({ amenities: 0, amenitiesUnknown: all & ~lift })
  const changed = withAmenities(unstated, subject)
  expect(changed.amenities).toBe(0)
  expect(unstatedAmenities(changed)).toBe(all & ~lift)
  expect(withAmenities(unstated, makeProperty({ amenities: null }))).toBe(unstated)
  expect(unstatedAmenities(withAmenities(unstated, makeProperty({ amenities: pool })))).toBe(0)
})
