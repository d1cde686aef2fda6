/** Holds slots for visitors who are about to book. */
import type { Drive } from '../../../domain/slots/travel.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { assertLead } from '../../leads/service.ts'
import { lockAgendas } from '../agendas/queries.ts'
import { listAgendaIds } from '../event-types/agenda-ids.ts'
import { findEventType, getEventType } from '../event-types/queries.ts'
import { holdsMax, tooManyHolds } from '../problems.ts'
import { getFreeSlot } from '../slots/free-slot.ts'
import { findSlotDrives } from '../slots/nearest-slots.ts'
import { readVisitPlace } from '../slots/place.ts'
import { takeSeat } from '../slots/reserve.ts'
import { countHolds, insertHold, releaseExpiredHolds } from './queries.ts'
import type { Hold, NewHold } from './schemas.ts'

const holdForMs = 5 * 60_000

/** Finds the drives that decide about a hold. */
export async function findHoldDrives(
  tx: Tx,
  eventTypeId: string,
  { start, leadId = null }: NewHold,
): Promise<Drive[]> {
  const eventType = await findEventType(tx, eventTypeId)
  if (!eventType?.config.travel.enabled) return []
  const place = await readVisitPlace(tx, eventType, leadId)
  return findSlotDrives(tx, { eventType, startMs: Date.parse(start), place })
}

/**
 * Takes a seat of the slot until the hold expires. Throws 404 for an unknown event type or lead; 409 SLOT_TAKEN and 422
 * SLOT_UNAVAILABLE with the nearest free slots; 409 TOO_MANY_HOLDS.
 */
export async function createHold(
  tx: Tx,
  eventTypeId: string,
  { start, leadId = null }: NewHold,
): Promise<Hold> {
  const eventType = await getEventType(tx, eventTypeId)
  if (leadId !== null) await assertLead(tx, leadId)
  const place = await readVisitPlace(tx, eventType, leadId)
  const query = { eventType, startMs: Date.parse(start), place, excludedSlotId: null }
  // Without a lock first: many requests for one slot fail at once.
  await getFreeSlot(tx, query)
  const agendaIds = listAgendaIds(eventType)
  await lockAgendas(tx, agendaIds)
  await releaseExpiredHolds(tx, agendaIds)
  const slot = await getFreeSlot(tx, query)
  if ((await countHolds(tx, eventTypeId)) >= holdsMax) throw new Problem(tooManyHolds, tooManyHolds.example)
  const { bookedSlotId } = await takeSeat(tx, { eventType, slot, place })
  const expiresAt = new Date(getNow(tx).getTime() + holdForMs)
  return {
    id: await insertHold(tx, bookedSlotId, expiresAt),
    eventTypeId,
    start: new Date(slot.startMs).toISOString(),
    end: new Date(slot.endMs).toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}
