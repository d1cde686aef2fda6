/** The SQL statements of daily budgets. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'

export async function readTimezone(tx: Tx): Promise<string> {
  const { timezone } = await tx.selectFrom('workspaces').select('timezone').executeTakeFirstOrThrow()
  return timezone
}

/** Counts one message. Returns false if the day has `limit` already; null: there is no limit. */
export async function addUse(tx: Tx, accountId: string, day: string, limit: number | null): Promise<boolean> {
  if (limit === 0) return false
  const { rows } = await sql`
    insert into account_usage as u (tenant_id, account_id, day, used)
    values (${getTenantId(tx)}, ${accountId}, ${day}::date, 1)
    on conflict (tenant_id, account_id, day) do update set used = u.used + 1
      where u.used < coalesce(${limit}::int, u.used + 1)
    returning used`.execute(tx)
  return rows.length > 0
}

export async function removeUse(tx: Tx, accountId: string, day: string): Promise<void> {
  await sql`
    update account_usage set used = used - 1
    where tenant_id = ${getTenantId(tx)} and account_id = ${accountId} and day = ${day}::date and used > 0`.execute(
    tx,
  )
}

/** The messages counted on a day, by account. */
export async function readUse(
  tx: Tx,
  accountIds: readonly string[],
  day: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ accountId: string; used: number }>`
    select account_id as "accountId", used from account_usage
    where tenant_id = ${getTenantId(tx)} and account_id = any(${accountIds}::uuid[]) and day = ${day}::date`.execute(
    tx,
  )
  return new Map(rows.map(({ accountId, used }) => [accountId, used]))
}
