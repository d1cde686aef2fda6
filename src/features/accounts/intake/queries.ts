/** The SQL statements of stored bodies. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

/** Counts the bodies of accounts that could not be processed, by account. */
export async function countUnprocessed(tx: Tx, accountIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ accountId: string; count: number }>`
    select account_id as "accountId", count(*) as count from inbound_bodies
    where tenant_id = ${getTenantId(tx)} and account_id = any(${accountIds}::uuid[]) and processed_at is null
      and error is not null
    group by account_id`.execute(tx)
  return new Map(rows.map(({ accountId, count }) => [accountId, count]))
}
