/** What counts as busy at Google and Microsoft, and when a read is complete again. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clipBusy, toBusyDays } from '../calendar-kit/busy-times.ts'
import { extendRange, findCursor, formatCursor } from '../calendar-kit/cursor.ts'
import { toExternalEvent as toGoogleEvent } from './google/read.ts'
import { toExternalEvent as toMicrosoftEvent } from './microsoft/event.ts'

const instant = Temporal.Instant.from
const range = { from: instant('2026-12-01T00:00:00Z'), to: instant('2027-01-31T00:00:00Z') }
const options = { range, timezone: 'Europe/Madrid' }
const one = [{ start: instant('2026-12-02T09:00:00Z'), end: instant('2026-12-02T10:00:00Z') }]

describe('google', () => {
  const times = {
    start: { dateTime: '2026-12-02T10:00:00+01:00' },
    end: { dateTime: '2026-12-02T11:00:00+01:00' },
  }
  const read = (fields: object) => toGoogleEvent('a', { ...times, ...fields }, options)?.busy
  test.each<[what: string, fields: object, isBusy: boolean]>([
    ['an event', {}, true],
    ['a tentative one', { status: 'tentative' }, true],
    ['a transparent one', { transparency: 'transparent' }, false],
    ['the place of work', { eventType: 'workingLocation' }, false],
    ['an absence', { eventType: 'outOfOffice' }, true],
    ['a declined one', { attendees: [{ self: true, responseStatus: 'declined' }] }, false],
    ['one that another declined', { attendees: [{ responseStatus: 'declined' }] }, true],
    ['fields of other types', { transparency: 7, attendees: 'x', extendedProperties: [] }, true],
  ])('%s', (_what, fields, isBusy) => {
    expect(read(fields)).toEqual(isBusy ? one : [])
  })
  test('times that can’t be read are none', () => {
    for (const start of [undefined, 7, {}, { dateTime: 'soon' }, { date: '2026-02-30' }])
      expect(read({ start, end: { date: '2026-12-03' } })).toBeUndefined()
  })
})

describe('microsoft', () => {
  const toTime = (dateTime: string) => ({ dateTime, timeZone: 'UTC' })
  const times = {
    start: toTime('2026-12-02T09:00:00.0000000'),
    end: toTime('2026-12-02T10:00:00.0000000'),
  }
  const read = (fields: object) => toMicrosoftEvent('a', { ...times, ...fields }, options)
  test.each<[what: string, fields: object, isBusy: boolean]>([
    ['busy', { showAs: 'busy' }, true],
    ['tentative', { showAs: 'tentative' }, true],
    ['out of office', { showAs: 'oof' }, true],
    ['unknown', {}, true],
    ['free', { showAs: 'free' }, false],
    ['working elsewhere', { showAs: 'workingElsewhere' }, false],
    ['cancelled', { isCancelled: true }, false],
    ['declined', { responseStatus: { response: 'declined' } }, false],
  ])('%s', (_what, fields, isBusy) => {
    expect(read(fields)?.busy).toEqual(isBusy ? one : [])
  })
  test('a whole day is one of the agenda', () => {
    const day = { isAllDay: true, start: toTime('2026-12-08T00:00:00'), end: toTime('2026-12-09T00:00:00') }
    expect(read(day)?.busy).toEqual([
      { start: instant('2026-12-07T23:00:00Z'), end: instant('2026-12-08T23:00:00Z') },
    ])
  })
  test('the UID is that of the program, of the event, or its id', () => {
    expect(read({ transactionId: 'u/1@a/aldaba/0123', iCalUId: 'x' })?.uid).toBe('u/1@a')
    expect(read({ transactionId: 'of-another-program', iCalUId: 'x' })?.uid).toBe('x')
    expect(read({})?.uid).toBe('a')
  })
})

test('days are whole also when clocks change', () => {
  const spring = toBusyDays('2027-03-28', '2027-03-29', 'Europe/Madrid')
  expect(spring.end.since(spring.start).total('hours')).toBe(23)
})

test('what is busy lies in the range, or is as long as it was', () => {
  const time = fc.integer({ min: -9000, max: 9000 }).map(hours => range.from.add({ hours }))
  fc.assert(
    fc.property(time, time, (start, end) => {
      const clipped = clipBusy({ start, end }, range)
      for (const busy of clipped) {
        expect(Temporal.Instant.compare(busy.start, busy.end)).toBe(-1)
        expect(busy.end.since(busy.start).total('hours')).toBeLessThanOrEqual(400 * 24)
      }
      const isInside =
        Temporal.Instant.compare(start, end) < 0 &&
        Temporal.Instant.compare(start, range.to) < 0 &&
        Temporal.Instant.compare(end, range.from) > 0
      expect(clipped).toHaveLength(isInside ? 1 : 0)
    }),
    { seed: 60 },
  )
})

test('a cursor covers its range for two weeks, and anything else is none', () => {
  const cursor = formatCursor({ token: 't', range: extendRange(range) })
  const later = (days: number) => ({
    from: range.from.add({ hours: 24 * days }),
    to: range.to.add({ hours: 24 * days }),
  })
  expect(findCursor(cursor, range)?.token).toBe('t')
  expect(findCursor(cursor, later(14))?.token).toBe('t')
  expect(findCursor(cursor, later(15))).toBeNull()
  expect(findCursor(cursor, later(-1))).toBeNull()
  const short = formatCursor({ token: 't', range: extendRange(range, 6) })
  expect([later(6 / 24), later(7 / 24)].map(wanted => findCursor(short, wanted)?.token)).toEqual([
    't',
    undefined,
  ])
  for (const text of [null, '', 'x', '{}', '{"token":7}', '{"token":"t","from":"a","to":"b"}'])
    expect(findCursor(text, range)).toBeNull()
})
