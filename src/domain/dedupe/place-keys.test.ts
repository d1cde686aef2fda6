/** Whether two adverts of one property are found under one key, wherever their pins are put. */
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
  test('that is moved by up to 250 m lies in one of the cells near it', () => {
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

  test('a kilometre away is in none of them', () => {
    fc.assert(
      fc.property(pin, fc.double({ min: 0, max: 6.3, noNaN: true }), (place, angle) => {
        const other = { ...flat, ...movePoint(place, 1000, angle) }
        expect(toNearbyPlaceKeys({ ...flat, ...place }).cells).not.toContain(toPlaceKeys(other).cell)
      }),
    )
  })

  test('is looked for in 4 to 12 cells, each a safe integer', () => {
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

  test.each([{ latitude: null }, { longitude: null }])('of one coordinate is none', half => {
    expect(toPlaceKeys({ ...flat, ...half }).cell).toBeNull()
    expect(toNearbyPlaceKeys({ ...flat, ...half }).cells).toEqual([])
  })
})

describe('a street', () => {
  test.each<[string, Partial<Place>, boolean]>([
    ['is known abbreviated', { address: 'C/ Mallorca 216' }, true],
    ['is known without a number', { address: 'Mallorca' }, true],
    ['is known in capitals', { address: 'CARRER DE MALLORCA 1', municipality: 'BARCELONA' }, true],
    ['is known by its longest word', { address: 'Carrer de Mallorca i Rosselló' }, true],
    ['of another town is another', { municipality: 'Badalona' }, false],
    ['of another name is another', { address: 'Carrer de València, 214' }, false],
  ])('%s', (_what, place, isSame) => {
    const { street } = toNearbyPlaceKeys({ ...flat, ...place })
    expect(Number.isSafeInteger(street)).toBe(true)
    expect(street === toPlaceKeys(flat).street).toBe(isSame)
  })

  test.each([{ address: null }, { address: '-' }, { municipality: null, postcode: null }])(
    'is none where %j',
    place => {
      expect(toPlaceKeys({ ...flat, ...place }).street).toBeNull()
    },
  )

  test('without a town is of its postcode', () => {
    const townless = { ...flat, municipality: null }
    expect(toPlaceKeys(townless).street).not.toBeNull()
    expect(toPlaceKeys({ ...townless, postcode: '08009' }).street).not.toBe(toPlaceKeys(townless).street)
  })
})
