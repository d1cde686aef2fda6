/** Calendars on which providers are tried: the simulated ones, and Radicale. */
import { readCalendar } from '../src/domain/icalendar/read-calendar.ts'
import { createHttpClient } from '../src/kit/http/client.ts'
import { type CalendarContext, CalendarError } from '../src/plugins/calendar.ts'
import type { CalendarTrial, PersonEvent } from '../src/plugins/check-calendar-behaviour.ts'
import type { CalDavSimulator } from '../src/simulator/calendars/caldav.ts'
import type { SimulatedOAuth } from '../src/simulator/calendars/oauth.ts'
import type { CalendarSimulator } from '../src/simulator/calendars/server.ts'
import { formatIcalendar } from '../src/simulator/calendars/simulated-ics.ts'
import { createStore, type SimulatedEvent, simulatedCalendars } from '../src/simulator/calendars/store.ts'
import type { Radicale } from './radicale.ts'

type Closable = CalendarTrial & { close(): Promise<void> }

const [own, holidays] = simulatedCalendars as [SimulatedCalendar, SimulatedCalendar]
type SimulatedCalendar = (typeof simulatedCalendars)[number]

/** As the feature reads it, without a thread. */
export const readIcalendar: CalendarContext<object>['readIcalendar'] = async (text, { range, timezone }) => {
  const options = { fromMs: range.from.epochMilliseconds, toMs: range.to.epochMilliseconds, timezone }
  const toInstant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms)
  try {
    const { events, ...content } = readCalendar(text, options)
    const toBusy = ({ startMs, endMs }: { startMs: number; endMs: number }) => ({
      start: toInstant(startMs),
      end: toInstant(endMs),
    })
    return { ...content, events: events.map(({ uid, busy }) => ({ uid, busy: busy.map(toBusy) })) }
  } catch (error) {
    throw new CalendarError('NOT_A_CALENDAR', 'The text is not a calendar.', { cause: error })
  }
}

function createTrial(
  { store, url, addFault, expireCursors }: CalendarSimulator,
  toId: (event: SimulatedEvent) => string,
): Pick<Closable, 'create' | 'change' | 'remove' | 'close' | 'context'> & {
  faults: Pick<NonNullable<CalendarTrial['faults']>, 'refuse' | 'expireCursors'>
} {
  const http = createHttpClient({ reach: 'any' })
  const find = (id: string) => [...store.events.values()].find(event => toId(event) === id)!.id
  return {
    context: { http, guardedHttp: http, baseUrl: url, client: null, readIcalendar },
    create: async event => toId(store.create(event)),
    async change(id, times) {
      store.change(find(id), times)
    },
    async remove(id, occurrence) {
      store.change(find(id), occurrence === undefined ? { isDeleted: true } : { skipped: [occurrence] })
    },
    faults: { refuse: addFault, expireCursors },
    close: () => http.close(),
  }
}

/** `close` ends the client; the simulator stays. */
export function createOAuthTrial(simulator: CalendarSimulator & { oauth: SimulatedOAuth }): Closable {
  const { oauth } = simulator
  const trial = createTrial(simulator, ({ id }) => id)
  return {
    ...trial,
    credentials: { ...oauth.grant(), expiresAt: Date.parse('2026-11-26T11:00:00Z') },
    context: { ...trial.context, client: oauth.client },
    calendarId: own.id,
    readOnlyCalendarId: holidays.id,
    faults: { ...trial.faults, expireAccess: oauth.expireAccess, revoke: oauth.revoke },
  }
}

export function createCalDavTrial(simulator: CalDavSimulator): Closable {
  const toPath = (calendar: SimulatedCalendar) => `/dav/calendars/ana/${encodeURIComponent(calendar.id)}/`
  const trial = createTrial(simulator, ({ id }) => `${toPath(own)}${encodeURIComponent(id)}`)
  return {
    ...trial,
    credentials: simulator.credentials,
    calendarId: simulator.url + toPath(own),
    readOnlyCalendarId: simulator.url + toPath(holidays),
    faults: { ...trial.faults, revoke: simulator.changePassword },
  }
}

/** The person's program writes iCalendar to it. */
export function createRadicaleTrial(radicale: Radicale, calendarId: string): Closable {
  const http = createHttpClient({ reach: 'any' })
  const { url: origin } = radicale.credentials
  const store = createStore()
  const put = (id: string, event: SimulatedEvent) =>
    radicale.request('PUT', origin + id, formatIcalendar(event))
  return {
    credentials: radicale.credentials,
    context: { http, guardedHttp: http, baseUrl: origin, client: null, readIcalendar },
    calendarId,
    readOnlyCalendarId: null,
    async create(event: PersonEvent) {
      const created = store.create(event)
      const id = `${new URL(calendarId).pathname}${created.id}.ics`
      await put(id, created)
      store.events.set(id, created)
      return id
    },
    async change(id, times) {
      const known = store.events.get(id)
      if (known) return put(id, Object.assign(known, times)).then(() => {})
      const text = await radicale.request('GET', origin + id)
      const toTime = (time: string) => time.replace(/[-:]|\.\d+/g, '')
      const moved = text
        .replace(/^DTSTART;TZID.*$/m, `DTSTART:${toTime(times.start)}`)
        .replace(/^DTEND;TZID.*$/m, `DTEND:${toTime(times.end)}`)
      await radicale.request('PUT', origin + id, moved)
    },
    async remove(id, occurrence) {
      if (occurrence === undefined) await radicale.request('DELETE', origin + id)
      else await put(id, Object.assign(store.events.get(id)!, { skipped: [occurrence] }))
    },
    faults: null,
    close: () => http.close(),
  }
}
