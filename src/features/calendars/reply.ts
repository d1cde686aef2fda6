/** Converts stored calendars to API replies. */
import { getNow } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { notFound } from '../../kit/problem.ts'
import type { CalendarProvider } from '../../plugins/calendar.ts'
import { freshForMs } from '../scheduling/service.ts'
import type { Calendars } from './calendar-connections.ts'
import { type CalendarRow, findCalendars } from './queries.ts'
import type { Calendar, CalendarProviderInfo, CalendarWithoutLink } from './schemas.ts'

export function toCalendar(tx: Tx, row: CalendarRow): CalendarWithoutLink {
  const { credentials: _, timezone: _zone, cursor: _cursor, ...fields } = row
  const freshSince = getNow(tx).getTime() - freshForMs
  return {
    ...fields,
    fresh:
      row.status !== 'EXPIRED' &&
      row.readAt !== null &&
      row.coveredTo !== null &&
      row.readAt.getTime() >= freshSince,
    statusChangedAt: row.statusChangedAt.toISOString(),
    coveredFrom: row.coveredFrom?.toISOString() ?? null,
    coveredTo: row.coveredTo?.toISOString() ?? null,
    readAt: row.readAt?.toISOString() ?? null,
    nextReadAt: row.nextReadAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Throws 404. */
export async function readCalendarReply(
  tx: Tx,
  id: string,
  authorizationUrl: string | null = null,
): Promise<Calendar> {
  const [row] = await findCalendars(tx, [id])
  if (!row) throw notFound('calendar')
  return { ...toCalendar(tx, row), authorizationUrl }
}

export const toProviderInfo = (provider: CalendarProvider, calendars: Calendars): CalendarProviderInfo => ({
  id: provider.id,
  label: provider.label,
  credentials: provider.credentials,
  authorizes: provider.authorization !== undefined,
  writes: provider.writes !== undefined,
  readIntervalMin: provider.readIntervalMin,
  isConfigured: !provider.authorization || calendars.getClient(provider) !== null,
})
