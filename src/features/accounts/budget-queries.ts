/** The SQL statements of daily budgets. */
import { sql } from 'kysely'
import { getNow, subtractDays } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'

export async function readTimezone(tx: Tx): Promise<string> {
  const { timezone } = await tx.selectFrom('workspaces').select('timezone').executeTakeFirstOrThrow()
  return timezone
}

interface Use {
  accountId: string
  day: string
  count: number
}

/** Counts people up to the limit; null: there is none. Returns how many it has counted. */
export async function addUse(
  tx: Tx,
  { accountId, day, count, limit }: Use & { limit: number | null },
): Promise<number> {
  const tenantId = getTenantId(tx)
  const ensureRow = sql`
    insert into account_usage (tenant_id, account_id, day, used)
    values (${tenantId}, ${accountId}, ${day}::date, 0) on conflict do nothing`
  const addition = sql<{ granted: number }>`
    with held as (
      select greatest(0, least(${count}::integer, ${limit}::integer - used)) as granted from account_usage
      where tenant_id = ${tenantId} and account_id = ${accountId} and day = ${day}::date for update
    )
    update account_usage u set used = u.used + held.granted from held
    where u.tenant_id = ${tenantId} and u.account_id = ${accountId} and u.day = ${day}::date
    returning held.granted`
  const [, { rows }] = await Promise.all([ensureRow.execute(tx), addition.execute(tx)])
  return rows[0]!.granted
}

export async function removeUse(tx: Tx, { accountId, day, count }: Use): Promise<void> {
  await sql`
    update account_usage set used = greatest(0, used - ${count}::integer)
    where tenant_id = ${getTenantId(tx)} and account_id = ${accountId} and day = ${day}::date`.execute(tx)
}

/** The people counted on a day, by account. */
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

/** Only today's counts are read; a message of yesterday may still be given back. */
const usageDays = 7

export async function deleteOldUse(tx: Tx): Promise<void> {
  await sql`
    delete from account_usage where tenant_id = ${getTenantId(tx)} and day < ${subtractDays(getNow(tx), usageDays)}::date`.execute(
    tx,
  )
}

/** Returns when the oldest counts are to be deleted; null: there are none. */
export async function findNextUseDeletion(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select (min(day) + ${usageDays + 1}::integer)::timestamptz as at from account_usage
    where tenant_id = ${getTenantId(tx)}`.execute(tx)
  return rows[0]!.at
}
