/** VTIMEZONE as other programs read it, beside Temporal. */
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { hasShared, readShared } from '../../../test/shared.ts'
import { writeTimeZone } from './write-time-zone.ts'

/** Reads a zone with ical.js: seconds east of UTC of a local time. */
function createReader(lines: string[]): (local: Temporal.PlainDateTime) => number {
  const zone = new ICAL.Timezone(new ICAL.Component(ICAL.parse(lines.join('\r\n'))))
  return local => zone.utcOffset(ICAL.Time.fromData({ ...toFields(local), isDate: false }, zone))
}

/** Readers disagree on local times that occur twice. */
const isUnique = (local: Temporal.PlainDateTime, zone: string) =>
  local
    .toZonedDateTime(zone, { disambiguation: 'earlier' })
    .equals(local.toZonedDateTime(zone, { disambiguation: 'later' }))

const toFields = ({ year, month, day, hour, minute, second }: Temporal.PlainDateTime) => ({
  year,
  month,
  day,
  hour,
  minute,
  second,
})

const zones = [
  'Europe/Madrid',
  'Europe/Lisbon',
  'Atlantic/Canary',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'America/New_York',
  'Africa/Casablanca',
  'Asia/Kolkata',
]

test.each(zones)('%s: every day of the years that were asked for has the offset of Temporal', zone => {
  for (const [fromYear, toYear] of [
    [2026, 2026],
    [2016, 2019],
    [2020, 2031],
  ] as const) {
    const from = Temporal.Instant.from(`${fromYear}-01-01T00:00:00Z`)
    const to = Temporal.Instant.from(`${toYear}-12-31T00:00:00Z`)
    const lines = writeTimeZone(zone, { from, to })
    const read = createReader(lines)
    for (let at = from; Temporal.Instant.compare(at, to) < 0; at = at.add({ hours: 24 * 3 + 5 })) {
      const zoned = at.toZonedDateTimeISO(zone)
      const local = zoned.toPlainDateTime()
      if (isUnique(local, zone))
        expect([local.toString(), read(local)]).toEqual([local.toString(), zoned.offsetNanoseconds / 1e9])
    }
  }
})

/** Around changes in Europe, America, Morocco (Ramadan) and Chile. */
const appointments = [
  '2024-10-10T12:00Z',
  '2026-02-20T09:00Z',
  '2026-03-15T16:00Z',
  '2026-07-01T06:30Z',
  '2026-09-05T23:30Z',
  '2026-11-02T17:00Z',
  '2027-01-15T22:00Z',
  '2027-03-28T00:30Z',
].map(text => Temporal.Instant.from(text))

test('in every zone, an appointment is at its time for readers of RFC 5545, and for Outlook and Exchange', () => {
  const wrong = Intl.supportedValuesOf('timeZone').flatMap(zone =>
    appointments.flatMap(from => {
      const zoned = from.toZonedDateTimeISO(zone)
      const local = zoned.toPlainDateTime()
      const lines = writeTimeZone(zone, { from, to: from.add({ minutes: 30 }) })
      const read = [createReader(lines)(local) / 60, readAsExchange(lines, local)]
      const isRight = read.every(offsetMin => offsetMin === zoned.offsetNanoseconds / 60e9)
      return isRight || !isUnique(local, zone) ? [] : [`${zone} ${from}: ${read}, ${lines.join(' ')}`]
    }),
  )
  expect(wrong).toEqual([])
})

/** Minutes east of UTC, as MS-OXCICAL 2.1.3.1.1.19 reads a zone: one STANDARD or more, DAYLIGHT, whole minutes, yearly changes. */
function readAsExchange(lines: string[], local: Temporal.PlainDateTime): number | string {
  const observances = lines
    .join('\n')
    .split(/(?=BEGIN:(?:STANDARD|DAYLIGHT))/)
    .slice(1)
    .map(text => ({
      isStandard: text.startsWith('BEGIN:STANDARD'),
      start: Temporal.PlainDateTime.from(/DTSTART:(.*)/.exec(text)![1]!),
      offset: /TZOFFSETTO:([+-]\d\d\d\d)$/m.exec(text)?.[1],
      isWhole: /TZOFFSETFROM:[+-]\d\d\d\d$/m.test(text),
    }))
  if (!observances.some(({ isStandard }) => isStandard)) return 'no STANDARD'
  if (!observances.every(({ offset, isWhole }) => offset && isWhole)) return 'an offset with seconds'
  const isDaylightUsed = observances.some(({ isStandard }) => !isStandard)
  if (!isDaylightUsed && observances.length > 1) return 'several standard times'
  const onsets = observances
    .flatMap(({ start, offset }) =>
      [local.year - 1, local.year].map(year => ({
        onset: isDaylightUsed ? toYear(start, year) : start,
        offset: offset!,
      })),
    )
    .sort((one, other) => Temporal.PlainDateTime.compare(one.onset, other.onset))
  const last = onsets.findLast(({ onset }) => Temporal.PlainDateTime.compare(onset, local) <= 0)
  const [hours, minutes] = [Number(last!.offset.slice(0, 3)), Number(last!.offset.slice(3))]
  return hours * 60 + (last!.offset.startsWith('-') ? -minutes : minutes)
}

/** The same weekday of the month; the fifth is the last. */
function toYear(start: Temporal.PlainDateTime, year: number): Temporal.PlainDateTime {
  const nth = Math.ceil(start.day / 7)
  const first = start.with({ year, day: 1 })
  const day = 1 + ((start.dayOfWeek - first.dayOfWeek + 7) % 7) + 7 * (nth - 1)
  return first.with({ day: day > first.daysInMonth ? day - 7 : day })
}

test.each([
  ['Asia/Dubai', ['STANDARD +0400→+0400']],
  ['Asia/Singapore', ['STANDARD +0800→+0800']],
  ['America/Santiago', ['DAYLIGHT -0400→-0300', 'STANDARD -0300→-0400']],
  ['Asia/Jerusalem', ['STANDARD +0300→+0200', 'DAYLIGHT +0200→+0300']],
])('%s: a constant zone has one observance, one with summer time has both', (zone, observances) => {
  const from = Temporal.Instant.from('2026-11-02T17:00Z')
  const text = writeTimeZone(zone, { from, to: from.add({ hours: 1 }) }).join('\n')
  const found = [...text.matchAll(/BEGIN:([SD].*)\n.*\nTZOFFSETFROM:(.*)\nTZOFFSETTO:(.*)/g)]
  expect(found.map(([, name, from, to]) => `${name} ${from}→${to}`)).toEqual(observances)
})

test('a zone whose rule ended lists its changes', () => {
  const lines = writeTimeZone('America/Sao_Paulo', {
    from: Temporal.Instant.from('2018-12-01T00:00:00Z'),
    to: Temporal.Instant.from('2026-12-01T00:00:00Z'),
  })
  expect(lines.filter(line => line.startsWith('DTSTART'))).toEqual([
    'DTSTART:20181104T000000',
    'DTSTART:20190217T000000',
  ])
  expect(lines.join('\n')).not.toContain('RRULE')
})

test.skipIf(!hasShared).each(['Madrid', 'Lisbon'])(
  '%s: both sides of each change have the offset of the fixture',
  name => {
    const { zone, transitions } = JSON.parse(readShared(`fixtures/timezones/Europe-${name}.json`)) as {
      zone: string
      transitions: { utc: string; offsetMinutes: number }[]
    }
    for (const { utc, offsetMinutes } of transitions) {
      const at = Temporal.Instant.from(utc)
      const lines = writeTimeZone(zone, { from: at, to: at.add({ hours: 24 }) })
      const local = at.toZonedDateTimeISO(zone).toPlainDateTime()
      if (isUnique(local, zone)) expect([utc, createReader(lines)(local) / 60]).toEqual([utc, offsetMinutes])
    }
  },
)
