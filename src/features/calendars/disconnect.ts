/**
 * Disconnects calendars. One with events that are still to be deleted is kept until they are, or until an hour has passed: nobody
 * sees it any more, and only the writes use its credentials.
 */
import type { Tx } from '../../kit/db/index.ts'
import { forEachTenant } from '../../kit/jobs/for-each-tenant.ts'
import { deploymentJob } from '../../kit/jobs/job.ts'
import {
  deleteCalendar,
  deleteDisconnected,
  hideCalendar,
  listTenantsWithDisconnected,
} from './disconnect-queries.ts'
import { calendarsMax } from './problems.ts'
import { type CalendarRow, listCalendars } from './queries.ts'
import { notifyWrites } from './writes/plan-writes.ts'
import { forgetPresent } from './writes/queries.ts'

/** Events of appointments stay in the calendar. Those that were to be deleted still are. */
export async function disconnectCalendar(tx: Tx, { id, status }: CalendarRow): Promise<void> {
  const hasWrites = await forgetPresent(tx, id)
  if (!hasWrites || (status !== 'CONNECTED' && status !== 'FAILING')) return deleteCalendar(tx, id)
  await hideCalendar(tx, id)
  await notifyWrites(tx)
}

/** Handles `agendaDeleted`. */
export async function disconnectCalendars(tx: Tx, agendaId: string): Promise<void> {
  const query = { limit: calendarsMax.ofAgenda, agendaId }
  for (const calendar of await listCalendars(tx, query, null)) await disconnectCalendar(tx, calendar)
}

export const deleteDisconnectedCalendars = deploymentJob({
  name: 'delete-disconnected-calendars',
  cron: '*/10 * * * *',
  run: context => forEachTenant(context, listTenantsWithDisconnected(context.database), deleteDisconnected),
})
