/** What advertising must state in Spain, Catalonia and the Valencian Community. */
import { describe, expect, test } from 'vitest'
import { checkAdvertising } from '../check-advertising.ts'
import { type Change, change, codes, complete, inBarcelona, rental, today } from '../sample-property.ts'

describe('Spain', () => {
  test('what a brochure states is recommended, because the decree only fills gaps of regional laws', () => {
    expect(
      codes(complete, {
        property: {
          price: null,
          usableSquareMeters: null,
          squareMeters: null,
          yearBuilt: null,
          municipality: null,
          address: null,
        },
      }),
    ).toEqual([
      'recommended PRICE_MISSING',
      'recommended USABLE_AREA_MISSING',
      'recommended LOCATION_MISSING',
      'recommended YEAR_BUILT_MISSING',
      'recommended BUILT_AREA_MISSING',
    ])
  })

  test('either the municipality or the address says where the home is', () => {
    expect(codes(complete, { property: { municipality: null } })).toEqual([])
    expect(codes(complete, { property: { address: null } })).toEqual([])
  })

  test('the price of a new home includes taxes', () => {
    const isNew: Change = { property: { condition: 'new' }, advertising: { construction: 'finished' } }
    expect(codes(complete, isNew)).toEqual(['recommended PRICE_TAXES_UNSTATED'])
    expect(codes(change(complete, isNew), { advertising: { priceIncludesTaxes: true } })).toEqual([])
    expect(codes(change(complete, isNew), { advertising: { priceIncludesTaxes: false } })).toEqual([
      'required PRICE_WITHOUT_TAXES',
    ])
    expect(codes(change(complete, isNew), { property: { price: null } })).toEqual([
      'recommended PRICE_MISSING',
    ])
  })

  test('homes under construction are new, whatever their condition', () => {
    expect(codes(complete, { advertising: { construction: 'planned', priceIncludesTaxes: true } })).toEqual(
      [],
    )
    expect(codes(complete, { advertising: { construction: 'under_construction' } })).toEqual([
      'recommended PRICE_TAXES_UNSTATED',
    ])
  })

  test('a rent per day or week is for a short term, unless the agent says otherwise', () => {
    const missing = ['recommended SHORT_TERM_REGISTRATION_MISSING']
    expect(codes(rental, { property: { pricePeriod: 'week' } })).toEqual(missing)
    expect(codes(rental, { property: { pricePeriod: 'week' }, advertising: { rentalUse: 'home' } })).toEqual(
      [],
    )
    expect(codes(rental, { advertising: { rentalUse: 'short_term' } })).toEqual(missing)
    expect(
      codes(rental, { advertising: { rentalUse: 'short_term', shortTermRegistration: 'ESFCTU0001' } }),
    ).toEqual([])
    expect(
      codes(
        rental,
        { property: { pricePeriod: 'day' }, advertising: {} },
        Temporal.PlainDate.from('2025-06-30'),
      ),
    ).toEqual([])
  })

  test('in a stressed area the last rent or the index is due before the contract', () => {
    expect(codes(rental, { advertising: { isStressedArea: true } })).toEqual([
      'recommended RENT_LIMIT_MISSING',
    ])
    expect(codes(rental, { advertising: { isStressedArea: true, lastRent: 1100 } })).toEqual([])
    expect(codes(complete, { advertising: { isStressedArea: true } })).toEqual([])
  })

  test('the Valencian register of agents is recommended', () => {
    expect(codes(complete, { property: { postcode: '46001' }, agent: null })).toEqual([
      'recommended AGENT_LICENCE_MISSING',
    ])
  })
})

describe('Catalonia', () => {
  const catalan = change(complete, inBarcelona)
  const catalanRental = change(rental, inBarcelona)

  test("advertising states the agent's number", () => {
    const missing = ['required AGENT_LICENCE_MISSING']
    expect(codes(catalan, { agent: null })).toEqual(missing)
    expect(codes(catalan, { agent: { licence: ' ' } })).toEqual(missing)
    expect(codes(complete, { agent: null })).toEqual([])
  })

  test('a province names the region if there is no postcode', () => {
    const withoutPostcode = change(complete, { property: { postcode: null }, agent: null })
    expect(codes(withoutPostcode, { property: { province: 'Lérida' } })).toContain(
      'required AGENT_LICENCE_MISSING',
    )
    expect(codes(withoutPostcode, { property: { province: 'València/Valencia' } })).toContain(
      'recommended AGENT_LICENCE_MISSING',
    )
    expect(codes(withoutPostcode, { property: { province: null } })).toEqual([])
  })

  test('the regional law is cited where it is stricter', () => {
    const warnings = checkAdvertising(
      change(catalan, { property: { municipality: null, address: null } }),
      today,
    )
    expect(warnings).toMatchObject([
      { code: 'LOCATION_MISSING', severity: 'required', law: { title: 'Llei 18/2007' } },
    ])
  })

  test('new homes state areas, state of construction and building permit', () => {
    expect(
      codes(catalan, {
        property: { condition: 'new', usableSquareMeters: null, squareMeters: null },
        advertising: { priceIncludesTaxes: true },
      }),
    ).toEqual([
      'required CONSTRUCTION_STATE_MISSING',
      'required USABLE_AREA_MISSING',
      'required BUILT_AREA_MISSING',
      'recommended BUILDING_PERMIT_MISSING',
    ])
  })

  test('rental homes state usable area, rent, and what limits the rent in a stressed area', () => {
    expect(codes(catalanRental, { property: { usableSquareMeters: null, price: null } })).toEqual([
      'required USABLE_AREA_MISSING',
      'required PRICE_MISSING',
      'recommended STRESSED_AREA_UNSTATED',
    ])
    expect(codes(catalanRental, { advertising: { isStressedArea: true } })).toEqual([
      'required RENT_LIMIT_MISSING',
      'required LARGE_HOLDER_UNSTATED',
    ])
    expect(
      codes(catalanRental, {
        advertising: { isStressedArea: true, referenceRent: 1180, isLargeHolder: false },
      }),
    ).toEqual([])
    expect(codes(catalanRental, { advertising: { isStressedArea: false } })).toEqual([])
  })

  test('the owner is stated from the day on which the decree took effect', () => {
    const stressed: Change = { advertising: { isStressedArea: true } }
    expect(codes(catalanRental, stressed, Temporal.PlainDate.from('2025-01-29'))).toEqual([
      'required RENT_LIMIT_MISSING',
    ])
    expect(codes(catalanRental, stressed, Temporal.PlainDate.from('2025-01-30'))).toEqual([
      'required RENT_LIMIT_MISSING',
      'required LARGE_HOLDER_UNSTATED',
    ])
  })
})
