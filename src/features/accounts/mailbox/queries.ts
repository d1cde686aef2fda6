/** The SQL statements of mailboxes. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Environment, Tx } from '../../../kit/db/index.ts'

export interface MailboxAccount {
  tenantId: string
  accountId: string
  provider: string
  environment: Environment
}

/** Lists the accounts of these providers that receive, of all tenants, the oldest first, at most `limit`. */
export async function listReceivingAccounts(
  { owner }: Pick<Database, 'owner'>,
  providerIds: string[],
  limit: number,
): Promise<MailboxAccount[]> {
  const { rows } = await sql<MailboxAccount>`
    select a.tenant_id as "tenantId", a.id as "accountId", a.provider, t.environment
    from accounts a join tenants t on t.id = a.tenant_id
    where a.provider = any(${providerIds}) and a.status in ('CONNECTED', 'DEGRADED', 'RESTRICTED')
    order by a.id limit ${limit}`.execute(owner)
  return rows
}

/** Stores how far a mailbox was read. */
export async function storeCursor(tx: Tx, accountId: string, cursor: string): Promise<void> {
  await sql`
    update accounts set mailbox_cursor = ${cursor}
    where tenant_id = ${getTenantId(tx)} and id = ${accountId} and status <> 'DISCONNECTED'`.execute(tx)
}
