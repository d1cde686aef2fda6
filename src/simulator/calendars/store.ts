/** The calendars of one simulated person, whichever protocol serves them. Every change has a number, as sync tokens need. */
import { randomUUID } from 'node:crypto'

export interface SimulatedCalendar {
  id: string
  name: string
  isPrimary: boolean
  isWritable: boolean
  timezone: string
}

export interface SimulatedEvent {
  id: string
  uid: string
  calendarId: string
  title: string
  description: string
  location: string
  /** Instants; dates if the event takes whole days. */
  start: string
  end: string
  isAllDay: boolean
  isFree: boolean
  isTentative: boolean
  /** Null: it takes place once. */
  repeats: { days: number; count: number } | null
  /** Occurrences that were deleted, by their number. */
  skipped: number[]
  isDeleted: boolean
  /** The number of its last change. */
  change: number
  /** What the program stores with the event. */
  own: Record<string, string>
}

export interface Occurrence {
  /** 0 for the first one, and for an event that takes place once. */
  index: number
  start: string
  end: string
  isDeleted: boolean
}

export type EventFields = Pick<SimulatedEvent, 'title' | 'start' | 'end'> & Partial<SimulatedEvent>

export const simulatedCalendars: SimulatedCalendar[] = [
  {
    id: 'ana@agency.example',
    name: 'Ana',
    isPrimary: true,
    isWritable: true,
    timezone: 'Europe/Madrid',
  },
  {
    id: 'holidays@agency.example',
    name: 'Festivos',
    isPrimary: false,
    isWritable: false,
    timezone: 'Europe/Madrid',
  },
]

export interface CalendarStore {
  calendars: SimulatedCalendar[]
  events: Map<string, SimulatedEvent>
  /** The number of the last change. */
  lastChange(): number
  /** Tokens of former epochs have expired. */
  epoch: number
  create(fields: EventFields): SimulatedEvent
  change(id: string, fields: Partial<SimulatedEvent>): SimulatedEvent | undefined
  /** Those of a calendar that changed after a number, in their order. */
  listChanged(calendarId: string, since: number): SimulatedEvent[]
}

export function createStore(): CalendarStore {
  const events = new Map<string, SimulatedEvent>()
  let counter = 1
  const create: CalendarStore['create'] = fields => {
    counter += 1
    const id = fields.id ?? randomUUID().replaceAll('-', '')
    const event: SimulatedEvent = {
      uid: `${id}@calendar.example`,
      calendarId: simulatedCalendars[0]!.id,
      description: '',
      location: '',
      isAllDay: false,
      isFree: false,
      isTentative: false,
      repeats: null,
      skipped: [],
      isDeleted: false,
      own: {},
      ...fields,
      id,
      change: counter,
    }
    events.set(id, event)
    return event
  }
  return {
    calendars: simulatedCalendars,
    events,
    epoch: 1,
    lastChange: () => counter,
    create,
    change(id, fields) {
      const event = events.get(id)
      if (!event) return undefined
      counter += 1
      Object.assign(event, fields, { change: counter })
      return event
    },
    listChanged: (calendarId, since) =>
      [...events.values()]
        .filter(event => event.calendarId === calendarId && event.change > since)
        .toSorted((a, b) => a.change - b.change),
  }
}

/** All occurrences in a range, deleted ones included. */
export function expand(event: SimulatedEvent, from: string, to: string): Occurrence[] {
  const { days, count } = event.repeats ?? { days: 1, count: 1 }
  return Array.from({ length: count }, (_, index) => ({
    index,
    start: shift(event, event.start, index * days),
    end: shift(event, event.end, index * days),
    isDeleted: event.isDeleted || event.skipped.includes(index),
  })).filter(({ start, end }) => toMs(start) < toMs(to) && toMs(end) > toMs(from))
}

const toMs = (time: string) => Date.parse(time)

function shift({ isAllDay }: SimulatedEvent, time: string, days: number): string {
  if (isAllDay) return Temporal.PlainDate.from(time).add({ days }).toString()
  return Temporal.Instant.from(time)
    .add({ hours: days * 24 })
    .toString()
}
