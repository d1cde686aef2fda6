/** Small random requests of the slot calculator, most of them on days on which clocks change. */
import fc from 'fast-check'
import type {
  AgendaState,
  DayHours,
  GroupSlot,
  Interval,
  SlotRequest,
  WorkingHours,
} from '../src/domain/slots/types.ts'

const minuteMs = 60_000
const rangeMin = 2 * 1440

/** Days of 23, 24, 24.5, 23.5 and 25 hours; in São Paulo clocks changed at midnight. */
export const clockDays = [
  ['Europe/Madrid', '2026-03-28'],
  ['Europe/Madrid', '2026-10-24'],
  ['Europe/Madrid', '2026-11-30'],
  ['Atlantic/Canary', '2026-03-28'],
  ['Atlantic/Canary', '2026-10-24'],
  ['Europe/Lisbon', '2026-03-28'],
  ['Europe/Lisbon', '2026-10-24'],
  ['America/Sao_Paulo', '2018-11-03'],
  ['America/Sao_Paulo', '2019-02-16'],
  ['Australia/Lord_Howe', '2026-04-04'],
  ['Australia/Lord_Howe', '2026-10-03'],
] as const

const time = fc.oneof(
  fc.constantFrom(0, 1440),
  fc.integer({ min: 0, max: 96 }).map(quarter => quarter * 15),
  fc.integer({ min: 0, max: 288 }).map(five => five * 5),
)

const dayHours: fc.Arbitrary<DayHours> = fc
  .tuple(time, time)
  .filter(([one, other]) => one !== other)
  .map(([one, other]) => ({ from: formatTime(Math.min(one, other)), to: formatTime(Math.max(one, other)) }))

function formatTime(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

function hours(timezone: string, date: string): fc.Arbitrary<WorkingHours> {
  const dates = fc
    .integer({ min: -1, max: 3 })
    .map(days => Temporal.PlainDate.from(date).add({ days }).toString())
  return fc.record({
    timezone: fc.constant(timezone),
    weekly: fc.array(
      fc.tuple(fc.integer({ min: 1, max: 7 }), dayHours).map(([day, { from, to }]) => ({ day, from, to })),
      { minLength: 4, maxLength: 16 },
    ),
    overrides: fc.array(fc.record({ date: dates, intervals: fc.array(dayHours, { maxLength: 2 }) }), {
      maxLength: 1,
    }),
    closedDates: fc.array(dates, { maxLength: 1 }),
  })
}

function intervals(originMs: number, maxLength: number): fc.Arbitrary<Interval[]> {
  const interval = fc
    .tuple(fc.integer({ min: -120, max: rangeMin + 120 }), fc.integer({ min: 0, max: 240 }))
    .map(([start, length]) => ({
      startMs: originMs + start * minuteMs,
      endMs: originMs + (start + length) * minuteMs,
    }))
  return fc.array(interval, { maxLength }).map(list => list.sort((one, other) => one.startMs - other.startMs))
}

const place = fc.record({
  latitude: fc.integer({ min: 403_000, max: 405_000 }).map(value => value / 10_000),
  longitude: fc.integer({ min: -38_000, max: -36_000 }).map(value => value / 10_000),
})

const buffer = fc.constantFrom(0, 0, 5, 10, 30)

function agenda(originMs: number, date: string, agendaId: string): fc.Arbitrary<AgendaState> {
  const timezone = fc.constantFrom('Europe/Madrid', 'Atlantic/Canary', 'UTC')
  const reservation = fc.record({
    bufferBeforeMin: buffer,
    bufferAfterMin: buffer,
    place: fc.option(place),
  })
  return fc.record({
    agendaId: fc.constant(agendaId),
    workingHours: fc.option(
      timezone.chain(zone => hours(zone, date)),
      { freq: 1 },
    ),
    busy: intervals(originMs, 6),
    reservations: fc
      .tuple(intervals(originMs, 5), fc.array(reservation, { minLength: 5, maxLength: 5 }))
      .map(([list, details]) =>
        withoutOverlaps(list).map((interval, index) => ({ ...interval, ...details[index]! })),
      ),
    bookedPerDay: fc.dictionary(
      fc.constantFrom(date, Temporal.PlainDate.from(date).add({ days: 1 }).toString()),
      fc.integer({ min: 0, max: 3 }),
    ),
    weight: fc.integer({ min: 1, max: 3 }),
    recentBookings: fc.integer({ min: 0, max: 3 }),
    lastBookedAtMs: fc.constant(null),
  })
}

function withoutOverlaps(list: Interval[]): Interval[] {
  const kept: Interval[] = []
  for (const one of list)
    if (one.endMs > one.startMs && one.startMs >= (kept.at(-1)?.endMs ?? -Infinity)) kept.push(one)
  return kept
}

function groupSlots(originMs: number): fc.Arbitrary<GroupSlot[]> {
  return intervals(originMs, 3).chain(list =>
    fc.tuple(
      ...withoutOverlaps(list).map((interval, index) =>
        fc.integer({ min: 0, max: 2 }).map(seatsLeft => ({
          ...interval,
          bookedSlotId: `group ${index}`,
          agendaIds: ['a'],
          seatsLeft,
        })),
      ),
    ),
  )
}

/** Two days. With `travel`, places of reservations count. */
export const smallRequest: fc.Arbitrary<SlotRequest> = fc
  .constantFrom(...clockDays)
  .chain(([timezone, date]) => {
    const originMs = Temporal.PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds
    return fc.record({
      nowMs: fc.integer({ min: -1440, max: 720 }).map(minutes => originMs + minutes * minuteMs),
      range: fc.constant({ startMs: originMs, endMs: originMs + rangeMin * minuteMs }),
      durationMin: fc.constantFrom(5, 15, 30, 45, 60, 90, 240),
      bufferBeforeMin: buffer,
      bufferAfterMin: buffer,
      availability: fc
        .tuple(
          hours(timezone, date),
          fc.record({
            minimumNoticeMin: fc.constantFrom(0, 60, 600),
            horizonDays: fc.constantFrom(0, 1, 2, 30),
            slotIntervalMin: fc.constantFrom(5, 10, 15, 30, 45, 60, 90),
            dailyLimit: fc.constantFrom(null, null, 1, 2),
          }),
        )
        .map(([one, other]) => ({ ...one, ...other })),
      assignment: fc.constantFrom('round_robin', 'collective'),
      agendas: fc
        .tuple(
          ...['a', 'b', 'c'].map(agendaId => agenda(originMs, date, agendaId)),
          fc.integer({ min: 1, max: 3 }),
        )
        .map(all => all.slice(0, all.at(-1) as number) as AgendaState[]),
      travel: fc.option(
        place.map(own => ({
          place: own,
          // Not the same in both directions, as on roads.
          estimateMin: (from, to) =>
            Math.round(Math.abs(from.latitude - to.latitude) * 300 + (from === own ? 7 : 0)),
        })),
      ),
      seats: fc.constant(3),
      groupSlots: fc.oneof(fc.constant<GroupSlot[]>([]), groupSlots(originMs)),
    } satisfies { [Key in keyof SlotRequest]: fc.Arbitrary<SlotRequest[Key]> })
  })
