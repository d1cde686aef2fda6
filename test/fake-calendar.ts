/**
 * A calendar of a person that answers reads with what changed since, as those of Google do, and that can fail. An event outside of the
 * range that is read is in no list.
 */
import { strictObject, Type } from '../src/kit/schema.ts'
import {
  CalendarError,
  type CalendarProvider,
  type CalendarRange,
  type ExternalEvent,
} from '../src/plugins/calendar.ts'
import { clipBusy } from '../src/plugins/calendar-kit/busy-times.ts'

interface FakeEvent {
  uid: string
  version: number
  start: string
  end: string
}

/** One with two calendars: `main` and `other`. */
export function createFakeCalendar(id = 'fake') {
  /** By calendar and id; null: deleted. */
  const events = new Map<string, FakeEvent | null>()
  /** The keys of `events`, in the order of their changes. */
  const log: string[] = []
  /** `replies`: replies to writes wait for it, after the write. */
  const faults: {
    find: Error | null
    remove: CalendarError | null
    all: CalendarError | null
    replies: Promise<void> | null
  } = {
    find: null,
    remove: null,
    all: null,
    replies: null,
  }
  const set = (key: string, event: FakeEvent | null) => {
    events.set(key, event)
    log.push(key)
  }
  const toKey = (calendarId: string, id: string) => `${calendarId}/${id}`
  const toEvent = (
    id: string,
    { uid, version, start, end }: FakeEvent,
    range: CalendarRange,
  ): ExternalEvent => ({
    id,
    uid,
    version: String(version),
    busy: clipBusy({ start: Temporal.Instant.from(start), end: Temporal.Instant.from(end) }, range),
  })
  const throwFault = () => {
    if (faults.all) throw faults.all
  }

  const provider: CalendarProvider = {
    id,
    label: 'Fake',
    baseUrl: null,
    credentials: strictObject({ secret: Type.String() }),
    readIntervalMin: 5,
    listCalendars: async () =>
      ['main', 'other'].map(id => ({
        id,
        name: id,
        isPrimary: id === 'main',
        isWritable: true,
        timezone: null,
      })),
    async read({ externalId }, { cursor, range }) {
      throwFault()
      const keys = [...new Set(log.slice(Number(cursor ?? 0)))].filter(key =>
        key.startsWith(`${externalId}/`),
      )
      const changed = keys.map(key => [key.slice(externalId.length + 1), events.get(key)!] as const)
      return {
        isComplete: cursor === null,
        events: changed
          .flatMap(([id, event]) => (event ? [toEvent(id, event, range)] : []))
          .filter(({ busy }) => busy.length > 0),
        removedIds: changed.filter(([, event]) => !event).map(([id]) => id),
        cursor: String(log.length),
        warnings: [],
      }
    },
    writes: {
      async put({ externalId: calendarId }, event, written) {
        throwFault()
        const id = written?.externalId ?? `id-${event.uid}`
        const before = events.get(toKey(calendarId, id))
        if (written?.version && String(before?.version) !== written.version)
          throw new CalendarError('CONFLICT', 'It was changed.')
        const version = (before?.version ?? 0) + 1
        const { uid, start, end } = event
        set(toKey(calendarId, id), { uid, version, start: start.toString(), end: end.toString() })
        await faults.replies
        return { externalId: id, version: String(version) }
      },
      async find({ externalId: calendarId }, { externalId }, range) {
        if (faults.find) throw faults.find
        const event = events.get(toKey(calendarId, externalId))
        return event ? toEvent(externalId, event, range) : null
      },
      async remove({ externalId: calendarId }, { externalId }) {
        throwFault()
        if (faults.remove) throw faults.remove
        set(toKey(calendarId, externalId), null)
      },
    },
  }

  const listEvents = (calendarId: string): FakeEvent[] =>
    [...events].flatMap(([key, event]) => (event && key.startsWith(`${calendarId}/`) ? [event] : []))
  return {
    provider,
    faults,
    /** The events in a calendar. */
    listEvents,
    listUids: (calendarId: string) => listEvents(calendarId).map(({ uid }) => uid),
    /** What the person does: moves an event of the main calendar, or deletes it. */
    change(uid: string, start: string | null) {
      const key = toKey('main', `id-${uid}`)
      const event = events.get(key)!
      if (start === null) return set(key, null)
      const lengthMs = Date.parse(event.end) - Date.parse(event.start)
      const end = new Date(Date.parse(start) + lengthMs).toISOString()
      set(key, { ...event, start, end, version: event.version + 1 })
    },
    clear() {
      events.clear()
      log.length = 0
      Object.assign(faults, { find: null, remove: null, all: null, replies: null })
    },
  }
}
