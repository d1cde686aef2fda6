/** Cells of neighbouring places are close, and ranges cover every place within the radius. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { metersBetween } from '../geo.ts'
import {
  type CellRange,
  coverRadius,
  findAreasAround,
  findRangesAround,
  toCell,
  toNearbySizeClasses,
  toSizeClass,
} from './place-cells.ts'
import type { Place } from './property.ts'

const placeArbitrary = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})
const towns = fc.record({
  latitude: fc.double({ min: -75, max: 75, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})
const share = fc.double({ min: 0, max: 1, noNaN: true })
const bearing = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true })
const options = { smallestMeters: 60, shareOfDistance: 0.5 }

/** Moves a place by a distance in a direction. */
function movePlace({ latitude, longitude }: Place, meters: number, direction: number): Place {
  const arc = meters / 6_371_008.8
  const [from, sine] = [(latitude * Math.PI) / 180, Math.sin]
  const to = Math.asin(sine(from) * Math.cos(arc) + Math.cos(from) * sine(arc) * Math.cos(direction))
  const newLongitude = Math.atan2(
    sine(direction) * sine(arc) * Math.cos(from),
    Math.cos(arc) - sine(from) * sine(to),
  )
  const degrees = longitude + (newLongitude * 180) / Math.PI
  return { latitude: (to * 180) / Math.PI, longitude: ((degrees + 540) % 360) - 180 }
}

/** The ranges that contain the place. */
const listContaining = <R extends CellRange>(ranges: R[], place: Place) =>
  ranges.filter(({ low, high }) => toCell(place) >= low && toCell(place) <= high)

test('cells are safe integers, and differ for places a kilometre apart', () => {
  fc.assert(
    fc.property(towns, bearing, (place, direction) => {
      expect(Number.isSafeInteger(toCell(place))).toBe(true)
      expect(toCell(place)).toBeGreaterThanOrEqual(0)
      expect(toCell(place)).not.toBe(toCell(movePlace(place, 1000, direction)))
    }),
  )
  expect(toCell({ latitude: 90, longitude: 180 })).toBe(2 ** 52 - 1)
  expect(toCell({ latitude: -90, longitude: -180 })).toBe(0)
})

test.each<[string, Place, Place, number]>([
  ['a degree of latitude', { latitude: 0, longitude: 0 }, { latitude: 1, longitude: 0 }, 111_195],
  [
    'Barcelona and Valencia',
    { latitude: 41.3874, longitude: 2.1686 },
    { latitude: 39.4699, longitude: -0.3763 },
    303_000,
  ],
  ['over the 180th meridian', { latitude: 0, longitude: 179.9 }, { latitude: 0, longitude: -179.9 }, 22_239],
])('%s', (_what, one, other, meters) => {
  expect(Math.abs(metersBetween(one, other) - meters)).toBeLessThan(meters / 300)
  expect(metersBetween(one, one)).toBe(0)
})

describe('the cover of a radius', () => {
  const radii = fc.oneof(
    fc.double({ min: 100, max: 5000, noNaN: true }),
    fc.double({ min: 5000, max: 500_000, noNaN: true }),
  )

  test('contains each place within the radius once, with a correct lower bound of the distance', () => {
    fc.assert(
      fc.property(placeArbitrary, radii, share, bearing, (centre, radius, part, direction) => {
        const place = movePlace(centre, radius * part * 0.999, direction)
        const found = listContaining(coverRadius(centre, radius, options), place)
        expect(found).toHaveLength(1)
        expect(found[0]!.nearMeters).toBeLessThanOrEqual(metersBetween(centre, place) + 0.01)
      }),
      { numRuns: 500 },
    )
  })

  test('is sorted by distance, with some hundred ranges, and some ten thousand at the poles', () => {
    const inTowns = fc.tuple(towns, fc.constant(1000))
    const anywhere = fc.tuple(placeArbitrary, fc.constant(20_000))
    fc.assert(
      fc.property(fc.oneof(inTowns, anywhere), radii, ([centre, most], radius) => {
        const near = coverRadius(centre, radius, options).map(({ nearMeters }) => nearMeters)
        expect(near).toEqual(near.toSorted((a, b) => a - b))
        expect(near.length).toBeLessThan(most)
      }),
      { examples: [[[{ latitude: 90, longitude: 0 }, 20_000], 1000]] },
    )
  })

  test('omits only what is outside the bounds', () => {
    const centre = { latitude: 41.4, longitude: 2.17 }
    const within = { south: 41.41, north: 41.42, west: 2.18, east: 2.2 }
    const ranges = coverRadius(centre, 10_000, { ...options, within })
    expect(ranges.length).toBeLessThan(coverRadius(centre, 10_000, options).length)
    expect(listContaining(ranges, { latitude: 41.4101, longitude: 2.1999 })).toHaveLength(1)
    expect(listContaining(ranges, { latitude: 41.35, longitude: 2.1 })).toEqual([])
  })
})

test('ranges around a place contain everything near it and nothing far away', () => {
  fc.assert(
    fc.property(towns, share, bearing, (centre, part, direction) => {
      const ranges = findRangesAround(centre, 130)
      expect(listContaining(ranges, movePlace(centre, 130 * part, direction))).toHaveLength(1)
      expect(listContaining(ranges, movePlace(centre, 700, direction))).toEqual([])
      expect(ranges.length).toBeLessThan(40)
    }),
    { numRuns: 1000 },
  )
})

test('two places near each other have a common area', () => {
  fc.assert(
    fc.property(towns, share, bearing, (one, part, direction) => {
      const other = movePlace(one, 130 * part, direction)
      const [ofOne, ofOther] = [findAreasAround(one, 130), findAreasAround(other, 130)]
      expect(ofOne.some(area => ofOther.includes(area))).toBe(true)
    }),
  )
})

test('the nearby classes cover all sizes within the factor', () => {
  const size = fc.double({ min: 5, max: 10_000, noNaN: true })
  fc.assert(
    fc.property(size, fc.double({ min: 0.5, max: 2, noNaN: true }), (squareMeters, factor) => {
      const classes = toNearbySizeClasses(squareMeters, 2)
      expect(classes).toContain(toSizeClass(squareMeters * factor))
      expect(classes.length).toBeLessThanOrEqual(5)
    }),
  )
})
