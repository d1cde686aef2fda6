/** What the slot calculator reads and returns. Times are milliseconds since 1970; days are ISO dates. */

/** Half open: a time ends before the next one begins. */
export interface Interval {
  startMs: number
  endMs: number
}

/** `from` and `to`: `HH:MM` by the wall clock; `24:00` is the end of the day. */
export interface DayHours {
  from: string
  to: string
}

/** Hours in the time zone of whoever states them. `day`: 1 Monday … 7 Sunday. An override replaces the hours of its date. */
export interface WorkingHours {
  timezone: string
  weekly: (DayHours & { day: number })[]
  overrides: { date: string; intervals: DayHours[] }[]
  /** Public holidays, closed unless an override opens them. */
  closedDates: string[]
}

export interface Availability extends WorkingHours {
  minimumNoticeMin: number
  horizonDays: number
  /** From the beginning of each interval of hours. */
  slotIntervalMin: number
  /** Appointments per agenda and day of the availability's time zone; null: no limit. */
  dailyLimit: number | null
}

export interface Place {
  latitude: number
  longitude: number
}

/** A booked or held slot of an agenda, with the buffers that it was booked with. */
export interface Reservation extends Interval {
  bufferBeforeMin: number
  bufferAfterMin: number
  /** Where it takes place; null: unknown, or not on site. */
  place: Place | null
}

/** A slot of a group viewing that has seats left. */
export interface OpenGroupSlot extends Interval {
  bookedSlotId: string
  agendaIds: string[]
  seatsLeft: number
}

/** What is known of an agenda. `busy` and `reservations` are in the order of their beginning and may overlap. */
export interface AgendaState {
  agendaId: string
  /** Null: whenever the event type is available. */
  workingHours: WorkingHours | null
  busy: Interval[]
  reservations: Reservation[]
  /** Appointments of the event type, by day of the availability's time zone. */
  bookedPerDay: Record<string, number>
  weight: number
  /** Appointments lately, without those that were cancelled or that nobody came to. */
  recentBookings: number
  /** Null: never. */
  lastBookedAtMs: number | null
}

/** `collective`: all agendas at once; `round_robin`: one of them. A single agenda is either. */
export type Assignment = 'round_robin' | 'collective'

/** Travel between on-site appointments. */
export interface Travel {
  place: Place
  /** Minutes from one place to another. */
  estimateMin(from: Place, to: Place): number
}

export interface SlotRequest {
  nowMs: number
  /** Slots that begin in it. */
  range: Interval
  durationMin: number
  bufferBeforeMin: number
  bufferAfterMin: number
  availability: Availability
  assignment: Assignment
  agendas: AgendaState[]
  /** Null: travel times do not count. */
  travel: Travel | null
  openGroupSlots: OpenGroupSlot[]
}

export interface Slot extends Interval {
  /** The agendas that can take it, the fairest choice first; with `collective`, all of them. */
  agendaIds: string[]
  /** The group viewing that it joins; null: it begins one, or has one seat. */
  bookedSlotId: string | null
  seatsLeft: number | null
}
