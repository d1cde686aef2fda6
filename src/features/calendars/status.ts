/** The status of a calendar: every change is stored with its reason, and emits an event. */
import { getNow } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { calendarStatusChanged } from './events.ts'
import { type CalendarChanges, type CalendarRow, updateCalendar } from './queries.ts'
import type { CalendarStatus } from './schemas.ts'

/** `calendar`: locked. `changes`: what else is stored. */
export async function changeCalendarStatus(
  tx: Tx,
  calendar: CalendarRow,
  status: CalendarStatus,
  reason: string | null,
  changes: CalendarChanges = {},
): Promise<void> {
  const { id, agendaId, status: previousStatus } = calendar
  const isChanged = status !== previousStatus
  await updateCalendar(tx, id, {
    ...changes,
    status,
    status_reason: reason,
    ...(isChanged ? { status_changed_at: getNow(tx) } : {}),
  })
  if (isChanged) await emit(tx, calendarStatusChanged, { calendarId: id, agendaId, status, previousStatus })
}
