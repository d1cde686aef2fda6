/** The run times of scheduled jobs. */
import { expect, test } from 'vitest'
import { nextCronTime } from './job-schedule.ts'

test.each([
  ['41 2 * * *', '2026-11-24T02:41:00Z', '2026-11-24T02:41:00Z'],
  ['41 2 * * *', '2026-11-24T02:41:00.001Z', '2026-11-25T02:41:00Z'],
  ['41 2 * * *', '2026-12-31T23:00:00Z', '2027-01-01T02:41:00Z'],
  ['17 * * * *', '2026-11-24T10:18:00Z', '2026-11-24T11:17:00Z'],
  ['*/10 * * * *', '2026-11-24T10:18:00Z', '2026-11-24T10:20:00Z'],
  ['0 9 1 * *', '2026-02-01T09:00:30Z', '2026-03-01T09:00:00Z'],
  ['0 9 * * 1', '2026-11-24T00:00:00Z', '2026-11-30T09:00:00Z'],
])('%s is after %s at %s', (cron, from, next) => {
  expect(nextCronTime(cron, new Date(from))).toEqual(new Date(next))
})

test('a cron line without any time is an error', () => {
  expect(() => nextCronTime('0 0 31 2 *', new Date())).toThrow('never matches')
})
