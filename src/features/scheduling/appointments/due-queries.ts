/** The SQL statements that find appointments whose time has come. */
import { sql } from 'kysely'
import { getNow, sqlNowFor } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { selectAppointments } from './queries.ts'
import type { AppointmentRow } from './row.ts'

/** Ended in one transaction. */
const dueMax = 200

/** The pending ones that nobody confirmed in time. Locks them; leaves those that somebody is changing. */
export const lockExpired = (tx: Tx): Promise<AppointmentRow[]> =>
  selectAppointments(
    tx,
    sql`a.expires_at <= ${getNow(tx)} and a.status = 'pending'`,
    sql`order by a.expires_at, a.id limit ${dueMax} for no key update skip locked`,
  )

/** The confirmed ones that have ended. Locks them; leaves those that somebody is changing. */
export const lockEnded = (tx: Tx): Promise<AppointmentRow[]> =>
  selectAppointments(
    tx,
    sql`a.ends_at <= ${getNow(tx)} and a.status in ('pending', 'confirmed') and a.status = 'confirmed'`,
    sql`order by a.ends_at, a.id limit ${dueMax} for no key update skip locked`,
  )

export async function findNextExpiry(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(expires_at) as at from appointments
    where tenant_id = ${getTenantId(tx)} and expires_at is not null and status = 'pending'`.execute(tx)
  return rows[0]?.at ?? null
}

export async function findNextEnd(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(ends_at) as at from appointments
    where tenant_id = ${getTenantId(tx)} and status in ('pending', 'confirmed') and status = 'confirmed'`.execute(
    tx,
  )
  return rows[0]?.at ?? null
}

export async function listTenantsWithDue({ owner }: Database): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from (
      select tenant_id from appointments a
      where expires_at <= ${sqlNowFor('a.tenant_id')} and status = 'pending'
      union all
      select tenant_id from appointments a
      where status in ('pending', 'confirmed') and status = 'confirmed' and ends_at <= ${sqlNowFor('a.tenant_id')}) due`.execute(
    owner,
  )
  return rows.map(({ tenantId }) => tenantId)
}
