/** The conversation of an account and a person, whatever identity of the person is used. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import {
  addIdentities,
  findConversationIds,
  findConversationIdsOfLead,
  findIdentities,
  insertConversation,
  lockNewConversations,
  setLead,
} from '../conversations/queries.ts'
import { stableKinds } from '../identities.ts'
import { joinConversations } from './join-conversations.ts'

export interface Participants {
  accountId: string
  /** The lead for which a user opens it; null: the provider names the person. */
  leadId: string | null
  /** The valid identities of the person, see `toValidIdentities`, or of the lead. */
  identities: readonly ChatIdentity[]
}

/**
 * Returns the conversation of the account that has one of these identities or the lead; creates it if there is none. Takes
 * `lockLeadWrites`. Several are joined if the provider says that they are with the same person. What users write in a lead
 * may be wrong, and joins none. A conversation keeps the lead that it has; one without a lead gets this one.
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
  const [first, ...others] =
    leadId === null
      ? [...new Set(kept.map(({ conversationId }) => conversationId))].sort()
      : await findForLead(tx, { accountId, leadId, identities: kept.map(({ identity }) => identity) })
  if (first === undefined) {
    const id = await insertConversation(tx, { accountId, leadId, identities })
    return { id, leadId, hasNewIdentities: true, isNew: true }
  }
  for (const other of others) await joinConversations(tx, { keptId: first, absorbedId: other })
  const added = leadId === null ? identities : await selectAddable(tx, first, identities)
  const [ownLeadId] = await Promise.all([
    findLeadId(tx, first),
    addIdentities(tx, { conversationId: first, accountId, identities: added }),
  ])
  if (ownLeadId === null && leadId !== null) await setLead(tx, first, leadId, null)
  return {
    id: first,
    leadId: ownLeadId ?? leadId,
    hasNewIdentities: others.length > 0 || kept.length < identities.length,
    isNew: false,
  }
}

/** The newest conversation of the lead, else the newest one with its identities, if there is one. */
async function findForLead(
  tx: Tx,
  { accountId, leadId, identities }: { accountId: string; leadId: string; identities: ChatIdentity[] },
): Promise<string[]> {
  const ofLead = await findConversationIdsOfLead(tx, accountId, leadId)
  const found = ofLead.length > 0 ? ofLead : await findConversationIds(tx, accountId, identities)
  return found.slice(0, 1)
}

/** The identities that a conversation may get from a lead: one with an id of its own gets no second one of that kind. */
async function selectAddable(
  tx: Tx,
  conversationId: string,
  identities: readonly ChatIdentity[],
): Promise<ChatIdentity[]> {
  const own = await findIdentities(tx, conversationId)
  return identities.filter(
    ({ kind }) => !stableKinds.includes(kind) || own.every(known => known.kind !== kind),
  )
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
