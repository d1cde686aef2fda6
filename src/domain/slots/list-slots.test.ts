/** The rules of the slot calculator, one by one. */
import { describe, expect, test } from 'vitest'
import { at, between, slotRequest, weekHours } from '../../../test/slot-requests.ts'
import { findNearestSlots, findSlot, listSlots } from './list-slots.ts'
import { estimateTravel } from './travel.ts'
import type { Reservation, SlotRequest } from './types.ts'

/** Starts by the clock of Madrid. */
function listTimes(request: SlotRequest): string[] {
  return listSlots(request).map(({ startMs }) =>
    Temporal.Instant.fromEpochMilliseconds(startMs)
      .toZonedDateTimeISO('Europe/Madrid')
      .toPlainTime()
      .toString({ smallestUnit: 'minute' }),
  )
}

function reasonAt(request: SlotRequest, time: string): string {
  const found = findSlot(request, at(time))
  return 'reason' in found ? found.reason : 'free'
}

const reservation = (from: string, to: string, changes: Partial<Reservation> = {}): Reservation => ({
  ...between(from, to),
  bufferBeforeMin: 0,
  bufferAfterMin: 0,
  place: null,
  ...changes,
})

/** Monday, 30 November 2026, 10:00 to 12:00 in Madrid. */
const morning = { weekly: [{ day: 1, from: '10:00', to: '12:00' }] }

describe('hours', () => {
  test('slots begin every interval from the beginning of the hours and end inside them', () => {
    expect(listTimes(slotRequest({ availability: morning }))).toEqual(['10:00', '10:30', '11:00', '11:30'])
    expect(
      listTimes(slotRequest({ availability: { ...morning, slotIntervalMin: 45 }, durationMin: 60 })),
    ).toEqual(['10:00', '10:45'])
  })

  test('each interval of hours begins its own grid; intervals that overlap or meet are one', () => {
    const weekly = [
      { day: 1, from: '15:20', to: '16:20' },
      { day: 1, from: '10:00', to: '11:00' },
      { day: 1, from: '10:50', to: '11:30' },
      { day: 1, from: '11:30', to: '12:00' },
    ]
    expect(listTimes(slotRequest({ availability: { weekly } }))).toEqual([
      '10:00',
      '10:30',
      '11:00',
      '11:30',
      '15:20',
      '15:50',
    ])
  })

  test('hours that join at midnight carry a slot across it', () => {
    const weekly = [
      { day: 1, from: '22:30', to: '24:00' },
      { day: 2, from: '00:00', to: '01:00' },
    ]
    const request = slotRequest({
      availability: { weekly },
      durationMin: 90,
      range: between('2026-11-30T12:00Z', '2026-12-01T12:00Z'),
    })
    expect(listTimes(request)).toEqual(['22:30', '23:00', '23:30'])
    expect(listTimes({ ...request, durationMin: 60 })).toEqual(['22:30', '23:00', '23:30', '00:00'])
  })

  test('an override replaces the hours of its date, and opens a closed date', () => {
    const closed = slotRequest({ availability: { ...morning, closedDates: ['2026-11-30'] } })
    expect(listTimes(closed)).toEqual([])
    expect(reasonAt(closed, '2026-11-30T10:00[Europe/Madrid]')).toBe('CLOSED')
    const overrides = [{ date: '2026-11-30', intervals: [{ from: '20:00', to: '21:00' }] }]
    expect(listTimes(slotRequest({ availability: { ...closed.availability, overrides } }))).toEqual([
      '20:00',
      '20:30',
    ])
    const off = slotRequest({ availability: { overrides: [{ date: '2026-11-30', intervals: [] }] } })
    expect(reasonAt(off, '2026-11-30T10:00[Europe/Madrid]')).toBe('CLOSED')
  })

  test('the agent’s own hours limit those of the event type, in their own time zone', () => {
    const workingHours = { ...weekHours('09:00', '10:00'), timezone: 'Atlantic/Canary' }
    const request = slotRequest({ agendas: [{ workingHours }] })
    expect(listTimes(request)).toEqual(['10:00', '10:30'])
    expect(reasonAt(request, '2026-11-30T09:00[Europe/Madrid]')).toBe('OUTSIDE_HOURS')
  })

  test('a time beside the grid is no start', () => {
    const request = slotRequest({ availability: morning })
    expect(reasonAt(request, '2026-11-30T10:10[Europe/Madrid]')).toBe('NOT_A_SLOT_START')
    expect(reasonAt(request, '2026-11-30T11:45[Europe/Madrid]')).toBe('OUTSIDE_HOURS')
    expect(reasonAt(request, '2026-11-30T11:30[Europe/Madrid]')).toBe('free')
  })
})

describe('notice and horizon', () => {
  test('the notice is exact, and the horizon ends with a day of the time zone', () => {
    const request = slotRequest({
      nowMs: at('2026-11-30T10:00[Europe/Madrid]'),
      availability: { ...morning, minimumNoticeMin: 60, horizonDays: 0 },
    })
    expect(listTimes(request)).toEqual(['11:00', '11:30'])
    expect(reasonAt(request, '2026-11-30T10:30[Europe/Madrid]')).toBe('NOTICE')
    expect(reasonAt(request, '2026-12-07T10:00[Europe/Madrid]')).toBe('HORIZON')
    const week = { ...request, availability: { ...request.availability, horizonDays: 7 } }
    expect(reasonAt(week, '2026-12-07T11:30[Europe/Madrid]')).toBe('free')
    expect(reasonAt(week, '2026-12-14T10:00[Europe/Madrid]')).toBe('HORIZON')
  })
})

describe('busy times and reservations', () => {
  test('busy times may touch the buffered slot; they have no buffers', () => {
    const request = slotRequest({
      availability: { ...morning, slotIntervalMin: 15 },
      bufferBeforeMin: 15,
      bufferAfterMin: 30,
      agendas: [{ busy: [between('2026-11-30T10:15Z', '2026-11-30T10:20Z')] }],
    })
    expect(listTimes(request)).toEqual(['10:00', '10:15'])
    expect(reasonAt(request, '2026-11-30T11:00[Europe/Madrid]')).toBe('BUSY')
  })

  test('buffers of neighbours add up, and may be outside the hours', () => {
    const request = slotRequest({
      availability: { ...morning, slotIntervalMin: 5 },
      bufferBeforeMin: 10,
      bufferAfterMin: 20,
      agendas: [
        {
          reservations: [
            reservation('2026-11-30T10:00Z', '2026-11-30T10:10Z', { bufferBeforeMin: 5, bufferAfterMin: 5 }),
          ],
        },
      ],
    })
    // Before: 30 + 20 + 5 minutes until 11:00. After: 11:10 + 5 + 10.
    expect(listTimes(request)).toEqual(['10:00', '10:05', '11:25', '11:30'])
  })

  test('the daily limit counts days of the availability’s time zone', () => {
    const full = { bookedPerDay: { '2026-11-30': 2 } }
    const request = slotRequest({ availability: { ...morning, dailyLimit: 2 }, agendas: [full] })
    expect(listTimes(request)).toEqual([])
    expect(reasonAt(request, '2026-11-30T10:00[Europe/Madrid]')).toBe('DAILY_LIMIT')
    expect(listTimes(slotRequest({ ...request, agendas: [full, {}] }))).toHaveLength(4)
  })
})

describe('travel', () => {
  const sol = { latitude: 40.4169, longitude: -3.7033 }
  const getafe = { latitude: 40.3083, longitude: -3.7327 }
  const seen = (place: typeof sol | null) =>
    reservation('2026-11-30T10:00Z', '2026-11-30T10:30Z', { place, bufferAfterMin: 10 })
  const times = (place: typeof sol | null, changes: Partial<SlotRequest> = {}) =>
    listTimes(
      slotRequest({
        availability: { weekly: [{ day: 1, from: '09:00', to: '13:00' }] },
        agendas: [{ reservations: [seen(place)] }],
        travel: estimateTravel(getafe, 30),
        ...changes,
      }),
    )

  test('the road takes time between viewings, and none after a call', () => {
    expect(estimateTravel(getafe, 30).estimateMin(sol, getafe)).toBe(35)
    expect(times(null)).toEqual(['09:00', '09:30', '10:00', '10:30', '12:00', '12:30'])
    expect(times(sol)).toEqual(['09:00', '09:30', '12:30'])
    expect(
      reasonAt(
        slotRequest({ agendas: [{ reservations: [seen(sol)] }], travel: estimateTravel(getafe, 30) }),
        '2026-11-30T12:00[Europe/Madrid]',
      ),
    ).toBe('TRAVEL')
  })

  test('an estimate of another source can be passed in, each way by itself', () => {
    const estimateMin = (from: typeof sol) => (from === getafe ? 0 : 90)
    expect(times(sol, { travel: { place: getafe, estimateMin } })).toEqual(
      ['09:00', '09:30', '10:00', '10:30'].concat(),
    )
  })
})

test('a way of more than a day counts as a day, so the neighbours within a day or two decide', () => {
  const place = { latitude: 28.1, longitude: -15.4 }
  const travel = { place: { latitude: 40.4, longitude: -3.7 }, estimateMin: () => 10_000 }
  const request = slotRequest({
    agendas: [{ reservations: [reservation('2026-11-29T09:00Z', '2026-11-29T09:30Z', { place })] }],
    travel,
  })
  expect(reasonAt(request, '2026-11-30T09:00Z')).toBe('TRAVEL')
  expect(reasonAt(request, '2026-11-30T09:30Z')).toBe('free')
})

describe('several agendas', () => {
  const busy = [between('2026-11-30T09:00Z', '2026-11-30T10:00Z')]
  const late = [between('2026-11-30T10:00Z', '2026-11-30T11:00Z')]

  test('round robin offers what one of them can take, collective what all can', () => {
    const agendas = [{ busy }, { busy: late }]
    expect(listTimes(slotRequest({ availability: morning, agendas }))).toHaveLength(4)
    expect(listTimes(slotRequest({ availability: morning, agendas, assignment: 'collective' }))).toEqual([])
    const both = slotRequest({ availability: morning, agendas: [{ busy }, {}], assignment: 'collective' })
    expect(listTimes(both)).toEqual(['11:00', '11:30'])
    expect(findSlot(both, at('2026-11-30T10:00Z'))).toMatchObject({ agendaIds: ['agenda 1', 'agenda 2'] })
    expect(reasonAt(both, '2026-11-30T09:00Z')).toBe('BUSY')
  })

  test('the fairest of the free agendas comes first', () => {
    const agendas = [{ recentBookings: 3 }, { recentBookings: 1 }, { busy }]
    const request = slotRequest({ availability: morning, agendas })
    expect(findSlot(request, at('2026-11-30T09:00Z'))).toMatchObject({ agendaIds: ['agenda 2', 'agenda 1'] })
  })

  test('without agendas nothing is offered', () => {
    const request = slotRequest({ agendas: [] })
    expect(listSlots(request)).toEqual([])
    expect(reasonAt(request, '2026-11-30T09:00Z')).toBe('NO_AGENDA')
  })
})

describe('nearest slots', () => {
  test('the nearest come first, and the earlier one of two', () => {
    const request = slotRequest({ availability: morning })
    const times = (count: number, time: string) =>
      findNearestSlots(request, at(time), count).map(
        ({ startMs }) => (startMs - at('2026-11-30T09:00Z')) / 60_000,
      )
    expect(times(3, '2026-11-30T09:30Z')).toEqual([30, 0, 60])
    expect(times(9, '2026-12-30T09:30Z')).toEqual([90, 60, 30, 0])
    expect(times(1, '2026-10-30T09:30Z')).toEqual([0])
  })
})
