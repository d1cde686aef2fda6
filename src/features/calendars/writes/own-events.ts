/** Finds the program's own events in what was read of a calendar, and which of them people changed there. */
import type { Tx } from '../../../kit/db/index.ts'
import type { CalendarChanges, CalendarRange, ExternalEvent } from '../../../plugins/calendar.ts'
import { findAppointments } from '../../scheduling/service.ts'
import type { CalendarRow } from '../queries.ts'
import { type CalendarWrite, findWrites, listPresentWrites } from './queries.ts'

/** `event`: null: it is missing in the calendar. */
export interface OwnEvent {
  write: CalendarWrite
  event: ExternalEvent | null
}

/** Changes of one read that are applied; the next read finds the others. */
const changedMax = 50

/** `uids`: they never count as busy, also if they came into the calendar by an invitation. */
export async function findOwnEvents(
  tx: Tx,
  calendar: CalendarRow,
  { isComplete, events, removedIds }: CalendarChanges,
  { from, to }: CalendarRange,
): Promise<{ uids: Set<string>; changed: OwnEvent[] }> {
  const byAppointment = new Map<string, ExternalEvent>()
  for (const event of events) {
    const id = parseAppointmentId(event.uid)
    if (id !== null) byAppointment.set(id, event)
  }
  const own = (await findAppointments(tx, [...byAppointment.keys()])).filter(
    ({ id, icalUid }) => byAppointment.get(id)?.uid === icalUid,
  )
  const uids = new Set(own.map(({ icalUid }) => icalUid))
  if (!calendar.receives) return { uids, changed: [] }
  const writes = await findWrites(
    tx,
    calendar.id,
    own.map(({ id }) => id),
  )
  const changed = writes
    .filter(
      write => isSettled(write) && byAppointment.get(write.appointmentId)!.version !== write.externalVersion,
    )
    .map(write => ({ write, event: byAppointment.get(write.appointmentId)! }))
  const toDate = (time: Temporal.Instant) => new Date(time.epochMilliseconds)
  const present = await listPresentWrites(tx, calendar.id, {
    from: toDate(from),
    to: toDate(to),
    limit: 1000,
  })
  const removed = new Set(removedIds)
  const seen = new Set(events.map(({ id }) => id))
  const missing = present
    .filter(({ externalId }) => removed.has(externalId!) || (isComplete && !seen.has(externalId!)))
    .map(write => ({ write, event: null }))
  return { uids, changed: [...changed, ...missing].slice(0, changedMax) }
}

/** What the program has still to write is newer. */
const isSettled = ({ wanted, nextAttemptAt, externalId, externalVersion }: CalendarWrite) =>
  wanted === 'present' && nextAttemptAt === null && externalId !== null && externalVersion !== null

/** The UID of an appointment begins with its id. */
function parseAppointmentId(uid: string): string | null {
  return /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/.exec(uid)?.[1] ?? null
}
