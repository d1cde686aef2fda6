/** Busy times of events as Google, Outlook, Apple and hostile people write them. */
import { expect, test } from 'vitest'
import { event, listBusy, range, read, wrap } from '../../../test/icalendar.ts'
import { readCalendar } from './read-calendar.ts'

const daily = (...more: string[]) =>
  event('UID:a', 'DTSTART;TZID=Europe/Madrid:20260328T100000', 'DURATION:PT1H', ...more)

test('a recurring event keeps its local time when clocks change', () => {
  expect(listBusy(daily('RRULE:FREQ=DAILY;COUNT=3'))).toEqual([
    '03-28T09:00/03-28T10:00',
    '03-29T08:00/03-29T09:00',
    '03-30T08:00/03-30T09:00',
  ])
})

test('an event of thousands of years blocks all of the range, and leaves the others', () => {
  for (const duration of ['P999999Y', 'P300000W', 'P9999999999D', 'PT99999999999H']) {
    const texts = [
      event('UID:a', 'DTSTART:20260401T090000Z', `DURATION:${duration}`),
      event('UID:b', 'DTSTART:20260402T090000Z', 'DURATION:PT1H'),
    ]
    const { events, warnings } = readCalendar(wrap(...texts), range)
    expect([duration, warnings, events.map(({ uid }) => uid)]).toEqual([duration, [], ['a', 'b']])
    expect(events[0]!.busy[0]!.endMs).toBe(range.toMs)
  }
})

test('UNTIL in UTC, as a local time and as a day includes its occurrence', () => {
  for (const until of ['20260329T080000Z', '20260329T100000', '20260329'])
    expect(listBusy(daily(`RRULE:FREQ=DAILY;UNTIL=${until}`))).toHaveLength(2)
})

test('a rule of many years is read from near the range', () => {
  for (const [rule, count] of [
    ['FREQ=DAILY;INTERVAL=3', 134],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO', 28],
    ['FREQ=MONTHLY', 8],
    ['FREQ=YEARLY', 1],
  ] as const)
    expect([
      rule,
      listBusy(event('UID:a', 'DTSTART:19000131T090000Z', 'DURATION:PT1H', `RRULE:${rule}`)).length,
    ]).toEqual([rule, count])
  expect(listBusy(event('UID:a', 'DTSTART:19240229T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=YEARLY'))).toEqual(
    [],
  )
})

test('a rule that counts has the right occurrences, however long ago it began', () => {
  const list = (start: string, rule: string) =>
    listBusy(event('UID:a', `DTSTART:${start}T090000Z`, 'DURATION:PT1H', `RRULE:${rule}`))
  /** COUNT of the rule from a day until the last one. */
  const countDays = (from: string, to: string, days: number) =>
    Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days / days + 1
  for (const year of [1601, 1700, 1900, 1970, 2020]) {
    const count = countDays(`${year}-01-01`, '2026-03-03', 1)
    expect(list(`${year}0101`, `FREQ=DAILY;COUNT=${count}`)).toEqual(
      ['03-01', '03-02', '03-03'].map(day => `${day}T09:00/${day}T10:00`),
    )
    expect(list(`${year}0101`, `FREQ=DAILY;COUNT=${count - 3}`)).toEqual([])
    // Every second week, on Mondays and Thursdays; weeks begin on Monday.
    const monday = Temporal.PlainDate.from(`${year}-01-01`).add({ days: 7 })
    const start = monday.subtract({ days: monday.dayOfWeek - 1 })
    const until = Temporal.PlainDate.from('2026-03-02')
    const weeks = start.until(until, { largestUnit: 'days' }).days / 7
    const first = start.add({ weeks: weeks % 2, days: 3 })
    const rule = `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=${2 * Math.floor(weeks / 2)}`
    expect(list(first.toString().replaceAll('-', ''), rule)).toEqual(['03-02T09:00/03-02T10:00'])
    expect(list(`${year}0308`, `FREQ=YEARLY;COUNT=${2026 - year}`)).toEqual([])
    expect(list(`${year}0308`, `FREQ=YEARLY;COUNT=${2027 - year}`)).toEqual(['03-08T09:00/03-08T10:00'])
    const months = (2026 - year) * 12 + 3
    expect(list(`${year}0115`, `FREQ=MONTHLY;COUNT=${months}`)).toEqual(['03-15T09:00/03-15T10:00'])
  }
  const weekdays = list('19700105', 'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=14652')
  expect(weekdays).toEqual(['03-02T09:00/03-02T10:00', '03-03T09:00/03-03T10:00'])
})

test('a rule that began long ago and counts unevenly is counted', () => {
  const { events, warnings } = read(
    event('UID:a', 'DTSTART:16010101T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;BYMONTH=3;COUNT=90000'),
  )
  expect([events[0]!.busy.length, warnings]).toEqual([62, []])
})

test('exceptions and additional dates', () => {
  expect(
    listBusy(
      daily(
        'RRULE:FREQ=DAILY;COUNT=4',
        'EXDATE;TZID=Europe/Madrid:20260329T100000',
        'EXDATE;VALUE=DATE:20260330',
        'RDATE;TZID=Europe/Madrid:20260410T100000',
        'RDATE;VALUE=PERIOD:20260411T100000Z/PT2H,20260412T100000Z/20260412T103000Z',
      ),
    ),
  ).toEqual([
    '03-28T09:00/03-28T10:00',
    '03-31T08:00/03-31T09:00',
    '04-10T08:00/04-10T09:00',
    '04-11T10:00/04-11T12:00',
    '04-12T10:00/04-12T10:30',
  ])
})

test('a changed occurrence replaces that of the rule; a cancelled one frees it', () => {
  const series = daily('RRULE:FREQ=DAILY;COUNT=3')
  const id = 'RECURRENCE-ID;TZID=Europe/Madrid:20260329T100000'
  expect(
    listBusy(series, event('UID:a', id, 'DTSTART;TZID=Europe/Madrid:20260329T180000', 'DURATION:PT2H')),
  ).toContain('03-29T16:00/03-29T18:00')
  expect(
    listBusy(
      series,
      event('UID:a', id, 'DTSTART;TZID=Europe/Madrid:20260329T100000', 'DURATION:PT1H', 'STATUS:CANCELLED'),
    ),
  ).toEqual(['03-28T09:00/03-28T10:00', '03-30T08:00/03-30T09:00'])
})

test('THISANDFUTURE moves all later occurrences', () => {
  expect(
    listBusy(
      daily('RRULE:FREQ=DAILY;COUNT=4'),
      event(
        'UID:a',
        'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Madrid:20260330T100000',
        'DTSTART;TZID=Europe/Madrid:20260330T120000',
        'DURATION:PT30M',
      ),
    ),
  ).toEqual([
    '03-28T09:00/03-28T10:00',
    '03-29T08:00/03-29T09:00',
    '03-30T10:00/03-30T10:30',
    '03-31T10:00/03-31T10:30',
  ])
})

test('all-day events last from midnight to midnight of the agenda, clock changes included', () => {
  expect(listBusy(event('UID:a', 'DTSTART;VALUE=DATE:20260329', 'DTEND;VALUE=DATE:20260330'))).toEqual([
    '03-28T23:00/03-29T22:00',
  ])
  // Exchange writes exceptions of all-day events as times.
  expect(
    listBusy(
      event(
        'UID:a',
        'DTSTART;VALUE=DATE:20260401',
        'RRULE:FREQ=DAILY;COUNT=3',
        'EXDATE;TZID=Europe/Madrid:20260402T000000',
      ),
    ),
  ).toEqual(['03-31T22:00/04-01T22:00', '04-02T22:00/04-03T22:00'])
})

test('time zones: floating, Windows names, prefixes, an own VTIMEZONE, unknown', () => {
  const own = [
    'BEGIN:VTIMEZONE',
    'TZID:Customized Time Zone',
    'BEGIN:STANDARD',
    'DTSTART:16010101T000000',
    'TZOFFSETFROM:+0500',
    'TZOFFSETTO:+0530',
    'END:STANDARD',
    'END:VTIMEZONE\r\n',
  ].join('\r\n')
  const at = (zone: string) => event(`UID:${zone}`, `DTSTART${zone}:20260701T120000`, 'DURATION:PT1H')
  expect(listBusy(at(''))).toEqual(['07-01T10:00/07-01T11:00'])
  expect(listBusy(at(';TZID="Eastern Standard Time"'))).toEqual(['07-01T16:00/07-01T17:00'])
  expect(listBusy(at(';TZID=/citadel.org/20260414_1/Europe/Lisbon'))).toEqual(['07-01T11:00/07-01T12:00'])
  expect(listBusy(own, at(';TZID=Customized Time Zone'))).toEqual(['07-01T06:30/07-01T07:30'])
  expect(listBusy(at(';TZID=Nowhere'))).toEqual(['07-01T10:00/07-01T11:00'])
  expect(read(at(';TZID=Nowhere')).warnings).toMatchObject([{ code: 'UNKNOWN_TIME_ZONE', count: 1 }])
})

test('what does not block: transparent, cancelled, free in Outlook, without a length, a calendar that is taken back', () => {
  const base = ['UID:a', 'DTSTART:20260701T120000Z']
  for (const more of [
    ['DURATION:PT1H', 'TRANSP:TRANSPARENT'],
    ['DURATION:PT1H', 'STATUS:CANCELLED'],
    ['DURATION:PT1H', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'],
    ['DTEND:20260701T120000Z'],
    [],
  ])
    expect([more, listBusy(event(...base, ...more))]).toEqual([more, []])
  expect(listBusy('METHOD:CANCEL\r\n', event(...base, 'DURATION:PT1H'))).toEqual([])
  expect(
    listBusy(event(...base, 'DURATION:PT1H', 'TRANSP:TRANSPARENT', 'X-MICROSOFT-CDO-BUSYSTATUS:OOF')),
  ).toHaveLength(1)
})

test('an event that ends before it begins is reported; one of whole days lasts a day', () => {
  const times = (...lines: string[]) => event('UID:a', ...lines)
  const negative = [
    times('DTSTART:20260701T120000Z', 'DTEND:20260701T110000Z'),
    times('DTSTART:20260701T120000Z', 'DURATION:-PT1H'),
    times('DTSTART:20260601T120000Z', 'RDATE;VALUE=PERIOD:20260701T120000Z/20260701T110000Z'),
    'BEGIN:VFREEBUSY\r\nUID:f\r\nFREEBUSY:20260701T100000Z/-PT1H\r\nEND:VFREEBUSY\r\n',
  ]
  for (const component of negative) {
    expect([component, listBusy(component)]).toEqual([component, []])
    expect(read(component).warnings).toMatchObject([{ code: 'INVALID_EVENT', count: 1 }])
  }
  const days = (end: string) => times('DTSTART;VALUE=DATE:20260701', `DTEND;VALUE=DATE:${end}`)
  for (const end of ['20260701', '20260630'])
    expect([end, listBusy(days(end))]).toEqual([end, ['06-30T22:00/07-01T22:00']])
  expect(read(days('20260701')).warnings).toEqual([])
  expect(read(days('20260630')).warnings).toMatchObject([{ code: 'INVALID_EVENT', count: 1 }])
})

test('rules that ical.js expands wrongly block every time', () => {
  const block = (rule: string, start: string) => {
    const component = event('UID:a', `DTSTART:${start}`, 'DURATION:PT1H', `RRULE:${rule}`)
    return [listBusy(component).length, read(component).warnings]
  }
  expect(block('FREQ=YEARLY;BYMONTHDAY=15', '20200115T090000Z')).toEqual([13, []])
  expect(block('FREQ=WEEKLY;BYSETPOS=1;BYDAY=MO,WE', '20200101T090000Z')).toEqual([57, []])
  expect(block('FREQ=DAILY;COUNT=999999', '16010101T090000Z')).toEqual([400, []])
  expect(block('FREQ=DAILY;UNTIL=20260303T000000Z', '19000101T090000Z')).toEqual([2, []])
})

test('an hourly event blocks in the whole time that is read of a calendar', () => {
  const options = { ...range, toMs: range.fromMs + 736 * 86_400_000 }
  const text = event('UID:a', 'DTSTART:20200101T090000Z', 'DURATION:PT10M', 'RRULE:FREQ=HOURLY')
  const { events, warnings } = readCalendar(wrap(text), options)
  expect([warnings, events[0]!.busy.length]).toEqual([[], 736 * 24])
})

test('free and busy times', () => {
  expect(
    listBusy(
      'BEGIN:VFREEBUSY\r\nUID:f\r\nFREEBUSY;FBTYPE=BUSY:20260701T100000Z/PT1H,20260701T120000Z/20260701T123000Z\r\nFREEBUSY;FBTYPE=FREE:20260702T100000Z/PT1H\r\nEND:VFREEBUSY\r\n',
    ),
  ).toEqual(['07-01T10:00/07-01T11:00', '07-01T12:00/07-01T12:30'])
})

test('a broken event costs itself, and the newest version of an event counts', () => {
  const good = event('UID:a', 'SEQUENCE:2', 'DTSTART:20260701T120000Z', 'DURATION:PT1H')
  const old = event('UID:a', 'SEQUENCE:1', 'DTSTART:20260702T120000Z', 'DURATION:PT1H')
  const { warnings } = read(good, event('UID:b', 'DTSTART:20261340T120000Z', 'garbage'))
  expect(warnings).toMatchObject([{ code: 'INVALID_EVENT' }])
  expect(listBusy(good, old, event('UID:b', 'DTSTART:20261340T120000Z'))).toEqual(['07-01T12:00/07-01T13:00'])
})

test('what is no calendar, or cut off, is refused with what to do', () => {
  const refuse = (text: string) => {
    try {
      readCalendar(text, range)
    } catch (error) {
      return (error as Error).message
    }
    return null
  }
  expect(refuse('<!doctype html><title>Sign in</title>')).toContain('web page')
  expect(refuse('{}')).toContain('BEGIN:VCALENDAR')
  expect(refuse('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\n')).toContain('cut off')
  expect(refuse(wrap('BEGIN:X\r\n'.repeat(30)))).toContain('deep')
  expect(refuse(`BEGIN:VCALENDAR\r\n${'\n'.repeat(1_000_001)}`)).toContain('lines')
})
