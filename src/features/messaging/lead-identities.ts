/** The identities that the person of a lead may have at a provider. */
import { getTenantId } from '../../kit/db/context.ts'
import { sql, type Tx } from '../../kit/db/index.ts'
import type { ChatIdentity, IdentityKind } from '../../plugins/chat.ts'
import { selectIdentities } from './identities.ts'

/** Those of these kinds, the best kind first; null: there is no such lead. */
export const findLeadIdentities = async (
  tx: Tx,
  leadId: string,
  kinds: readonly IdentityKind[],
): Promise<ChatIdentity[] | null> =>
  (await findIdentitiesOfLeads(tx, [leadId], kinds)).get(leadId.toLowerCase()) ?? null

/** The same by lead. Unknown leads are missing. */
export async function findIdentitiesOfLeads(
  tx: Tx,
  leadIds: string[],
  kinds: readonly IdentityKind[],
): Promise<Map<string, ChatIdentity[]>> {
  if (leadIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; identifiers: string[] }>`
    select id, array_remove(array[phone, email] || identifiers, null) as identifiers from leads
    where tenant_id = ${getTenantId(tx)} and id = any(${leadIds}::uuid[])`.execute(tx)
  return new Map(rows.map(({ id, identifiers }) => [id, selectIdentities(identifiers, kinds)]))
}
