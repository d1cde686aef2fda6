/** Finds the drives that decide about what the pages show. */
import type { Drive } from '../../../domain/slots/travel.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { findRescheduleDrives, findTravelling } from '../appointments/find-drives.ts'
import { readPlace } from '../appointments/reschedule.ts'
import { findEventType } from '../event-types/queries.ts'
import { findDrives } from '../slots/find-drives.ts'
import { findSlotDrives } from '../slots/nearest-slots.ts'
import { getOwnPlace } from '../slots/place.ts'
import { toStart } from './calendar-html.ts'
import { parseStart, toMonthsRange } from './month.ts'

/** The drives of the calendar of an event type, or of the form of a slot. */
export async function findPageDrives(tx: Tx, eventTypeId: string, query: URLSearchParams): Promise<Drive[]> {
  const eventType = await findEventType(tx, eventTypeId)
  if (!eventType?.config.travel.enabled) return []
  const place = getOwnPlace(eventType)
  const startMs = parseStart(query.get('start'))
  return startMs === null
    ? findDrives(tx, eventType, { place, range: toMonthsRange(tx, eventType, query) })
    : findSlotDrives(tx, { eventType, startMs, place })
}

/** The drives of the calendar to which an appointment can move, or of a slot of it. */
export async function findMovePageDrives(
  tx: Tx,
  appointmentId: string,
  query: URLSearchParams,
): Promise<Drive[]> {
  const startMs = parseStart(query.get('start'))
  if (startMs !== null) return findRescheduleDrives(tx, appointmentId, { start: toStart(startMs) })
  const found = await findTravelling(tx, appointmentId)
  if (!found) return []
  const { appointment, eventType } = found
  const place = await readPlace(tx, eventType, appointment)
  return findDrives(tx, eventType, { place, range: toMonthsRange(tx, eventType, query) })
}
