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
  ['one that is closed by its first corner', null, ring([0, 0], [1, 0], [0, 1], [0, 0])],
  ['repeated corners', null, ring([0, 0], [0, 0], [1, 0], [0, 1], [0, 1])],
  ['the other way round', null, ring([0, 1], [1, 0], [0, 0])],
  ['with a bay', null, ring([0, 0], [4, 0], [4, 4], [2, 1], [0, 4])],
  ['with a corner within a side', null, ring([0, 0], [1, 0], [2, 0], [2, 2])],
  ['two places', 'TOO_FEW', ring([0, 0], [1, 0], [0, 0])],
  ['one place', 'TOO_FEW', ring([0, 0], [0, 0], [0, 0])],
  ['a line', 'NO_AREA', ring([0, 0], [1, 1], [2, 2])],
  ['a line that is hardly bent', 'NO_AREA', ring([2, 41], [2.000001, 41.000001], [2.000002, 41.000002])],
  ['a bow tie', 'SELF_CROSSING', ring([0, 0], [1, 1], [1, 0], [0, 1])],
  ['an uneven bow tie', 'SELF_CROSSING', ring([0, 0], [3, 3], [3, 0], [0, 1])],
  ['a star', 'SELF_CROSSING', star],
  ['one that touches itself', 'SELF_CROSSING', ring([0, 0], [4, 0], [4, 4], [2, 0], [0, 4])],
  ['one with a spike', 'SELF_CROSSING', ring([0, 0], [2, 0], [2, 2], [2, 5], [2, 2], [0, 2])],
  ['with two sides on one line', 'SELF_CROSSING', ring([0, 0], [4, 0], [4, 4], [3, 0], [1, 0], [0, 4])],
  [
    'along its own side',
    'SELF_CROSSING',
    ring([0, 0], [4, 0], [4, 4], [5, 0], [3, 0], [1, 0], [-1, 0], [0, 4]),
  ],
  ['to and fro', 'SELF_CROSSING', ring([2, 1], [3, 3], [1, 3], [2, 3], [0, 3], [0, 2])],
  ['one with a side that goes back', 'SELF_CROSSING', ring([0, 0], [4, 0], [2, 0], [2, 3])],
  ['one with a side that goes back beyond', 'SELF_CROSSING', ring([2, 0], [4, 0], [0, 0], [0, 3])],
  ['across the 180th meridian', 'NOT_ALLOWED', ring([179, 0], [-179, 0], [-179, 1])],
])('%s: %s', (_name, expected, polygon) => {
  expect(code(polygon)).toBe(expected)
})

test('a circle of 500 corners is valid, and checked within milliseconds', () => {
  const corners = Array.from({ length: 500 }, (_, index): [number, number] => {
    const angle = (2 * Math.PI * index) / 500
    return [2 + Math.cos(angle) / 10, 41 + Math.sin(angle) / 10]
  })
  const startedMs = performance.now()
  expect(code(ring(...corners))).toBeNull()
  expect(performance.now() - startedMs).toBeLessThan(200)
})
