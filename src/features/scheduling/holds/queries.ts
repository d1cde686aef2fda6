/** The SQL statements of holds: seats that are kept for a few minutes. */
import { sql } from 'kysely'
import type { Place } from '../../../domain/slots/types.ts'
import { createId, getNow, sqlNow, sqlNowFor } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { toPlace } from '../slots/place.ts'
import { readAgendaIds, releaseSeat } from '../slots/reserve.ts'

export interface TakenHold {
  bookedSlotId: string
  eventTypeId: string
  startMs: number
  endMs: number
  agendaIds: string[]
  /** For which it was held; null: unknown, or not on site. */
  place: Place | null
}

/** Ends a hold whose seat an appointment takes over; null: there is none, or it has expired. */
export async function takeHold(tx: Tx, holdId: string): Promise<TakenHold | null> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ bookedSlotId: string }>`
    delete from slot_holds where tenant_id = ${tenantId} and id = ${holdId} and expires_at > ${sqlNow(tx)}
    returning booked_slot_id as "bookedSlotId"`.execute(tx)
  const [hold] = rows
  if (!hold) return null
  const slots = await sql<{
    eventTypeId: string
    startsAt: Date
    endsAt: Date
    latitude: number | null
    longitude: number | null
  }>`
    select event_type_id as "eventTypeId", starts_at as "startsAt", ends_at as "endsAt", latitude, longitude from booked_slots
    where tenant_id = ${tenantId} and id = ${hold.bookedSlotId}`.execute(tx)
  const { eventTypeId, startsAt, endsAt, latitude, longitude } = slots.rows[0]!
  return {
    bookedSlotId: hold.bookedSlotId,
    eventTypeId,
    startMs: startsAt.getTime(),
    endMs: endsAt.getTime(),
    agendaIds: await readAgendaIds(tx, hold.bookedSlotId),
    place: toPlace(latitude, longitude),
  }
}

/** Released in one transaction. */
const releasedMax = 500

/**
 * Releases expired holds, some hundred at once; those of these agendas, or all. Lock the agendas before. Leaves those that
 * another transaction is releasing. The calculator counts all of them as free already.
 */
export async function releaseExpiredHolds(tx: Tx, agendaIds: string[] | null = null): Promise<void> {
  const tenantId = getTenantId(tx)
  const occupying = agendaIds
    ? sql`and exists (select from agenda_reservations r
        where r.tenant_id = ${tenantId} and r.booked_slot_id = h.booked_slot_id and r.agenda_id = any(${agendaIds}::uuid[])
        offset 0)`
    : sql``
  const { rows } = await sql<{ id: string }>`
    select h.id from slot_holds h where h.tenant_id = ${tenantId} and h.expires_at <= ${getNow(tx)} ${occupying}
    order by h.id limit ${releasedMax} for update of h skip locked`.execute(tx)
  await deleteHolds(
    tx,
    rows.map(({ id }) => id),
  )
}

/** Returns how many there were. */
async function deleteHolds(tx: Tx, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { rows } = await sql<{ bookedSlotId: string }>`
    delete from slot_holds where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])
    returning booked_slot_id as "bookedSlotId"`.execute(tx)
  // In one order, so that two transactions do not wait for each other.
  for (const id of rows.map(({ bookedSlotId }) => bookedSlotId).sort()) await releaseSeat(tx, id)
  return rows.length
}

/** Returns false if there is none. */
export const deleteHold = async (tx: Tx, id: string): Promise<boolean> => (await deleteHolds(tx, [id])) > 0

/** Those of an event type that have not expired. */
export async function countHolds(tx: Tx, eventTypeId: string): Promise<number> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from slot_holds h
    join booked_slots s on s.tenant_id = ${tenantId} and s.id = h.booked_slot_id
    where h.tenant_id = ${tenantId} and h.expires_at > ${sqlNow(tx)} and s.event_type_id = ${eventTypeId}`.execute(
    tx,
  )
  return rows[0]!.count
}

/** Returns the id. */
export async function insertHold(tx: Tx, bookedSlotId: string, expiresAt: Date): Promise<string> {
  const id = createId(tx)
  await tx
    .insertInto('slot_holds')
    .values({
      tenant_id: getTenantId(tx),
      id,
      booked_slot_id: bookedSlotId,
      expires_at: expiresAt,
      created_at: getNow(tx),
    })
    .execute()
  return id
}

export async function listTenantsWithExpired({ owner }: Database): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from slot_holds h
    where h.expires_at <= ${sqlNowFor('h.tenant_id')}`.execute(owner)
  return rows.map(({ tenantId }) => tenantId)
}

/** Finds when the next hold expires; null: there is none. */
export async function findNextExpiry(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(expires_at) as at from slot_holds where tenant_id = ${getTenantId(tx)}`.execute(tx)
  return rows[0]!.at
}
