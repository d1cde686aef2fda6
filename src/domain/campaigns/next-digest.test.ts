/** Times of digests. */
import { expect, test } from 'vitest'
import { findNextDigest } from './next-digest.ts'

const madrid = 'Europe/Madrid'
const every = [1, 2, 3, 4, 5, 6, 7]

test.each([
  ['later today', '08:00', every, madrid, '2026-11-27T06:00:00Z', '2026-11-27T07:00:00Z'],
  ['tomorrow, at that very moment', '08:00', every, madrid, '2026-11-27T07:00:00Z', '2026-11-28T07:00:00Z'],
  ['on the next chosen day', '08:00', [1], madrid, '2026-11-27T06:00:00Z', '2026-11-30T07:00:00Z'],
  ['in a week, once today has passed', '08:00', [5], madrid, '2026-11-27T09:00:00Z', '2026-12-04T07:00:00Z'],
  ['by the day of the zone', '00:30', [6], 'Asia/Tokyo', '2026-11-27T14:00:00Z', '2026-11-27T15:30:00Z'],
  ['after the gap of spring', '02:30', every, madrid, '2026-03-28T12:00:00Z', '2026-03-29T01:30:00Z'],
  ['first of the repeated hour', '02:30', every, madrid, '2026-10-24T12:00:00Z', '2026-10-25T00:30:00Z'],
  ['not twice in autumn', '02:30', every, madrid, '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
])('%s', (_when, at, days, timezone, from, due) => {
  expect(findNextDigest({ at, days, timezone }, new Date(from)).toISOString()).toBe(
    new Date(due).toISOString(),
  )
})
