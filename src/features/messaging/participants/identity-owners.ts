/** The conversations to which identities belong. Numbers and addresses get new owners, and people other numbers. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import { copyRefusals } from '../../privacy/service.ts'
import { findIdentities } from '../conversations/queries.ts'
import { formatIdentity, stableKinds, toContactIdentifiers } from '../identities.ts'
import { recordInboxChanges } from '../inbox-changes.ts'

export interface IdentityOwner {
  identity: ChatIdentity
  conversationId: string
  leadId: string | null
  /** The stable identities of the conversation. */
  stableIdentities: ChatIdentity[]
}

/** Finds the conversations that have these identities with the account. Identities without a conversation are left out. */
export async function findIdentityOwners(
  tx: Tx,
  accountId: string,
  identities: readonly ChatIdentity[],
): Promise<IdentityOwner[]> {
  const { rows } = await sql<IdentityOwner>`
    select json_build_object('kind', i.kind, 'value', i.value) as identity, i.conversation_id as "conversationId",
      (select c.lead_id from conversations c where c.tenant_id = ${getTenantId(tx)} and c.id = i.conversation_id) as "leadId", coalesce((
      select json_agg(json_build_object('kind', s.kind, 'value', s.value)) from conversation_identities s
      where s.tenant_id = ${getTenantId(tx)} and s.conversation_id = i.conversation_id and s.kind = any(${stableKinds}::text[])), '[]') as "stableIdentities"
    from unnest(${identities.map(({ kind }) => kind)}::text[], ${identities.map(({ value }) => value)}::text[]) as g (kind, value)
    join conversation_identities i on i.tenant_id = ${getTenantId(tx)} and i.account_id = ${accountId} and i.kind = g.kind and i.value = g.value`.execute(
    tx,
  )
  return rows
}

/** The numbers and addresses that have a new owner with these identities: an id of the one before differs. Pure. */
export function selectMoved(identities: readonly ChatIdentity[], owners: IdentityOwner[]): IdentityOwner[] {
  const stable = identities.filter(({ kind }) => stableKinds.includes(kind))
  return owners.filter(
    ({ identity, stableIdentities }) =>
      !stableKinds.includes(identity.kind) &&
      stable.some(({ kind }) => stableIdentities.some(known => known.kind === kind)) &&
      !stable.some(({ kind, value }) =>
        stableIdentities.some(known => known.kind === kind && known.value === value),
      ),
  )
}

/** A number may go from hand to hand; the last ones are kept. */
export const formerMax = 50

/**
 * Takes identities from their conversations, because they are somebody else's now, or will be. Opening such a conversation
 * never gives them back. What the person refused under them counts under the identities that stay.
 */
export async function takeIdentities(
  tx: Tx,
  accountId: string,
  identities: readonly ChatIdentity[],
): Promise<void> {
  if (identities.length === 0) return
  const { rows } = await sql<ChatIdentity & { conversationId: string }>`
    delete from conversation_identities i
    using unnest(${identities.map(({ kind }) => kind)}::text[], ${identities.map(({ value }) => value)}::text[]) as g (kind, value)
    where i.tenant_id = ${getTenantId(tx)} and i.account_id = ${accountId} and i.kind = g.kind and i.value = g.value
    returning i.conversation_id as "conversationId", i.kind, i.value`.execute(tx)
  for (const [conversationId, taken] of Map.groupBy(rows, row => row.conversationId)) {
    const names = taken.map(formatIdentity)
    await sql`
      update conversations set former_identities =
        (${names}::text[] || array(select f from unnest(former_identities) f where f <> all(${names}::text[])))[1:${sql.lit(formerMax)}]
      where tenant_id = ${getTenantId(tx)} and id = ${conversationId}`.execute(tx)
    const left = await findIdentities(tx, conversationId)
    await copyRefusals(tx, toContactIdentifiers(taken), toContactIdentifiers(left))
  }
  await recordInboxChanges(
    tx,
    rows.map(({ conversationId }) => ({ conversationId, messageId: null })),
  )
}
