/** Stated facts of a subject are kept; unstated ones are taken from the comparable. */
import { expect, test } from 'vitest'
import { makeProperty } from '../../../test/synthetic-market.ts'
import { amenities, type Characteristics, toAmenitySet } from './property.ts'
import { copyAmenities, fillUnknowns, getUnstatedAmenities } from './unstated.ts'

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

test('facts that a listing does not state are not filled in', () => {
  const subject = makeProperty({ ...nothing, isPartiallyDescribed: false })
  expect(fillUnknowns(subject, makeProperty())).toBe(subject)
})

test('a fully described subject is not changed', () => {
  const subject = makeProperty({ plotSquareMeters: 200, isPartiallyDescribed: true })
  expect(fillUnknowns(subject, makeProperty({ floor: 5, amenities: pool }))).toBe(subject)
})

test('facts that are unknown on both sides stay unknown', () => {
  const subject = makeProperty(nothing)
  expect(fillUnknowns(subject, makeProperty(nothing))).toBe(subject)
})

test('a subject without stated facts becomes the comparable, with its own place and size', () => {
  const comparable = makeProperty({ floor: 5, amenities: pool | lift, plotSquareMeters: 40, subtype: 'loft' })
  const subject = makeProperty({ ...nothing, latitude: 41.4, squareMeters: 55 })
  const filled = fillUnknowns(subject, comparable)
  expect(filled).toMatchObject({ ...comparable, latitude: 41.4, squareMeters: 55 })
  expect(getUnstatedAmenities(filled)).toBe(0)
})

test('stated amenities are kept, the others are taken from the comparable', () => {
  const subject = makeProperty({
    amenities: lift,
    amenitiesUnknown: all & ~lift & ~pool,
    isPartiallyDescribed: true,
  })
  const { amenities: set } = fillUnknowns(subject, makeProperty({ amenities: pool | terrace }))
  expect(set).toBe(lift | terrace)
})

test('a comparable without stated amenities only gets those that are stated for the subject', () => {
  const unstated = makeProperty({ amenities: null })
  const subject = makeProperty({ amenities: 0, amenitiesUnknown: all & ~lift })
  const changed = copyAmenities(unstated, subject)
  expect(changed.amenities).toBe(0)
  expect(getUnstatedAmenities(changed)).toBe(all & ~lift)
  expect(copyAmenities(unstated, makeProperty({ amenities: null }))).toBe(unstated)
  expect(getUnstatedAmenities(copyAmenities(unstated, makeProperty({ amenities: pool })))).toBe(0)
})
