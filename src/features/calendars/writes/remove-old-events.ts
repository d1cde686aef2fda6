/** Deletes the events of appointments from the calendar that was used before, as long as the credentials give access to it. */
import type { Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { type JobDefinition, job } from '../../../kit/jobs/job.ts'
import { CalendarError } from '../../../plugins/calendar.ts'
import type { Calendars } from '../calendar-connections.ts'
import { callWithin } from '../call-provider.ts'
import { forgetWrites, type OldEvent } from './queries.ts'

const name = 'remove-calendar-events'
const eventsPerJob = 50
const timeoutMs = 30_000

interface OldEvents {
  calendarId: string
  /** Of the calendar before. */
  externalId: string
  events: OldEvent[]
}

/** Nothing that is known of events in one calendar holds for another. Past events stay where they are. */
export async function leaveCalendar(tx: Tx, calendarId: string, externalId: string): Promise<void> {
  const events = await forgetWrites(tx, calendarId)
  for (let at = 0; at < events.length; at += eventsPerJob)
    await enqueue(tx, name, { calendarId, externalId, events: events.slice(at, at + eventsPerJob) })
}

export function removeOldEventsJob(calendars: Calendars): JobDefinition<never> {
  return job<OldEvents>({
    name,
    workerPool: 'long',
    async run({ calendarId, externalId, events }, { database, tenantId, signal }) {
      const opened = await database.readTenant({ tenantId }, tx => calendars.find(tx, calendarId))
      if (!opened?.provider.writes) return
      const { provider, connection, clockShiftMs } = opened
      for (const event of events) {
        try {
          await callWithin(signal, timeoutMs, signal => {
            const called = { provider, tenantId, clockShiftMs, calendarId }
            const context = calendars.createContext(called, { database, signal })
            return provider.writes!.remove({ ...connection, externalId }, event, context)
          })
        } catch (error) {
          // Other credentials may give no access to the calendar before.
          if (!(error instanceof CalendarError) || error.isRetryable) throw error
        }
      }
    },
  }) as JobDefinition<never>
}
