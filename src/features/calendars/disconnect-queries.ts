/** The SQL statements of calendars that were disconnected. */
import { sql } from 'kysely'
import { getNow, sqlNow, sqlNowFor } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Database, Tx } from '../../kit/db/index.ts'

/** With its busy times, and what is known of its events. */
export async function deleteCalendar(tx: Tx, id: string): Promise<void> {
  await sql`delete from calendars where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
}

/** It blocks nothing and is read no more. */
export async function hideCalendar(tx: Tx, id: string): Promise<void> {
  const [now, tenantId] = [getNow(tx), getTenantId(tx)]
  await sql`
    update calendars
    set disconnected_at = ${now}, blocks = false, receives = false, next_read_at = null, cursor = null, updated_at = ${now}
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
  await sql`delete from calendar_busy_times where tenant_id = ${tenantId} and calendar_id = ${id}`.execute(tx)
}

/** Deletes a disconnected calendar if nothing is to be done there any more, or nothing can be: `isRefused`. */
export async function deleteIfDone(tx: Tx, id: string, isRefused: boolean): Promise<void> {
  const tenantId = getTenantId(tx)
  await sql`
    delete from calendars
    where tenant_id = ${tenantId} and id = ${id} and disconnected_at is not null and (${isRefused} or not exists (
      select from calendar_writes
      where tenant_id = ${tenantId} and calendar_id = ${id} and next_attempt_at is not null))`.execute(tx)
}

/** How long the credentials of a disconnected calendar are kept at most. */
const keptFor = sql`interval '1 hour'`

export async function listTenantsWithDisconnected({ owner }: Pick<Database, 'owner'>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct tenant_id as id from calendars c
    where disconnected_at is not null and disconnected_at <= ${sqlNowFor('c.tenant_id')} - ${keptFor}`.execute(
    owner,
  )
  return rows.map(({ id }) => id)
}

export async function deleteDisconnected(tx: Tx): Promise<void> {
  await sql`
    delete from calendars
    where tenant_id = ${getTenantId(tx)} and disconnected_at <= ${sqlNow(tx)} - ${keptFor}`.execute(tx)
}
