/** The e-mail account that writes to the visitors of an event type. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { EventTypeRow } from './queries.ts'

/** The account of the notices, or the only connected e-mail account; null: there is none. */
export async function findEmailAccount(
  tx: Tx,
  { config: { notices } }: Pick<EventTypeRow, 'config'>,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from accounts
    where tenant_id = ${getTenantId(tx)} and provider = 'email' and mode = 'chat' and status in ('CONNECTED', 'DEGRADED')
      and (${notices.emailAccountId}::uuid is null or id = ${notices.emailAccountId})
    limit 2`.execute(tx)
  return rows.length === 1 ? rows[0]!.id : null
}
