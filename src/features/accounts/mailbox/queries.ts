/** The SQL statements of mailboxes. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Environment, Tx } from '../../../kit/db/index.ts'

export interface MailboxAccount {
  tenantId: string
  accountId: string
}

/**
 * Lists the accounts of all tenants with a mailbox that receives, at most `limit`: the own ones that still do, then any
 * others but those that are read elsewhere. At random, so that each is tried in time.
 */
export async function listMailboxes(
  { owner }: Pick<Database, 'owner'>,
  readable: { environment: Environment; provider: string }[],
  { own, elsewhere, limit }: { own: string[]; elsewhere: string[]; limit: number },
): Promise<MailboxAccount[]> {
  const { rows } = await sql<MailboxAccount>`
    select a.tenant_id as "tenantId", a.id as "accountId"
    from accounts a join tenants t on t.id = a.tenant_id
    join unnest(${readable.map(({ environment }) => environment)}::text[], ${readable.map(({ provider }) => provider)}::text[])
      as r (environment, provider) on r.environment = t.environment and r.provider = a.provider
    where a.status in ('CONNECTED', 'DEGRADED', 'RESTRICTED') and a.id <> all(${elsewhere}::uuid[])
    order by a.id = any(${own}::uuid[]) desc, random() limit ${limit}`.execute(owner)
  return rows
}

/** Stores how far a mailbox was read. */
export async function storeCursor(tx: Tx, accountId: string, cursor: string): Promise<void> {
  await sql`
    update accounts set mailbox_cursor = ${cursor}
    where tenant_id = ${getTenantId(tx)} and id = ${accountId} and status <> 'DISCONNECTED'`.execute(tx)
}
