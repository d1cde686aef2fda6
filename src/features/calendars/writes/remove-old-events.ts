/** Deletes events from a calendar that was used before, or was disconnected, as long as the credentials give access to it. */
import type { Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { type JobDefinition, job } from '../../../kit/jobs/job.ts'
import { CalendarError } from '../../../plugins/calendar.ts'
import type { Calendars } from '../calendar-connections.ts'
import { callWithin } from '../call-provider.ts'
import { calendarsMax } from '../problems.ts'
import { type CalendarRow, deleteCalendar, listCalendars } from '../queries.ts'
import { forgetWrites, type OldEvent } from './queries.ts'

const name = 'remove-calendar-events'
const eventsPerJob = 50
const timeoutMs = 30_000
/** Within some minutes. The credentials of a disconnected calendar do not stay for longer. */
const maxAttempts = 6

interface OldEvents {
  calendarId: string
  /** Of the calendar before. */
  externalId: string
  events: OldEvent[]
  /** What connects a calendar that was disconnected; null: the calendar has it. */
  disconnected: { provider: string; timezone: string; encrypted: string } | null
}

async function planRemoval(tx: Tx, { events, ...calendar }: OldEvents): Promise<void> {
  for (let at = 0; at < events.length; at += eventsPerJob) {
    const removed: OldEvents = { ...calendar, events: events.slice(at, at + eventsPerJob) }
    await enqueue(tx, name, removed, { maxAttempts })
  }
}

/** Nothing that is known of events in one calendar holds for another. Past events stay where they are. */
export async function leaveCalendar(tx: Tx, calendarId: string, externalId: string): Promise<void> {
  const events = await forgetWrites(tx, calendarId)
  await planRemoval(tx, { calendarId, externalId, events, disconnected: null })
}

/** Events of appointments stay in the calendar. Those that were to be deleted still are. */
export async function disconnectCalendar(tx: Tx, calendar: CalendarRow): Promise<void> {
  const { id, externalId, credentials, provider, timezone } = calendar
  const events = (await forgetWrites(tx, id)).filter(({ wanted }) => wanted === 'absent')
  if (externalId !== null && credentials !== null) {
    const disconnected = { provider, timezone, encrypted: credentials.toString('base64') }
    await planRemoval(tx, { calendarId: id, externalId, events, disconnected })
  }
  await deleteCalendar(tx, id)
}

/** Handles `agendaDeleted`. */
export async function disconnectCalendars(tx: Tx, agendaId: string): Promise<void> {
  const query = { limit: calendarsMax.ofAgenda, agendaId }
  for (const calendar of await listCalendars(tx, query, null)) await disconnectCalendar(tx, calendar)
}

export function removeOldEventsJob(calendars: Calendars): JobDefinition<never> {
  return job<OldEvents>({
    name,
    workerPool: 'long',
    async run({ events, ...old }, { database, tenantId, signal, isLastAttempt }) {
      const opened = await database.readTenant({ tenantId }, tx => open(tx, calendars, old))
      if (!opened?.provider.writes) return
      const { provider, connection, clockShiftMs, calendarId } = opened
      for (const event of events) {
        try {
          await callWithin(signal, timeoutMs, signal => {
            const called = { provider, tenantId, clockShiftMs, calendarId }
            const context = calendars.createContext(called, { database, signal })
            return provider.writes!.remove(connection, event, context)
          })
        } catch (error) {
          // Other credentials may give no access to the calendar before.
          if (!(error instanceof CalendarError) || (error.isRetryable && !isLastAttempt)) throw error
        }
      }
    },
  }) as JobDefinition<never>
}

async function open(
  tx: Tx,
  calendars: Calendars,
  { calendarId, externalId, disconnected }: Omit<OldEvents, 'events'>,
) {
  if (!disconnected) {
    const opened = await calendars.find(tx, calendarId)
    return opened && { ...opened, connection: { ...opened.connection, externalId }, calendarId }
  }
  const { provider, timezone, encrypted } = disconnected
  const opened = await calendars.connect(tx, provider, Buffer.from(encrypted, 'base64'))
  return (
    opened && {
      ...opened,
      connection: { calendarId, externalId, credentials: opened.credentials, timezone },
      calendarId: null,
    }
  )
}
