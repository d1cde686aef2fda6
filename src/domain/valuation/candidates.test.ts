/** A property's own advert says nothing of its value; what is only like it does. */
import { expect, test } from 'vitest'
import { copies, ids, value } from '../../../test/made-estimates.ts'
import { madeComparable, madeProperty } from '../../../test/made-market.ts'
import { usualMarketModel } from './market-model.ts'
import type { Characteristics, Comparable } from './property.ts'

test('the own advert of the subject has no say, whatever it asks, unless a person chose it', () => {
  const subject = madeProperty({ squareMeters: 83, floor: 5 })
  const own = madeComparable('own', 900_000, { squareMeters: 83, floor: 5 })
  const others = copies(8, 250_000, { squareMeters: 83, floor: 4 })
  const estimate = value(subject, [own, ...others], usualMarketModel)!
  expect(estimate.value).toBeLessThan(300_000)
  expect(estimate.compared.find(({ comparable }) => comparable.id === 'own')!.exclusionReason).toBe(
    'same_property',
  )
  const chosen = value(subject, [own, ...others], usualMarketModel, {
    included: ['own', 'c1', 'c2'],
  })!
  expect(ids(chosen)).toContain('own')
})

test('the own advert is known where rooms are told of one alone, or of neither', () => {
  const rooms = { squareMeters: 83, floor: 5 }
  const own = madeComparable('own', 900_000, { ...rooms, bedrooms: null })
  const others = copies(8, 250_000, { ...rooms, floor: 4 })
  const reasonOf = (subject: Characteristics, comparables: Comparable[]) =>
    value(subject, comparables, usualMarketModel)!.compared.find(({ comparable }) => comparable === own)!
      .exclusionReason
  expect(reasonOf(madeProperty(rooms), [own, ...others])).toBe('same_property')
  const office = { ...rooms, bedrooms: null, bathrooms: null }
  const offices = others.map(other => ({ ...other, bedrooms: null }))
  expect(reasonOf(madeProperty(office), [own, ...offices])).toBe('same_property')
})

test('garages of one basement, of which no rooms are told, value each other', () => {
  const garage = { squareMeters: 12, bedrooms: null, bathrooms: null, floor: null, yearBuilt: null }
  const comparables = Array.from({ length: 8 }, (_, at) => madeComparable(`c${at}`, 20_000, garage))
  expect(value(madeProperty(garage), comparables, usualMarketModel)!.value).toBe(20_000)
})
