/** Calendars whose rules would take long: they end soon, and are refused if they are too large. */
import { expect, test } from 'vitest'
import { event, listBusy, range, read, wrap } from '../../../test/icalendar.ts'
import { readCalendar } from './read-calendar.ts'

test('hostile rules end', () => {
  const rules = [
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=31',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31',
    'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31',
    'FREQ=HOURLY;INTERVAL=2;BYHOUR=1;BYMINUTE=61',
    'FREQ=MONTHLY;BYDAY=1MO;BYSETPOS=2',
    'FREQ=YEARLY;INTERVAL=999999999999',
    'FREQ=DAILY;BYMONTHDAY=31;BYMONTH=2;COUNT=99999999',
    'FREQ=SECONDLY;COUNT=99999999',
  ]
  for (const rule of rules)
    expect([
      rule,
      listBusy(event('UID:a', 'DTSTART:16010101T000001Z', 'DURATION:PT1H', `RRULE:${rule}`)),
    ]).toEqual([rule, []])
})

test.each<[what: string, lines: (index: number) => string[]]>([
  ['daily events', index => [`UID:${index}`, 'RRULE:FREQ=DAILY']],
  ['versions of one daily event', () => ['UID:a', 'RRULE:FREQ=DAILY']],
  ['rules that never match', index => [`UID:${index}`, 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31']],
  ['rules that count', index => [`UID:${index}`, 'RRULE:FREQ=DAILY;BYMONTH=2;COUNT=90000']],
])('a calendar of the largest size is refused soon: %s', (_what, lines) => {
  const text = wrap(
    ...Array.from({ length: 49_000 }, (_, index) =>
      event('DTSTART;TZID=Europe/Madrid:20200101T100000', 'DURATION:PT1H', ...lines(index)),
    ),
  )
  const before = process.threadCpuUsage()
  expect(() => readCalendar(text, range)).toThrow(/20000 occurrences|too many recurring events/)
  const { user, system } = process.threadCpuUsage(before)
  // The thread that reads has 10 s of processor time.
  expect((user + system) / 1e6).toBeLessThan(10)
})

test('a calendar of many events that are over is read', () => {
  const ended = (index: number) =>
    event(
      `UID:${index}`,
      'DTSTART;TZID=Europe/Madrid:20200101T100000',
      'DURATION:PT1H',
      `RRULE:FREQ=DAILY;${index % 2 ? 'UNTIL=20200301T000000Z' : 'COUNT=100'}`,
    )
  expect(read(...Array.from({ length: 20_000 }, (_, index) => ended(index)))).toMatchObject({
    events: [],
    warnings: [],
  })
})
