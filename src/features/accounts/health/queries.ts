/** The SQL statement that plans checks. */
import { sql } from 'kysely'
import type { Database } from '../../../kit/db/index.ts'

/** The parts of an hour. */
export const slots = 12

/** Lists the accounts of all tenants that are checked in a slot. People send for the others, so nothing can be checked. */
export async function listAccountsOfSlot(
  { owner }: Pick<Database, 'owner'>,
  slot: number,
): Promise<{ tenantId: string; accountId: string }[]> {
  const { rows } = await sql<{ tenantId: string; accountId: string }>`
    select tenant_id as "tenantId", id as "accountId" from accounts
    where status <> 'DISCONNECTED' and mode = 'chat' and abs(hashtext(id::text)::bigint) % ${slots} = ${slot}`.execute(
    owner,
  )
  return rows
}
