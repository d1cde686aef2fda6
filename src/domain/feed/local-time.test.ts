/** Local times of a feed, in summer and winter. */
import { expect, test } from 'vitest'
import { parseLocalTime, toLocalDateTime } from './local-time.ts'

test.each([
  ['2026-11-01 10:00:00', '2026-11-01T09:00:00.000Z'],
  ['2026-07-01 10:00:05', '2026-07-01T08:00:05.000Z'],
  ['2013-09-27T12:00', '2013-09-27T10:00:00.000Z'],
  // A repeated hour is the first one; a skipped hour is the following one.
  ['2026-10-25 02:30:00', '2026-10-25T00:30:00.000Z'],
  ['2026-03-29 02:30:00', '2026-03-29T01:30:00.000Z'],
  ['2026-11-01', null],
  ['2026-02-30 10:00:00', null],
  ['2026-11-01 24:00:00', null],
  ['2026-11-01 10:61:00', null],
  ['0000-00-00 00:00:00', null],
  ['01/11/2026 10:00', null],
  ['', null],
])('%s in Madrid is %s', (text, instant) => {
  expect(parseLocalTime(text, 'Europe/Madrid')).toBe(instant)
})

test('an instant is formatted in local time', () => {
  const ms = Date.parse('2026-07-01T08:00:05.000Z')
  expect(toLocalDateTime(ms, 'Europe/Madrid')).toBe('2026-07-01 10:00:05')
  expect(parseLocalTime(toLocalDateTime(ms, 'Atlantic/Canary'), 'Atlantic/Canary')).toBe(
    '2026-07-01T08:00:05.000Z',
  )
})
