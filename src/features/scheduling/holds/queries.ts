/** The SQL statements of holds: seats that are kept for a few minutes. */
import { sql } from 'kysely'
import { getNow, sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { readAgendaIds, releaseSeat } from '../slots/reserve.ts'

export interface TakenHold {
  bookedSlotId: string
  eventTypeId: string
  startMs: number
  endMs: number
  agendaIds: string[]
}

/** Ends a hold whose seat an appointment takes over; null: there is none, or it has expired. */
export async function takeHold(tx: Tx, holdId: string): Promise<TakenHold | null> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ bookedSlotId: string }>`
    delete from slot_holds where tenant_id = ${tenantId} and id = ${holdId} and expires_at > ${sqlNow(tx)}
    returning booked_slot_id as "bookedSlotId"`.execute(tx)
  const [hold] = rows
  if (!hold) return null
  const slots = await sql<{ eventTypeId: string; startsAt: Date; endsAt: Date }>`
    select event_type_id as "eventTypeId", starts_at as "startsAt", ends_at as "endsAt" from booked_slots
    where tenant_id = ${tenantId} and id = ${hold.bookedSlotId}`.execute(tx)
  const { eventTypeId, startsAt, endsAt } = slots.rows[0]!
  return {
    bookedSlotId: hold.bookedSlotId,
    eventTypeId,
    startMs: startsAt.getTime(),
    endMs: endsAt.getTime(),
    agendaIds: await readAgendaIds(tx, hold.bookedSlotId),
  }
}

/** Releases the expired holds of these agendas. Lock the agendas before; the calculator counts such holds as free. */
export async function releaseExpiredHolds(tx: Tx, agendaIds: string[]): Promise<void> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ bookedSlotId: string }>`
    delete from slot_holds h where h.tenant_id = ${tenantId} and h.expires_at <= ${getNow(tx)}
      and exists (select from agenda_reservations r
        where r.tenant_id = ${tenantId} and r.booked_slot_id = h.booked_slot_id and r.agenda_id = any(${agendaIds}::uuid[]))
    returning booked_slot_id as "bookedSlotId"`.execute(tx)
  for (const id of rows.map(({ bookedSlotId }) => bookedSlotId).sort()) await releaseSeat(tx, id)
}
