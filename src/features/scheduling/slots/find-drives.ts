/** Finds the drives whose times decide about slots: between the place of an event type and those of the bookings around. */
import { type Drive, listDrivesBetween } from '../../../domain/slots/travel.ts'
import type { Interval } from '../../../domain/slots/types.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import { findMembers, toSurroundings } from './members.ts'
import type { VisitPlace } from './place.ts'
import { readReservedPlaces } from './queries.ts'

export async function findDrives(
  tx: Tx,
  eventType: EventTypeRow,
  { place, range }: { place: VisitPlace; range: Interval },
): Promise<Drive[]> {
  if (!eventType.config.travel.enabled || place.place === null) return []
  const agendaIds = findMembers(eventType, place.postcode).map(({ agendaId }) => agendaId)
  return listDrivesBetween(
    place.place,
    await readReservedPlaces(tx, agendaIds, toSurroundings(eventType, range)),
  )
}
