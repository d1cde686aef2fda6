/** The SQL statements of the feeds of agendas. */
import { sql } from 'kysely'
import { subtractDays } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

export interface FeedAgenda {
  id: string
  name: string
  timezone: string
}

export async function findAgenda(
  tx: Tx,
  id: string,
  { locks = false } = {},
): Promise<FeedAgenda | undefined> {
  const { rows } = await sql<FeedAgenda>`
    select id, name, timezone from agendas
    where tenant_id = ${getTenantId(tx)} and id = ${id} and deleted_at is null
    ${locks ? sql`for no key update` : sql``}`.execute(tx)
  return rows[0]
}

/** More than an appointment lasts with its buffers. */
const reservationMaxDays = 3

/** Ids of the appointments that an agenda attends and that begin in a time, at most `limit`, the earliest first. */
export async function listAppointmentIds(
  tx: Tx,
  agendaId: string,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<string[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ id: string }>`
    select id from appointments
    where tenant_id = ${tenantId} and starts_at >= ${from} and starts_at < ${to}
      and status in ('pending', 'confirmed', 'completed') and (agenda_id = ${agendaId} or booked_slot_id in (
        select r.booked_slot_id from agenda_reservations r
        where r.tenant_id = ${tenantId} and r.agenda_id = ${agendaId}
          and r.starts_at > ${subtractDays(from, reservationMaxDays)} and r.starts_at < ${to}))
    order by starts_at, id limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}
