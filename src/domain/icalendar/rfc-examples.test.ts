/** Every example of RFC 5545, 3.8.5.3, in the order of the RFC. Those that never end are read as far as the RFC lists them. */
import { expect, test } from 'vitest'
import { readCalendar } from './read-calendar.ts'

const weekdays = 'MO,TU,WE,TH,FR'
const january = '1998-01:1-31 1999-01:1-31 2000-01:1-31'
const thirds = '1997-09:2,4,9,11,16,18,23,25,30 1997-10:2'
const toDecember = '1997-09:2-30 1997-10:1-31 1997-11:1-30 1997-12:1-23'
const everyOther = '1997-09:2,16,30 1997-10:14,28 1997-11:11,25 1997-12:9,23 1998-01:6,20 1998-02:3,17'
const firstFridays = '1997-09:5 1997-10:3 1997-11:7 1997-12:5'

/** Rule; the days, at 9:00 in New York. */
const examples: [rule: string, days: string][] = [
  ['FREQ=DAILY;COUNT=10', '1997-09:2-11'],
  ['FREQ=DAILY;UNTIL=19971224T000000Z', toDecember],
  ['FREQ=DAILY;INTERVAL=2', '1997-09:2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 1997-10:2,4'],
  ['FREQ=DAILY;INTERVAL=10;COUNT=5', '1997-09:2,12,22 1997-10:2,12'],
  [`FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,${weekdays},SA`, january],
  ['FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1', january],
  ['FREQ=WEEKLY;COUNT=10', '1997-09:2,9,16,23,30 1997-10:7,14,21,28 1997-11:4'],
  [
    'FREQ=WEEKLY;UNTIL=19971224T000000Z',
    '1997-09:2,9,16,23,30 1997-10:7,14,21,28 1997-11:4,11,18,25 1997-12:2,9,16,23',
  ],
  ['FREQ=WEEKLY;INTERVAL=2;WKST=SU', everyOther],
  ['FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH', thirds],
  ['FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH', thirds],
  [
    'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
    '1997-09:1,3,5,15,17,19,29 1997-10:1,3,13,15,17,27,29,31 1997-11:10,12,14,24,26,28 1997-12:8,10,12,22',
  ],
  ['FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH', '1997-09:2,4,16,18,30 1997-10:2,14,16'],
  [
    'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
    `${firstFridays} 1998-01:2 1998-02:6 1998-03:6 1998-04:3 1998-05:1 1998-06:5`,
  ],
  ['FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR', firstFridays],
  [
    'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
    '1997-09:7,28 1997-11:2,30 1998-01:4,25 1998-03:1,29 1998-05:3,31',
  ],
  ['FREQ=MONTHLY;COUNT=6;BYDAY=-2MO', '1997-09:22 1997-10:20 1997-11:17 1997-12:22 1998-01:19 1998-02:16'],
  ['FREQ=MONTHLY;BYMONTHDAY=-3', '1997-09:28 1997-10:29 1997-11:28 1997-12:29 1998-01:29 1998-02:26'],
  [
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15',
    '1997-09:2,15 1997-10:2,15 1997-11:2,15 1997-12:2,15 1998-01:2,15',
  ],
  [
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
    '1997-09:30 1997-10:1,31 1997-11:1,30 1997-12:1,31 1998-01:1,31 1998-02:1',
  ],
  ['FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15', '1997-09:10-15 1999-03:10-13'],
  [
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
    '1997-09:2,9,16,23,30 1997-11:4,11,18,25 1998-01:6,13,20,27 1998-03:3,10,17,24,31',
  ],
  [
    'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
    '1997-06:10 1997-07:10 1998-06:10 1998-07:10 1999-06:10 1999-07:10 2000-06:10 2000-07:10 2001-06:10 2001-07:10',
  ],
  [
    'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3',
    '1997-03:10 1999-01:10 1999-02:10 1999-03:10 2001-01:10 2001-02:10 2001-03:10 2003-01:10 2003-02:10 2003-03:10',
  ],
  [
    'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
    '1997-01:1 1997-04:10 1997-07:19 2000-01:1 2000-04:9 2000-07:18 2003-01:1 2003-04:10 2003-07:19 2006-01:1',
  ],
  ['FREQ=YEARLY;BYDAY=20MO', '1997-05:19 1998-05:18 1999-05:17'],
  ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '1997-05:12 1998-05:11 1999-05:17'],
  ['FREQ=YEARLY;BYMONTH=3;BYDAY=TH', '1997-03:13,20,27 1998-03:5,12,19,26 1999-03:4,11,18,25'],
  [
    'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8',
    '1997-06:5,12,19,26 1997-07:3,10,17,24,31 1997-08:7,14,21,28 1998-06:4,11,18,25 1998-07:2,9,16,23,30 1998-08:6,13,20,27 1999-06:3,10,17,24 1999-07:1,8,15,22,29 1999-08:5,12,19,26',
  ],
  [
    'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
    '1997-09:13 1997-10:11 1997-11:8 1997-12:13 1998-01:10 1998-02:7 1998-03:7 1998-04:11 1998-05:9 1998-06:13',
  ],
  ['FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8', '1996-11:5 2000-11:7 2004-11:2'],
  ['FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', '1997-09:4 1997-10:7 1997-11:6'],
  [
    `FREQ=MONTHLY;BYDAY=${weekdays};BYSETPOS=-2`,
    '1997-09:29 1997-10:30 1997-11:27 1997-12:30 1998-01:29 1998-02:26 1998-03:30',
  ],
  ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', '1997-08:5,10,19,24'],
  ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '1997-08:5,17,19,31'],
  ['FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5', '2007-01:15,30 2007-02:15 2007-03:15,30'],
]

test.each(examples)('%s', (rule, days) => {
  const expected = listDays(days).map(day => `${day}T09:00:00`)
  expect(listStarts(expected[0]!, [rule], /COUNT|UNTIL/.test(rule) ? null : expected.at(-1)!)).toEqual(
    expected,
  )
})

test('Friday the 13th, without the start', () => {
  const lines = ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', 'EXDATE;TZID=America/New_York:19970902T090000']
  expect(listStarts('1997-09-02T09:00:00', lines, '2000-10-13T09:00:00')).toEqual(
    ['1998-02-13', '1998-03-13', '1998-11-13', '1999-08-13', '2000-10-13'].map(day => `${day}T09:00:00`),
  )
})

test('rules within a day', () => {
  const list = (rule: string, end: string | null = null) =>
    listStarts('1997-09-02T09:00:00', [rule], end).map(time => time.slice(5, 16))
  // 17:00 UTC is 13:00 in New York: the RFC's list, which has 15:00 too, is a known mistake.
  expect(list('FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z')).toEqual(['09-02T09:00', '09-02T12:00'])
  expect(list('FREQ=MINUTELY;INTERVAL=15;COUNT=6').map(time => time.slice(6))).toEqual([
    ...['09:00', '09:15', '09:30', '09:45', '10:00', '10:15'],
  ])
  expect(list('FREQ=MINUTELY;INTERVAL=90;COUNT=4').map(time => time.slice(6))).toEqual([
    ...['09:00', '10:30', '12:00', '13:30'],
  ])
  const times = [9, 10, 11, 12, 13, 14, 15, 16].flatMap(hour =>
    ['00', '20', '40'].map(minute => `${String(hour).padStart(2, '0')}:${minute}`),
  )
  const expected = ['09-02', '09-03', '09-04'].flatMap(day => times.map(time => `${day}T${time}`))
  const end = '1997-09-04T16:40:00'
  expect(list('FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40', end)).toEqual(expected)
  expect(list('FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16', end)).toEqual(expected)
})

/** `1997-09:2-4,9`: the 2nd, 3rd, 4th and 9th. */
const listDays = (text: string): string[] =>
  text.split(' ').flatMap(item => {
    const [month, days] = item.split(':') as [string, string]
    return days.split(',').flatMap(range => {
      const [from, to = from] = range.split('-').map(Number) as [number, number?]
      return Array.from(
        { length: to! - from + 1 },
        (_, index) => `${month}-${String(from + index).padStart(2, '0')}`,
      )
    })
  })

/** The busy minutes of the event, by the clock of New York, up to `last`. */
function listStarts(start: string, [rule, ...more]: string[], last: string | null): string[] {
  const timezone = 'America/New_York'
  const lines = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:a',
    `DTSTART;TZID=${timezone}:${start.replaceAll(/[-:]/g, '')}`,
    'DURATION:PT1M',
    `RRULE:${rule}`,
    ...more,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  const toMs = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime(timezone).epochMilliseconds
  const { events, warnings } = readCalendar(`${lines.join('\r\n')}\r\n`, {
    fromMs: toMs(start),
    toMs: toMs(last ?? '2010-01-01T00:00:00') + 60_000,
    timezone,
  })
  expect(warnings).toEqual([])
  return events
    .flatMap(({ busy }) => busy)
    .map(({ startMs }) =>
      Temporal.Instant.fromEpochMilliseconds(startMs)
        .toZonedDateTimeISO(timezone)
        .toPlainDateTime()
        .toString(),
    )
}
