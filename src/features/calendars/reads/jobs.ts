/** Reads every calendar when it is due: a job each, so that none waits for another. */
import { getTenantNow } from '../../../kit/clock/clock.ts'
import type { ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import type { Database } from '../../../kit/db/index.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { type DeploymentJob, deploymentJob, type JobDefinition, job } from '../../../kit/jobs/job.ts'
import { CalendarError } from '../../../plugins/calendar.ts'
import type { Calendars } from '../calendar-connections.ts'
import { applyOwnEvents } from '../writes/apply-own-events.ts'
import { enqueueRead, readName } from './enqueue-read.ts'
import { findDueRead, listDueCalendars, listDueCalendarsOfTenant } from './queries.ts'
import { readCalendar } from './read-calendar.ts'
import { recordFailedRead, recordRead, toReadRange } from './record-read.ts'

const timeoutMs = 90_000

export const planReads: DeploymentJob = deploymentJob({
  name: 'plan-calendar-reads',
  cron: '* * * * *',
  async run(context) {
    const due = Map.groupBy(await listDueCalendars(context.database), ({ tenantId }) => tenantId)
    await forEachTenant(context, Promise.resolve([...due.keys()]), async (tx, tenantId) => {
      for (const { calendarId } of due.get(tenantId)!) await enqueueRead(tx, calendarId)
    })
  },
})

/** A moved clock waits until the calendars that became due were read. */
export const readSchedule: ScheduledTask = {
  findNextDueAt: findDueRead,
  start: (database, tenantId) =>
    database.withTenant({ tenantId }, async tx => {
      for (const calendarId of await listDueCalendarsOfTenant(tx)) await enqueueRead(tx, calendarId)
    }),
}

export function readCalendarJob(calendars: Calendars): JobDefinition<never> {
  return job<{ calendarId: string }>({
    name: readName,
    workerPool: 'long',
    run: ({ calendarId }, { database, tenantId, signal }) =>
      readAndRecord(calendars, calendarId, { database, tenantId, signal }),
  }) as JobDefinition<never>
}

/** Reads a calendar, and records the result. Throws the reason of the signal. */
export async function readAndRecord(
  calendars: Calendars,
  calendarId: string,
  { database, tenantId, signal }: { database: Database; tenantId: string; signal: AbortSignal },
): Promise<void> {
  const opened = await database.readTenant({ tenantId }, tx => calendars.find(tx, calendarId))
  if (!opened || opened.calendar.status === 'AUTHORIZING' || opened.calendar.externalId === null) return
  const range = toReadRange(getTenantNow(database, tenantId))
  try {
    const changes = await readCalendar(calendars, opened, { range, timeoutMs, database, signal })
    const { readIntervalMin } = opened.provider
    await database.withTenant({ tenantId }, tx =>
      recordRead(tx, opened.calendar, { range, changes, readIntervalMin }),
    )
    const hasMore = await applyOwnEvents(calendars, opened, { range, database, signal })
    if (hasMore) await database.withTenant({ tenantId }, tx => enqueueRead(tx, calendarId))
  } catch (error) {
    if (!(error instanceof CalendarError)) throw error
    await database.withTenant({ tenantId }, tx => recordFailedRead(tx, opened.calendar, error))
  }
}
