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
