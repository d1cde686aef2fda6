/** The subject's own listing does not affect its value; similar properties do. */
import { expect, test } from 'vitest'
import { listUsedIds, makeCopies, makeEstimate } from '../../../test/synthetic-estimates.ts'
import { makeComparable, makeProperty } from '../../../test/synthetic-market.ts'
import { defaultMarketModel } from './market-model.ts'
import type { Characteristics, Comparable } from './property.ts'

test("the subject's own listing is ignored at any price, unless it was chosen", () => {
  const subject = makeProperty({ squareMeters: 83, floor: 5 })
  const ownListing = makeComparable('own', 900_000, { squareMeters: 83, floor: 5 })
  const otherListings = makeCopies(8, 250_000, { squareMeters: 83, floor: 4 })
  const estimate = makeEstimate(subject, [ownListing, ...otherListings], defaultMarketModel)!
  expect(estimate.value).toBeLessThan(300_000)
  expect(estimate.compared.find(({ comparable }) => comparable.id === 'own')!.exclusionReason).toBe(
    'same_property',
  )
  const chosen = makeEstimate(subject, [ownListing, ...otherListings], defaultMarketModel, {
    included: ['own', 'c1', 'c2'],
  })!
  expect(listUsedIds(chosen)).toContain('own')
})

test('the own listing is recognized if its bedrooms are unknown on one side or on both', () => {
  const rooms = { squareMeters: 83, floor: 5 }
  const ownListing = makeComparable('own', 900_000, { ...rooms, bedrooms: null })
  const otherListings = makeCopies(8, 250_000, { ...rooms, floor: 4 })
  const getReason = (subject: Characteristics, comparables: Comparable[]) =>
    makeEstimate(subject, comparables, defaultMarketModel)!.compared.find(
      ({ comparable }) => comparable === ownListing,
    )!.exclusionReason
  expect(getReason(makeProperty(rooms), [ownListing, ...otherListings])).toBe('same_property')
  const office = { ...rooms, bedrooms: null, bathrooms: null }
  const offices = otherListings.map(other => ({ ...other, bedrooms: null }))
  expect(getReason(makeProperty(office), [ownListing, ...offices])).toBe('same_property')
})

test('garages of one basement, without bedrooms, are comparables of each other', () => {
  const garage = { squareMeters: 12, bedrooms: null, bathrooms: null, floor: null, yearBuilt: null }
  const comparables = Array.from({ length: 8 }, (_, index) => makeComparable(`c${index}`, 20_000, garage))
  expect(makeEstimate(makeProperty(garage), comparables, defaultMarketModel)!.value).toBe(20_000)
})
