/** Finds the program's own events in what was read of a calendar, and marks those that people changed there. */
import type { Tx } from '../../../kit/db/index.ts'
import type { CalendarChanges, CalendarRange, ExternalEvent } from '../../../plugins/calendar.ts'
import { findAppointments } from '../../scheduling/service.ts'
import type { CalendarRow } from '../queries.ts'
import { findWrites } from './queries.ts'
import { suspectWrites } from './suspects.ts'

/** Returns the UIDs of the own events. They never count as busy, also if they came into the calendar by an invitation. */
export async function markOwnEvents(
  tx: Tx,
  calendar: CalendarRow,
  { isComplete, events, removedIds }: CalendarChanges,
  range: CalendarRange,
): Promise<Set<string>> {
  const byAppointment = new Map<string, ExternalEvent>()
  for (const event of events) {
    const id = parseAppointmentId(event.uid)
    if (id !== null) byAppointment.set(id, event)
  }
  const own = (await findAppointments(tx, [...byAppointment.keys()])).filter(
    ({ id, icalUid }) => byAppointment.get(id)?.uid === icalUid,
  )
  const uids = new Set(own.map(({ icalUid }) => icalUid))
  if (!calendar.receives) return uids
  const writes = await findWrites(
    tx,
    calendar,
    own.map(({ id }) => id),
  )
  await suspectWrites(tx, calendar.id, {
    changedIds: writes
      .filter(write => byAppointment.get(write.appointmentId)!.version !== write.externalVersion)
      .map(({ appointmentId }) => appointmentId),
    removedIds,
    all: isComplete ? { range, externalIds: events.map(({ id }) => id) } : null,
  })
  return uids
}

/** The UID of an appointment begins with its id. */
function parseAppointmentId(uid: string): string | null {
  return /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/.exec(uid)?.[1] ?? null
}
