/** The SQL statements of sweeps: which connections are due. */
import { type RawBuilder, sql } from 'kysely'
import { sqlNow, sqlNowFor } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Database, Tx } from '../../kit/db/index.ts'

const isDue = (now: RawBuilder<Date>) => sql`
  c.status <> 'EXPIRED' and c.next_sweep_at <= ${now} and (c.retry_at is null or c.retry_at <= ${now})`

/** Lists the connections of all tenants that are due by the clocks of their environments, at most 1,000. */
export async function listDueSweeps({
  owner,
}: Pick<Database, 'owner'>): Promise<{ tenantId: string; connectionId: string }[]> {
  const { rows } = await sql<{ tenantId: string; connectionId: string }>`
    select tenant_id as "tenantId", id as "connectionId" from ad_connections c
    where ${isDue(sqlNowFor('c.tenant_id'))} order by next_sweep_at limit 1000`.execute(owner)
  return rows
}

export async function listDueSweepsOfTenant(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ad_connections c where c.tenant_id = ${getTenantId(tx)} and ${isDue(sqlNow(tx))}`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** When the first sweep became due; null: none is. */
export async function findDueSweep(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(next_sweep_at) as at from ad_connections c where c.tenant_id = ${getTenantId(tx)} and ${isDue(sqlNow(tx))}`.execute(
    tx,
  )
  return rows[0]!.at
}
