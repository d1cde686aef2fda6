/** What a warning says, energy ratings, and countries without rules. */
import { describe, expect, test } from 'vitest'
import { checkAdvertising } from './check-advertising.ts'
import {
  type Change,
  change,
  codes,
  complete,
  inBarcelona,
  inLisbon,
  inMilan,
  rental,
  today,
} from './sample-property.ts'

test('a complete sheet has no warnings in any country', () => {
  for (const place of [{}, inBarcelona, inLisbon, inMilan]) expect(codes(complete, place)).toEqual([])
})

test('a warning says what is missing, where to state it, and which law wants it', () => {
  expect(checkAdvertising(change(complete, { energy: null }), today)).toEqual([
    {
      code: 'ENERGY_RATING_MISSING',
      field: 'energy.rating',
      severity: 'required',
      message:
        'Every offer and advertisement includes the energy rating. A certificate in progress is not enough.',
      law: {
        title: 'Real Decreto 390/2021',
        article: 'arts. 15.2 and 17.3',
        url: 'https://www.boe.es/eli/es/rd/2021/06/01/390/con',
      },
      confirmation: 'text',
    },
  ])
})

describe('energy ratings', () => {
  const missing = 'required ENERGY_RATING_MISSING'
  test.each<[string, Change, boolean]>([
    ['no rating', { energy: { rating: null } }, true],
    ['a certificate in progress', { energy: { rating: 'in_progress' } }, true],
    ['an exempt building', { energy: { rating: 'exempt' } }, false],
    ['an office without rating', { property: { propertyType: 'offices' }, energy: null }, true],
    ['an unknown type without rating', { property: { propertyType: null }, energy: null }, true],
    ['a garage', { property: { propertyType: 'garages' }, energy: null }, false],
    ['land', { property: { subtype: 'land' }, energy: null }, false],
    ['a storage room', { property: { subtype: 'storage' }, energy: null }, false],
  ])('%s', (_what, changes, isMissing) => {
    for (const place of [{}, inBarcelona, inLisbon, inMilan])
      expect(codes(change(complete, place), changes).includes(missing)).toBe(isMissing)
  })

  test('Italy also requires the index, except of exempt buildings', () => {
    const italian = change(complete, inMilan)
    expect(codes(italian, { energy: { consumptionKwhM2: null } })).toEqual([
      'required ENERGY_CONSUMPTION_MISSING',
    ])
    expect(codes(italian, { energy: { rating: 'exempt', consumptionKwhM2: null } })).toEqual([])
  })
})

test('zero and blank texts state nothing', () => {
  const agent = { licence: 'AICAT 1234' }
  const barcelona = change(rental, { ...inBarcelona, agent, advertising: { isStressedArea: false } })
  expect(codes(barcelona)).toEqual([])
  expect(
    codes(barcelona, {
      property: { price: 0, squareMeters: 0, usableSquareMeters: 0, municipality: ' ', address: '' },
    }),
  ).toEqual([
    'required LOCATION_MISSING',
    'required USABLE_AREA_MISSING',
    'required PRICE_MISSING',
    'recommended BUILT_AREA_MISSING',
  ])
  expect(
    codes(barcelona, { advertising: { isStressedArea: true, isLargeHolder: false, lastRent: 0 } }),
  ).toContain('required RENT_LIMIT_MISSING')
  const lisbon = change(rental, inLisbon)
  expect(codes(lisbon, { property: { rooms: 0, bedrooms: null }, advertising: { usePermit: ' ' } })).toEqual([
    'required USE_PERMIT_MISSING',
    'required ROOMS_MISSING',
  ])
  expect(
    codes(lisbon, { property: { rooms: null, bedrooms: 0 }, advertising: { usePermit: '12/2020' } }),
  ).toEqual([])
})

test('other and unknown countries have no rules', () => {
  const nothing: Change = { energy: null, agent: null }
  for (const country of ['FR', null])
    expect(codes(complete, { ...nothing, property: { country } })).toEqual([])
})
