/** Days of a visitor's time zone. */
import { expect, test } from 'vitest'
import { at, between } from '../../../test/slot-requests.ts'
import { groupByDay, toDayRange } from './group-by-day.ts'

const slots = ['2026-10-24T21:30Z', '2026-10-24T22:30Z', '2026-10-25T22:30Z', '2026-10-25T23:00Z'].map(
  time => ({
    startMs: at(time),
    endMs: at(time) + 1,
  }),
)

test('the same slots fall on other days elsewhere; the day of 25 hours is one day', () => {
  const count = (timezone: string) =>
    Object.entries(groupByDay(slots, timezone)).map(([day, list]) => [day, list.length])
  expect(count('Europe/Madrid')).toEqual([
    ['2026-10-24', 1],
    ['2026-10-25', 2],
    ['2026-10-26', 1],
  ])
  expect(count('America/Sao_Paulo')).toEqual([
    ['2026-10-24', 2],
    ['2026-10-25', 2],
  ])
  expect(groupByDay([], 'Europe/Madrid')).toEqual({})
})

test('a range of days begins at the first moment of its day, which may not be midnight', () => {
  expect(toDayRange('2026-10-24', '2026-10-25', 'Europe/Madrid')).toEqual(
    between('2026-10-23T22:00Z', '2026-10-25T23:00Z'),
  )
  expect(toDayRange('2018-11-04', '2018-11-04', 'America/Sao_Paulo')).toEqual(
    between('2018-11-04T03:00Z', '2018-11-05T02:00Z'),
  )
})
