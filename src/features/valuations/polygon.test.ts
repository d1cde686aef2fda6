/** Valid and invalid polygons. */
import { expect, test } from 'vitest'
import type { Place } from '../../domain/valuation/property.ts'
import { findPolygonError, toCorners } from './polygon.ts'

const ring = (...corners: [longitude: number, latitude: number][]): Place[] =>
  corners.map(([longitude, latitude]) => ({ longitude, latitude }))
const code = (polygon: Place[]) => findPolygonError(toCorners(polygon))?.code ?? null
const star = ring([0, 3], [2, -3], [-3, 1], [3, 1], [-2, -3])

test.each<[string, string | null, Place[]]>([
  ['a triangle', null, ring([0, 0], [1, 0], [0, 1])],
  ['a closed ring', null, ring([0, 0], [1, 0], [0, 1], [0, 0])],
  ['repeated corners', null, ring([0, 0], [0, 0], [1, 0], [0, 1], [0, 1])],
  ['a clockwise triangle', null, ring([0, 1], [1, 0], [0, 0])],
  ['a concave polygon', null, ring([0, 0], [4, 0], [4, 4], [2, 1], [0, 4])],
  ['a corner on a side', null, ring([0, 0], [1, 0], [2, 0], [2, 2])],
  ['two distinct corners', 'TOO_FEW', ring([0, 0], [1, 0], [0, 0])],
  ['one distinct corner', 'TOO_FEW', ring([0, 0], [0, 0], [0, 0])],
  ['a line', 'NO_AREA', ring([0, 0], [1, 1], [2, 2])],
  ['an almost straight line', 'NO_AREA', ring([2, 41], [2.000001, 41.000001], [2.000002, 41.000002])],
  ['a bow tie', 'SELF_CROSSING', ring([0, 0], [1, 1], [1, 0], [0, 1])],
  ['an uneven bow tie', 'SELF_CROSSING', ring([0, 0], [3, 3], [3, 0], [0, 1])],
  ['a star', 'SELF_CROSSING', star],
  ['a polygon that touches itself', 'SELF_CROSSING', ring([0, 0], [4, 0], [4, 4], [2, 0], [0, 4])],
  ['a spike', 'SELF_CROSSING', ring([0, 0], [2, 0], [2, 2], [2, 5], [2, 2], [0, 2])],
  ['two overlapping sides', 'SELF_CROSSING', ring([0, 0], [4, 0], [4, 4], [3, 0], [1, 0], [0, 4])],
  [
    'several overlapping sides',
    'SELF_CROSSING',
    ring([0, 0], [4, 0], [4, 4], [5, 0], [3, 0], [1, 0], [-1, 0], [0, 4]),
  ],
  ['sides that cross several times', 'SELF_CROSSING', ring([2, 1], [3, 3], [1, 3], [2, 3], [0, 3], [0, 2])],
  ['a side that doubles back', 'SELF_CROSSING', ring([0, 0], [4, 0], [2, 0], [2, 3])],
  ['a side that doubles back beyond its start', 'SELF_CROSSING', ring([2, 0], [4, 0], [0, 0], [0, 3])],
  ['a polygon across the 180th meridian', 'NOT_ALLOWED', ring([179, 0], [-179, 0], [-179, 1])],
])('%s: %s', (_name, expected, polygon) => {
  expect(code(polygon)).toBe(expected)
})

test('a circle of 500 corners is valid, and checked within milliseconds', () => {
  const corners = Array.from({ length: 500 }, (_, index): [number, number] => {
    const angle = (2 * Math.PI * index) / 500
    return [2 + Math.cos(angle) / 10, 41 + Math.sin(angle) / 10]
  })
  const before = process.threadCpuUsage()
  expect(code(ring(...corners))).toBeNull()
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(200)
})
