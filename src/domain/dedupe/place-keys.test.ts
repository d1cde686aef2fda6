/** Two listings of one property have a common key, wherever their pins are. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toNearbyPlaceKeys, toPlaceKeys } from './place-keys.ts'

const flat = {
  latitude: 41.3917,
  longitude: 2.1611,
  address: 'Carrer de Mallorca, 214',
  municipality: 'Barcelona',
  postcode: '08008',
}
type Place = typeof flat

const pin = fc.record({
  latitude: fc.double({ min: -65, max: 65, noNaN: true }),
  longitude: fc.double({ min: -179.9, max: 179.9, noNaN: true }),
})

function movePoint(
  { latitude, longitude }: { latitude: number; longitude: number },
  meters: number,
  angle: number,
) {
  const east = (meters * Math.sin(angle)) / (111_200 * Math.cos((latitude * Math.PI) / 180))
  return { latitude: latitude + (meters * Math.cos(angle)) / 111_200, longitude: longitude + east }
}

describe('a pin', () => {
  test('that is moved by up to 250 m is in one of the nearby cells', () => {
    const move = fc.tuple(
      fc.double({ min: 0, max: 250, noNaN: true }),
      fc.double({ min: 0, max: 6.3, noNaN: true }),
    )
    fc.assert(
      fc.property(pin, move, (place, [meters, angle]) => {
        const other = { ...flat, ...movePoint(place, meters, angle) }
        expect(toNearbyPlaceKeys({ ...flat, ...place }).cells).toContain(toPlaceKeys(other).cell)
      }),
      { numRuns: 5000 },
    )
  })

  test('a kilometre away is in none of the nearby cells', () => {
    fc.assert(
      fc.property(pin, fc.double({ min: 0, max: 6.3, noNaN: true }), (place, angle) => {
        const other = { ...flat, ...movePoint(place, 1000, angle) }
        expect(toNearbyPlaceKeys({ ...flat, ...place }).cells).not.toContain(toPlaceKeys(other).cell)
      }),
    )
  })

  test('has 4 to 12 nearby cells, each a safe integer', () => {
    fc.assert(
      fc.property(pin, place => {
        const { cells } = toNearbyPlaceKeys({ ...flat, ...place })
        expect(cells.length).toBeGreaterThanOrEqual(4)
        expect(cells.length).toBeLessThanOrEqual(12)
        expect(new Set(cells).size).toBe(cells.length)
        expect(cells.every(Number.isSafeInteger)).toBe(true)
      }),
    )
  })

  test.each([{ latitude: null }, { longitude: null }])('with only one coordinate has no cell', half => {
    expect(toPlaceKeys({ ...flat, ...half }).cell).toBeNull()
    expect(toNearbyPlaceKeys({ ...flat, ...half }).cells).toEqual([])
  })
})

describe('a street', () => {
  test.each<[string, Partial<Place>, boolean]>([
    ['matches if abbreviated', { address: 'C/ Mallorca 216' }, true],
    ['matches without a number', { address: 'Mallorca' }, true],
    ['matches in capitals', { address: 'CARRER DE MALLORCA 1', municipality: 'BARCELONA' }, true],
    ['matches by its longest word', { address: 'Carrer de Mallorca i Rosselló' }, true],
    ['of another town does not match', { municipality: 'Badalona' }, false],
    ['of another name does not match', { address: 'Carrer de València, 214' }, false],
  ])('%s', (_what, place, isSame) => {
    const { street } = toNearbyPlaceKeys({ ...flat, ...place })
    expect(Number.isSafeInteger(street)).toBe(true)
    expect(street === toPlaceKeys(flat).street).toBe(isSame)
  })

  test.each([{ address: null }, { address: '-' }, { municipality: null, postcode: null }])(
    'has no key with %j',
    place => {
      expect(toPlaceKeys({ ...flat, ...place }).street).toBeNull()
    },
  )

  test('without a town uses the postcode', () => {
    const townless = { ...flat, municipality: null }
    expect(toPlaceKeys(townless).street).not.toBeNull()
    expect(toPlaceKeys({ ...townless, postcode: '08009' }).street).not.toBe(toPlaceKeys(townless).street)
  })
})
