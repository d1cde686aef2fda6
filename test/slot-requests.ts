/** Requests of the slot calculator for tests and benchmarks: one agenda, Monday to Friday 09:00 to 18:00 in Madrid. */
import type {
  AgendaState,
  Availability,
  Interval,
  SlotRequest,
  WorkingHours,
} from '../src/domain/slots/types.ts'

type Changes = Partial<Omit<SlotRequest, 'availability' | 'agendas'>> & {
  availability?: Partial<Availability>
  agendas?: Partial<AgendaState>[]
}

export function slotRequest({ availability, agendas = [{}], ...changes }: Changes = {}): SlotRequest {
  return {
    nowMs: at('2026-10-01T00:00Z'),
    range: { startMs: at('2026-11-30T00:00Z'), endMs: at('2026-12-01T00:00Z') },
    durationMin: 30,
    bufferBeforeMin: 0,
    bufferAfterMin: 0,
    availability: {
      ...weekHours('09:00', '18:00', [1, 2, 3, 4, 5]),
      minimumNoticeMin: 0,
      horizonDays: 365,
      slotIntervalMin: 30,
      dailyLimit: null,
      ...availability,
    },
    assignment: 'round_robin',
    agendas: agendas.map((changed, index) => ({ ...emptyAgenda(`agenda ${index + 1}`), ...changed })),
    travel: null,
    seats: 1,
    groupSlots: [],
    ...changes,
  }
}

export function weekHours(from: string, to: string, days = [1, 2, 3, 4, 5, 6, 7]): WorkingHours {
  return {
    timezone: 'Europe/Madrid',
    weekly: days.map(day => ({ day, from, to })),
    overrides: [],
    closedDates: [],
  }
}

function emptyAgenda(agendaId: string): AgendaState {
  return {
    agendaId,
    workingHours: null,
    busy: [],
    reservations: [],
    bookedPerDay: {},
    weight: 1,
    recentBookings: 0,
    lastBookedAtMs: null,
  }
}

/** Milliseconds of `2026-11-30T09:00Z`, or of a local time with its zone: `2026-11-30T09:00[Europe/Madrid]`. */
export function at(time: string): number {
  return time.includes('[')
    ? Temporal.ZonedDateTime.from(time).epochMilliseconds
    : Temporal.Instant.from(time).epochMilliseconds
}

export function between(from: string, to: string): Interval {
  return { startMs: at(from), endMs: at(to) }
}
