/** Offsets of time zones, against the tables of two other sources. */
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { formatDay, parseDay, toClockPeriods, toWeekday } from './wall-clock.ts'

test('a zone has a period for each offset, and says what the clock skips', () => {
  const year = { startMs: Date.UTC(2026, 0, 1), endMs: Date.UTC(2027, 0, 1) }
  const periods = (timezone: string) =>
    toClockPeriods(timezone, year).map(({ startMs, offsetMs, skippedMs }) => [
      new Date(startMs).toISOString().slice(0, 16),
      offsetMs / 60_000,
      skippedMs / 60_000,
    ])
  expect(periods('Europe/Madrid')).toEqual([
    ['2026-01-01T00:00', 60, 0],
    ['2026-03-29T01:00', 120, 60],
    ['2026-10-25T01:00', 60, 0],
  ])
  expect(periods('Australia/Lord_Howe')).toEqual([
    ['2026-01-01T00:00', 660, 0],
    ['2026-04-04T15:00', 630, 0],
    ['2026-10-03T15:30', 660, 30],
  ])
  expect(periods('America/Sao_Paulo')).toEqual([['2026-01-01T00:00', -180, 0]])
})

test('days of the calendar', () => {
  expect(['1969-12-28', '1970-01-01', '2026-11-30'].map(date => toWeekday(parseDay(date)))).toEqual([7, 4, 1])
  expect(formatDay(parseDay('2028-02-29'))).toBe('2028-02-29')
})

describeShared('offsets of ../shared/fixtures/timezones', () => {
  const zones = ['Europe/Madrid', 'Europe/Lisbon']
  const years = { startMs: Date.UTC(1980, 0, 1), endMs: Date.UTC(2038, 0, 1) }
  const read = (zone: string, ending: string) =>
    readShared(`fixtures/timezones/${zone.replace('/', '-')}.${ending}`)
  const findOffsetMin = (zone: string, timeMs: number) =>
    toClockPeriods(zone, years).find(({ startMs, endMs }) => startMs <= timeMs && timeMs < endMs)!.offsetMs /
    60_000

  test.each(zones)('%s on both sides of each change from 2010 to 2037', zone => {
    const { transitions } = JSON.parse(read(zone, 'json')) as {
      transitions: { utc: string; offsetMinutes: number }[]
    }
    expect(transitions.length).toBeGreaterThan(100)
    for (const { utc, offsetMinutes } of transitions)
      expect(findOffsetMin(zone, Date.parse(utc)), utc).toBe(offsetMinutes)
  })

  test.each(zones)('%s as its VTIMEZONE says, on every fifth day from 1980 to 2037', zone => {
    const component = new ICAL.Component(ICAL.parse(read(zone, 'ics'))).getFirstSubcomponent('vtimezone')!
    const timezone = new ICAL.Timezone(component)
    const dayMs = 86_400_000
    const periods = toClockPeriods(zone, years)
    for (const { startMs, endMs, offsetMs } of periods)
      for (let timeMs = startMs + dayMs; timeMs < endMs - dayMs; timeMs += 5 * dayMs) {
        const local = ICAL.Time.fromData(toFields(timeMs + offsetMs), timezone)
        expect(timezone.utcOffset(local) * 1000, new Date(timeMs).toISOString()).toBe(offsetMs)
      }
  })
})

function toFields(localMs: number) {
  const date = new Date(localMs)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: 0,
    isDate: false,
  }
}
