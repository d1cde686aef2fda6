/** A listing fails a filter only if it states a contradicting value. */
import { describe, expect, test } from 'vitest'
import { makeListing } from '../../../test/make.ts'
import { findFailedFilters, type RequestedFilters } from './failed-filters.ts'
import type { Listing } from './listing.ts'

const advertisedBy = (advertiserType: Listing['contact']['advertiserType']) => ({
  contact: { ...makeListing().contact, advertiserType },
})

describe('a listing', () => {
  test.each<[string, Partial<Listing>, RequestedFilters, string[]]>([
    ['no filter', {}, {}, []],
    ['the same operation', { operation: 'sale' }, { operation: 'sale' }, []],
    ['another operation', { operation: 'rent' }, { operation: 'sale' }, ['operation']],
    ['another type', { propertyType: 'garages' }, { propertyType: 'homes' }, ['propertyType']],
    ['another condition', { condition: 'new' }, { condition: 'good' }, ['condition']],
    ['a price at the lower bound', { price: 100 }, { minPrice: 100 }, []],
    ['a price below it', { price: 99.99 }, { minPrice: 100 }, ['minPrice']],
    ['a price at the upper bound', { price: 100 }, { maxPrice: 100 }, []],
    ['a price above it', { price: 100.01 }, { maxPrice: 100 }, ['maxPrice']],
    ['a bound of zero', { price: 1 }, { maxPrice: 0 }, ['maxPrice']],
    ['too few rooms', { rooms: 2 }, { minRooms: 3 }, ['minRooms']],
    ['too many rooms', { rooms: 4 }, { maxRooms: 3 }, ['maxRooms']],
    ['enough rooms, but fewer bedrooms', { rooms: 3, bedrooms: 2 }, { minRooms: 3 }, []],
    [
      'fewer bedrooms than requested rooms, without stated rooms',
      { rooms: null, bedrooms: 2 },
      { minRooms: 3 },
      [],
    ],
    ['zero bedrooms', { rooms: null, bedrooms: 0 }, { minRooms: 1 }, []],
    ['more bedrooms than requested rooms', { rooms: null, bedrooms: 4 }, { maxRooms: 3 }, ['maxRooms']],
    ['as many bedrooms as requested rooms', { rooms: null, bedrooms: 3 }, { maxRooms: 3 }, []],
    ['too few bathrooms', { bathrooms: 1 }, { minBathrooms: 2 }, ['minBathrooms']],
    ['too small', { squareMeters: 49 }, { minSquareMeters: 50 }, ['minSquareMeters']],
    ['too large', { squareMeters: 51 }, { maxSquareMeters: 50 }, ['maxSquareMeters']],
    ['another advertiser', advertisedBy('agency'), { advertiserType: 'private' }, ['advertiserType']],
    ['the same advertiser', advertisedBy('agency'), { advertiserType: 'agency' }, []],
    ['any advertiser', advertisedBy('agency'), { advertiserType: 'any' }, []],
    [
      'several contradictions',
      { operation: 'rent', price: 5 },
      { operation: 'sale', minPrice: 9 },
      ['operation', 'minPrice'],
    ],
    ['filters of the wrong type', { price: 5 }, { minPrice: '9', operation: 3 }, []],
    ['unset filters', { price: 5 }, { minPrice: undefined, maxPrice: null }, []],
  ])('with %s', (_what, facts, filters, failed) => {
    expect(findFailedFilters(makeListing(facts), filters)).toEqual(failed)
  })

  test('without stated facts fails nothing', () => {
    const unstated = makeListing({
      operation: null,
      propertyType: null,
      condition: null,
      price: null,
      rooms: null,
      bedrooms: null,
      bathrooms: null,
      squareMeters: null,
      ...advertisedBy(null),
    })
    const filters: RequestedFilters = {
      operation: 'sale',
      propertyType: 'homes',
      condition: 'new',
      minPrice: 1,
      maxPrice: 2,
      minRooms: 1,
      maxRooms: 2,
      minBathrooms: 1,
      minSquareMeters: 1,
      maxSquareMeters: 2,
      advertiserType: 'private',
    }
    expect(findFailedFilters(unstated, filters)).toEqual([])
  })
})
