/** What a simulated calendar does on request over HTTP: the person's hand, and faults. */
import { type Static, strictObject, Type } from '../../kit/schema.ts'
import { createControlRoutes, read, refuse, shownMax } from '../control-routes.ts'
import type { SimulatedOAuth } from './oauth.ts'
import type { CalendarStore, SimulatedEvent } from './store.ts'

const time = Type.String({ minLength: 10, maxLength: 40 })
const Event = strictObject({
  calendarId: Type.Optional(Type.String({ maxLength: 200 })),
  title: Type.String({ minLength: 1, maxLength: 500 }),
  start: time,
  end: time,
  isAllDay: Type.Optional(Type.Boolean()),
  isFree: Type.Optional(Type.Boolean()),
  repeats: Type.Optional(
    strictObject({
      days: Type.Integer({ minimum: 1, maximum: 366 }),
      count: Type.Integer({ minimum: 1, maximum: 1000 }),
    }),
  ),
})
const Change = strictObject({
  id: Type.String({ maxLength: 500 }),
  start: Type.Optional(time),
  end: Type.Optional(time),
  isFree: Type.Optional(Type.Boolean()),
  isDeleted: Type.Optional(Type.Boolean()),
  /** Numbers of occurrences to delete. */
  skipped: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 1000 })),
})
const Fault = strictObject({
  kind: Type.Optional(Type.Union([Type.Literal('hang'), Type.Literal('close')])),
  status: Type.Optional(Type.Integer({ minimum: 300, maximum: 599 })),
  retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
  latencyMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  /** The number of requests; default 1. */
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
})
export type CalendarFault = Static<typeof Fault>

export function createCalendarControl({
  store,
  faults,
  oauth,
  expireCursors,
}: {
  store: CalendarStore
  faults: CalendarFault[]
  oauth: SimulatedOAuth | undefined
  expireCursors(): void
}) {
  const done = { status: 200, body: {} }
  const show = (event: SimulatedEvent) => ({ status: 201, body: event })
  return createControlRoutes({
    'GET ': () => ({
      status: 200,
      body: { calendars: store.calendars, events: [...store.events.values()].slice(-shownMax), faults },
    }),
    'POST /events': read(Event, fields =>
      isValidTime(fields)
        ? show(store.create(fields))
        : refuse(400, 'Times are instants such as 2026-12-01T09:00:00Z, or dates if isAllDay.'),
    ),
    'POST /events/change': read(Change, ({ id, ...fields }) => {
      const event = store.events.get(id)
      if (!event) return refuse(404, 'No event has this id.')
      if (!isValidTime({ ...event, ...fields })) return refuse(400, 'The times can’t be read.')
      return show(store.change(id, fields)!)
    }),
    'POST /faults': read(Fault, fault => {
      faults.push(fault)
      return { status: 201, body: fault }
    }),
    'DELETE /faults'() {
      faults.length = 0
      return done
    },
    'POST /expire-access'() {
      oauth?.expireAccess()
      return done
    },
    'POST /revoke'() {
      oauth?.revoke()
      return done
    },
    'POST /expire-cursors'() {
      expireCursors()
      return done
    },
  })
}

function isValidTime({ start, end, isAllDay = false }: { start: string; end: string; isAllDay?: boolean }) {
  const parse = (text: string) =>
    isAllDay ? Temporal.PlainDate.from(text).toString() : Temporal.Instant.from(text).toString()
  try {
    return parse(start) < parse(end)
  } catch {
    return false
  }
}
