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
  /** Days of the availability's time zone after today; 0: only today. */
  horizonDays: number
  /** Slots begin every so many minutes of the wall clock, from the beginning of each interval of hours. */
  slotIntervalMin: number
  /** Booked slots per agenda and day of the availability's time zone; null: no limit. */
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

/** A booked slot of a group viewing. */
export interface GroupSlot extends Interval {
  bookedSlotId: string
  agendaIds: string[]
  /** 0: it is full. */
  seatsLeft: number
}

/**
 * What is known of an agenda. `busy` and `reservations` may overlap, and are fastest in the order of their beginning. They need to
 * cover the range, and before and after it the duration with the longest buffers and travel.
 */
export interface AgendaState {
  agendaId: string
  /** Null: whenever the event type is available. */
  workingHours: WorkingHours | null
  busy: Interval[]
  /** Nothing is known of its calendars then, and it fails closed: no slot meets it. Missing: all is known. */
  unknown?: Interval
  reservations: Reservation[]
  /** Booked slots of the event type (not seats), by day of the availability's time zone. */
  bookedPerDay: Record<string, number>
  weight: number
  /** Appointments lately, without those that were cancelled or that nobody came to. */
  recentBookings: number
  /** Null: never. */
  lastBookedAtMs: number | null
}

/** `collective`: all agendas at once; `round_robin`: one of them. A single agenda is either. */
export type Assignment = 'round_robin' | 'collective'

/** Travel between on-site neighbours. It may take place during the buffers: the longer of the two counts. */
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
  /** The seats of a new slot. */
  seats: number
  /** The group slots of the event type that meet the slots of the range, until the end of the last one. Empty without seats. */
  groupSlots: GroupSlot[]
}

export interface Slot extends Interval {
  /** The group viewing that it joins; null: a new slot. */
  bookedSlotId: string | null
  seatsLeft: number
}

export interface BookableSlot extends Slot {
  /** `collective` or a slot to join: all of its agendas. Else those that can take it, the fairest choice first. */
  agendaIds: string[]
}

export const unavailableReasons = [
  'NOTICE',
  'HORIZON',
  'CLOSED',
  'OUTSIDE_HOURS',
  'NOT_A_SLOT_START',
  'NO_AGENDA',
  'DAILY_LIMIT',
  'TRAVEL',
  'BUSY',
  'JOIN_OPEN_SLOT',
  'NO_SEATS',
  'CALENDAR_STALE',
] as const

/**
 * Why a time can't be booked. `CLOSED`: a holiday, or a date without hours. `JOIN_OPEN_SLOT`: a group slot at that time has seats left.
 * `NO_SEATS`: the group slot is full, and no agenda is free for another one. `CALENDAR_STALE`: only `unknown` is in the way.
 */
export type UnavailableReason = (typeof unavailableReasons)[number]

export interface Unavailable {
  reason: UnavailableReason
}
