/** Days on which clocks change, in both directions, at night and at midnight. */
import { describe, expect, test } from 'vitest'
import { at, slotRequest, weekHours } from '../../../test/slot-requests.ts'
import { toDayRange } from './group-by-day.ts'
import { findSlot, listSlots } from './list-slots.ts'
import type { SlotRequest } from './types.ts'

/** A day with the same hours as every day. */
function dayRequest(
  timezone: string,
  date: string,
  [from, to]: [string, string],
  changes: Partial<SlotRequest> & { slotIntervalMin?: number } = {},
): SlotRequest {
  const range = toDayRange(date, date, timezone)
  const { slotIntervalMin = 30, ...others } = changes
  return slotRequest({
    nowMs: range.startMs - 86_400_000,
    range,
    availability: { ...weekHours(from, to), timezone, slotIntervalMin },
    ...others,
  })
}

/** Local times with their offsets. */
function listTimes(request: SlotRequest): string[] {
  return listSlots(request).map(({ startMs }) => {
    const local = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(
      request.availability.timezone,
    )
    return `${local.toPlainTime().toString({ smallestUnit: 'minute' })}${local.offset}`
  })
}

const changes = [
  ['Europe/Madrid', '2026-03-29', 23],
  ['Europe/Madrid', '2026-10-25', 25],
  ['Atlantic/Canary', '2026-03-29', 23],
  ['Atlantic/Canary', '2026-10-25', 25],
  ['Europe/Lisbon', '2026-03-29', 23],
  ['Europe/Lisbon', '2026-10-25', 25],
  ['America/Sao_Paulo', '2018-11-04', 23],
  ['America/Sao_Paulo', '2019-02-16', 25],
  ['Australia/Lord_Howe', '2026-10-04', 23.5],
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
] as const

describe.each(changes)('%s on %s, a day of %d hours', (timezone, date, hours) => {
  test('all of the day is offered without a gap, and no time twice', () => {
    const request = dayRequest(timezone, date, ['00:00', '24:00'])
    const slots = listSlots(request)
    expect(slots).toHaveLength(hours * 2)
    expect(slots[0]!.startMs).toBe(request.range.startMs)
    expect(slots.every(({ startMs }, index) => index === 0 || startMs === slots[index - 1]!.endMs)).toBe(true)
    expect(slots.at(-1)!.endMs).toBe(request.range.endMs)
  })

  test('hours of work begin and end by the wall clock', () => {
    const times = listTimes(dayRequest(timezone, date, ['09:00', '18:00']))
    expect(times).toHaveLength(18)
    expect([times[0]!.slice(0, 5), times.at(-1)!.slice(0, 5)]).toEqual(['09:00', '17:30'])
  })

  test('a slot of 24 hours fits if the days around are open', () => {
    const allDay = dayRequest(timezone, date, ['00:00', '24:00'], {
      durationMin: 1440,
      slotIntervalMin: 1440,
    })
    expect(listSlots(allDay)[0]).toMatchObject({
      startMs: allDay.range.startMs,
      endMs: allDay.range.startMs + 86_400_000,
    })
    const weekday = Temporal.PlainDate.from(date).dayOfWeek
    const weekly = [{ day: weekday, from: '00:00', to: '24:00' }]
    const alone = { ...allDay, availability: { ...allDay.availability, weekly } }
    expect(listSlots(alone)).toHaveLength(hours < 24 ? 0 : 1)
  })
})

test('forward: the times that the clock skips are left out', () => {
  const hours = ['01:00', '04:00'] as [string, string]
  expect(listTimes(dayRequest('Europe/Madrid', '2026-03-29', hours))).toEqual([
    '01:00+01:00',
    '01:30+01:00',
    '03:00+02:00',
    '03:30+02:00',
  ])
  expect(listTimes(dayRequest('Australia/Lord_Howe', '2026-10-04', hours))).toEqual([
    '01:00+10:30',
    '01:30+10:30',
    '02:30+11:00',
    '03:00+11:00',
    '03:30+11:00',
  ])
  expect(listTimes(dayRequest('America/Sao_Paulo', '2018-11-04', ['00:00', '02:00']))).toEqual([
    '01:00-02:00',
    '01:30-02:00',
  ])
})

test('hours whose beginning is skipped begin at the next moment that there is', () => {
  const hours = ['00:00', '04:00'] as [string, string]
  const times = (slotIntervalMin: number) =>
    listTimes(dayRequest('America/Sao_Paulo', '2018-11-04', hours, { slotIntervalMin }))
  expect(times(45)).toEqual(['01:00-02:00', '01:45-02:00', '02:30-02:00', '03:15-02:00'])
  expect(times(1440)).toEqual(['01:00-02:00'])
})

test('back: the times that the clock shows twice are offered twice', () => {
  expect(listTimes(dayRequest('Europe/Lisbon', '2026-10-25', ['00:30', '02:30']))).toEqual([
    '00:30+01:00',
    '01:00+01:00',
    '01:30+01:00',
    '01:00+00:00',
    '01:30+00:00',
    '02:00+00:00',
  ])
  expect(listTimes(dayRequest('Australia/Lord_Howe', '2026-04-05', ['01:00', '02:30']))).toEqual([
    '01:00+11:00',
    '01:30+11:00',
    '01:30+10:30',
    '02:00+10:30',
  ])
  expect(listTimes(dayRequest('America/Sao_Paulo', '2019-02-16', ['22:30', '24:00']))).toEqual([
    '22:30-02:00',
    '23:00-02:00',
    '23:30-02:00',
    '23:00-03:00',
    '23:30-03:00',
  ])
})

test('both of two equal times can be booked, each by its own moment', () => {
  const request = dayRequest('Europe/Madrid', '2026-10-25', ['02:00', '03:00'])
  const first = at('2026-10-25T02:00+02:00[Europe/Madrid]')
  const second = at('2026-10-25T02:00+01:00[Europe/Madrid]')
  expect(second - first).toBe(3_600_000)
  for (const startMs of [first, second]) expect(findSlot(request, startMs)).toMatchObject({ startMs })
})

test('a moment is inside the hours if the wall clock says so: hours that begin in the second half end between', () => {
  const hours = ['02:30', '04:00'] as [string, string]
  expect(listTimes(dayRequest('Europe/Madrid', '2026-10-25', hours))).toEqual([
    '02:30+02:00',
    '02:30+01:00',
    '03:00+01:00',
    '03:30+01:00',
  ])
  expect(listTimes(dayRequest('Europe/Madrid', '2026-10-25', hours, { durationMin: 60 }))).toEqual([
    '02:30+01:00',
    '03:00+01:00',
  ])
  expect(listTimes(dayRequest('Europe/Madrid', '2026-03-29', hours))).toEqual(['03:00+02:00', '03:30+02:00'])
})

test('buffers and durations are real minutes: across the change too', () => {
  const busy = [
    { startMs: at('2026-03-29T03:30[Europe/Madrid]'), endMs: at('2026-03-29T05:00[Europe/Madrid]') },
  ]
  const request = dayRequest('Europe/Madrid', '2026-03-29', ['00:00', '05:00'], {
    agendas: slotRequest({ agendas: [{ busy }] }).agendas,
    bufferAfterMin: 60,
  })
  // The last one is from 01:00 to 01:30. The 60 minutes after it end at 03:30.
  expect(listTimes(request)).toEqual(['00:00+01:00', '00:30+01:00', '01:00+01:00'])
})

test('the daily limit and the horizon count local days, however long they are', () => {
  const day = dayRequest('America/Sao_Paulo', '2019-02-16', ['00:00', '24:00'])
  const availability = { ...day.availability, dailyLimit: 1, horizonDays: 1 }
  const agendas = slotRequest({ agendas: [{ bookedPerDay: { '2019-02-16': 1 } }] }).agendas
  const range = { ...day.range, endMs: day.range.endMs + 3 * 86_400_000 }
  const limited = { ...day, availability, agendas, range, nowMs: day.range.startMs }
  const slots = listSlots(limited)
  expect(slots).toHaveLength(48)
  expect(slots[0]!.startMs).toBe(day.range.endMs)
})
