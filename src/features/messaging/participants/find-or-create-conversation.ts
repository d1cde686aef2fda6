/** The conversation of an account and a person, whatever identity of the person is used. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import {
  addIdentities,
  findConversationIdsOfLead,
  insertConversation,
  lockNewConversations,
  setLead,
} from '../conversations/queries.ts'
import { stableKinds } from '../identities.ts'
import { joinConversations } from './join-conversations.ts'

export interface Participants {
  accountId: string
  /** Null: not known, or there is none. */
  leadId: string | null
  /** The identities of one person: valid ones, see `toValidIdentities`. */
  identities: readonly ChatIdentity[]
}

/**
 * Returns the conversation of the account that has one of these identities or the lead; creates it if there is none. Several
 * are joined: they are with the same person. Takes `lockLeadWrites`. A conversation keeps the lead that it has; one
 * without a lead gets this one.
 */
export async function findOrCreateConversation(
  tx: Tx,
  { accountId, leadId, identities }: Participants,
): Promise<FoundConversation> {
  // They are sent at once and run in this order, here and below.
  const [, , owners] = await Promise.all([
    lockLeadWrites(tx),
    lockNewConversations(tx, accountId),
    findIdentityOwners(tx, accountId, identities),
  ])
  const kept = await removeFormerOwners(tx, { accountId, identities }, owners)
  const ofLead = leadId === null ? [] : await findConversationIdsOfLead(tx, accountId, leadId)
  const [first, ...others] = [
    ...new Set([...kept.map(({ conversationId }) => conversationId), ...ofLead]),
  ].sort()
  if (first === undefined) {
    const id = await insertConversation(tx, { accountId, leadId, identities })
    return { id, leadId, hasNewIdentities: true, isNew: true }
  }
  for (const other of others) await joinConversations(tx, { keptId: first, absorbedId: other })
  const [ownLeadId] = await Promise.all([
    findLeadId(tx, first),
    addIdentities(tx, { conversationId: first, accountId, identities }),
  ])
  if (ownLeadId === null && leadId !== null) await setLead(tx, first, leadId, null)
  return {
    id: first,
    leadId: ownLeadId ?? leadId,
    hasNewIdentities: others.length > 0 || kept.length < identities.length,
    isNew: false,
  }
}

export interface FoundConversation {
  id: string
  leadId: string | null
  /** The conversation did not have all of these identities. */
  hasNewIdentities: boolean
  isNew: boolean
}

async function findLeadId(tx: Tx, conversationId: string): Promise<string | null> {
  const { lead_id } = await tx
    .selectFrom('conversations')
    .select('lead_id')
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', conversationId)
    .executeTakeFirstOrThrow()
  return lead_id
}

/** Removes numbers and addresses that have a new owner, whose own id differs. Returns the other identities. */
async function removeFormerOwners(
  tx: Tx,
  { accountId, identities }: Pick<Participants, 'accountId' | 'identities'>,
  owners: IdentityOwner[],
): Promise<IdentityOwner[]> {
  const stable = identities.filter(({ kind }) => stableKinds.includes(kind))
  const moved = owners.filter(
    ({ identity, stableIdentities }) =>
      !stableKinds.includes(identity.kind) &&
      stable.some(({ kind }) => stableIdentities.some(known => known.kind === kind)) &&
      !stable.some(({ kind, value }) =>
        stableIdentities.some(known => known.kind === kind && known.value === value),
      ),
  )
  await removeIdentities(
    tx,
    accountId,
    moved.map(({ identity }) => identity),
  )
  return owners.filter(owner => !moved.includes(owner))
}

interface IdentityOwner {
  identity: ChatIdentity
  conversationId: string
  /** The stable identities of the conversation. */
  stableIdentities: ChatIdentity[]
}

async function findIdentityOwners(
  tx: Tx,
  accountId: string,
  identities: readonly ChatIdentity[],
): Promise<IdentityOwner[]> {
  const { rows } = await sql<IdentityOwner>`
    select json_build_object('kind', i.kind, 'value', i.value) as identity, i.conversation_id as "conversationId", coalesce((
      select json_agg(json_build_object('kind', s.kind, 'value', s.value)) from conversation_identities s
      where s.tenant_id = ${getTenantId(tx)} and s.conversation_id = i.conversation_id and s.kind = any(${stableKinds}::text[])), '[]') as "stableIdentities"
    from unnest(${identities.map(({ kind }) => kind)}::text[], ${identities.map(({ value }) => value)}::text[]) as g (kind, value)
    join conversation_identities i on i.tenant_id = ${getTenantId(tx)} and i.account_id = ${accountId} and i.kind = g.kind and i.value = g.value`.execute(
    tx,
  )
  return rows
}

/** Removes identities that belong to their conversations no more. */
export async function removeIdentities(
  tx: Tx,
  accountId: string,
  identities: readonly ChatIdentity[],
): Promise<void> {
  if (identities.length === 0) return
  await sql`
    delete from conversation_identities i
    using unnest(${identities.map(({ kind }) => kind)}::text[], ${identities.map(({ value }) => value)}::text[]) as g (kind, value)
    where i.tenant_id = ${getTenantId(tx)} and i.account_id = ${accountId} and i.kind = g.kind and i.value = g.value`.execute(
    tx,
  )
}
