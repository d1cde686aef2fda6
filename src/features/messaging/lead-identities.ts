/** The identities that the person of a lead may have at a provider. */
import { getTenantId } from '../../kit/db/context.ts'
import { sql, type Tx } from '../../kit/db/index.ts'
import type { ChatIdentity, IdentityKind } from '../../plugins/chat.ts'
import { selectIdentities } from './identities.ts'

/** Those of these kinds, the best kind first; null: there is no such lead. */
export async function findLeadIdentities(
  tx: Tx,
  leadId: string,
  kinds: readonly IdentityKind[],
): Promise<ChatIdentity[] | null> {
  const { rows } = await sql<{ identifiers: string[] }>`
    select array_remove(array[phone, email] || identifiers, null) as identifiers from leads
    where tenant_id = ${getTenantId(tx)} and id = ${leadId}`.execute(tx)
  return rows[0] ? selectIdentities(rows[0].identifiers, kinds) : null
}
