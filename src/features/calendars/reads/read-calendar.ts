/** Reads a calendar with its provider. */
import { type CalendarChanges, CalendarError, type CalendarRange } from '../../../plugins/calendar.ts'
import type { Calendars, CallOptions, OpenCalendar } from '../calendar-connections.ts'
import { callWithin } from '../call-provider.ts'

/** Throws CalendarError; the reason of the signal. A cursor that the provider no longer knows leads to a complete read. */
export async function readCalendar(
  calendars: Calendars,
  { provider, connection, calendar, tenantId, clockShiftMs }: OpenCalendar,
  { range, timeoutMs, database, signal }: CallOptions & { range: CalendarRange; timeoutMs: number },
): Promise<CalendarChanges> {
  const read = (cursor: string | null) =>
    callWithin(signal, timeoutMs, signal => {
      const called = { provider, tenantId, clockShiftMs, calendarId: calendar.id }
      const context = calendars.createContext(called, { database, signal })
      return provider.read(connection, { cursor, range }, context)
    })
  try {
    return await read(calendar.cursor)
  } catch (error) {
    const isExpired = error instanceof CalendarError && error.code === 'CURSOR_EXPIRED'
    if (!isExpired || calendar.cursor === null) throw error
    return read(null)
  }
}
