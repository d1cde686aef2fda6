/** Erases the bodies that accounts have received, because they contain data of an erased person. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'

/**
 * Erases the bodies of these accounts that were processed: they are encrypted, so nobody can find a person in them, and
 * nothing needs them any more. Their digests stay, so that a repeated body is not processed again. A body that is still
 * waiting may have messages of others. It is processed or deleted later: what an erased person wrote before is then dropped.
 */
export async function eraseReceivedBodies(tx: Tx, accountIds: string[]): Promise<void> {
  if (accountIds.length === 0) return
  await sql`
    update inbound_bodies set body = null
    where tenant_id = ${getTenantId(tx)} and account_id = any(${accountIds}::uuid[]) and processed_at is not null and body is not null`.execute(
    tx,
  )
}
