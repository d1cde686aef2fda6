/** What advertising must state in Portugal and Italy. */
import { describe, expect, test } from 'vitest'
import { type Change, change, codes, complete, inLisbon, inMilan, rental } from '../sample-property.ts'

describe('Portugal', () => {
  const portuguese = change(complete, inLisbon)

  test('rental homes state permit of use, usable area and typology', () => {
    const portugueseRental = change(rental, inLisbon)
    expect(
      codes(portugueseRental, { property: { usableSquareMeters: null, rooms: null, bedrooms: null } }),
    ).toEqual(['required USE_PERMIT_MISSING', 'required USABLE_AREA_MISSING', 'required ROOMS_MISSING'])
    expect(
      codes(portugueseRental, {
        property: { subtype: 'studio', rooms: null, bedrooms: null },
        advertising: { usePermit: '123/2004' },
      }),
    ).toEqual([])
  })

  test('advertising states the licence of the agency, also of an office', () => {
    expect(codes(portuguese, { property: { propertyType: 'offices' }, agent: null })).toEqual([
      'required AGENT_LICENCE_MISSING',
    ])
  })

  test('local accommodation states its registration', () => {
    expect(codes(portuguese, { property: { operation: 'rent', pricePeriod: 'day' } })).toEqual([
      'required SHORT_TERM_REGISTRATION_MISSING',
    ])
  })

  test('homes for sale state the usable area, new ones the phase of construction', () => {
    expect(codes(portuguese, { property: { usableSquareMeters: null, condition: 'new' } })).toEqual([
      'recommended USABLE_AREA_MISSING',
      'recommended CONSTRUCTION_STATE_MISSING',
    ])
  })
})

describe('Italy', () => {
  const italian = change(complete, inMilan)

  test('short-term rentals state the national code since 2025', () => {
    const daily: Change = { property: { operation: 'rent', pricePeriod: 'day' } }
    expect(codes(italian, daily)).toEqual(['required SHORT_TERM_REGISTRATION_MISSING'])
    expect(codes(italian, daily, Temporal.PlainDate.from('2024-12-31'))).toEqual([])
  })

  test('the price is stated, with taxes', () => {
    expect(codes(italian, { property: { price: null } })).toEqual(['recommended PRICE_MISSING'])
    expect(
      codes(italian, { property: { condition: 'new' }, advertising: { priceIncludesTaxes: false } }),
    ).toEqual(['required PRICE_WITHOUT_TAXES'])
  })
})
