/** The conversations of an account with the people of leads. */
import { createId } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import {
  addIdentities,
  insertConversations,
  lockConversations,
  lockNewConversations,
  setLeads,
} from '../conversations/queries.ts'
import { formatIdentity, stableKinds } from '../identities.ts'
import { findIdentityOwners } from './identity-owners.ts'

export interface PersonOfLead {
  leadId: string
  /** The valid identities of the lead. What users write there may be wrong: it joins no conversations. */
  identities: readonly ChatIdentity[]
}

/** A conversation that a lead has with an account, or gets. */
export interface PlannedConversation {
  id: string
  isNew: boolean
  /** The lead that it has, or gets. */
  leadId: string
  /** It has no lead yet. */
  getsLead: boolean
  /** The identities that it gets, and those that it has and are seen again. */
  identities: ChatIdentity[]
}

interface Candidate {
  id: string
  leadId: string | null
  lastMessageAt: Date
  formerIdentities: string[]
  identities: ChatIdentity[]
}

/**
 * Returns for each person the newest conversation of their lead, else the newest one with their identities, else one that
 * `storeConversations` creates. Null: the person has neither a conversation nor an identity. No other transaction creates
 * conversations of the account until this one ends. The caller holds the lock of leads.
 */
export async function planConversations(
  tx: Tx,
  accountId: string,
  people: PersonOfLead[],
): Promise<(PlannedConversation | null)[]> {
  const [, owners] = await Promise.all([
    lockNewConversations(tx, accountId),
    findIdentityOwners(
      tx,
      accountId,
      people.flatMap(({ identities }) => identities),
    ),
  ])
  const candidates = await findCandidates(tx, accountId, {
    leadIds: people.map(({ leadId }) => leadId),
    ids: owners.map(({ conversationId }) => conversationId),
  })
  const byLead = Map.groupBy(candidates, ({ leadId }) => leadId)
  const byIdentity = new Map(
    owners.map(({ identity, conversationId }) => [formatIdentity(identity), conversationId]),
  )
  /** By identity, what this call plans to create. */
  const created = new Map<string, { id: string; leadId: string }>()
  return people.map(({ leadId, identities }) => {
    const keys = identities.map(formatIdentity)
    const owned = new Set(keys.flatMap(key => byIdentity.get(key) ?? []))
    const known = byLead.get(leadId)?.[0] ?? candidates.find(({ id }) => owned.has(id))
    if (known)
      return {
        id: known.id,
        isNew: false,
        leadId: known.leadId ?? leadId,
        getsLead: known.leadId === null,
        identities: selectAddable(known, identities),
      }
    if (identities.length === 0) return null
    const shared = keys.flatMap(key => created.get(key) ?? [])[0] ?? { id: createId(tx), leadId }
    for (const key of keys) if (!created.has(key)) created.set(key, shared)
    return { ...shared, isNew: true, getsLead: false, identities: [...identities] }
  })
}

/** The newest first. */
async function findCandidates(
  tx: Tx,
  accountId: string,
  { leadIds, ids }: { leadIds: string[]; ids: string[] },
): Promise<Candidate[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<Candidate>`
    select c.id, c.lead_id as "leadId", c.last_message_at as "lastMessageAt", c.former_identities as "formerIdentities", coalesce((
      select json_agg(json_build_object('kind', i.kind, 'value', i.value)) from conversation_identities i
      where i.tenant_id = ${tenantId} and i.conversation_id = c.id), '[]') as identities
    from conversations c
    where c.tenant_id = ${tenantId} and c.id = any(array(
      select o.id from conversations o
      where o.tenant_id = ${tenantId} and o.lead_id = any(${leadIds}::uuid[]) and o.account_id = ${accountId}) || ${ids}::uuid[])
    order by c.last_message_at desc, c.id desc`.execute(tx)
  return rows
}

/**
 * The identities that a conversation may get from a lead: none that the provider has taken from it, and no second id of a
 * kind whose ids are of one person for good.
 */
const selectAddable = (
  { formerIdentities, identities: own }: Candidate,
  identities: readonly ChatIdentity[],
): ChatIdentity[] =>
  identities.filter(
    identity =>
      !formerIdentities.includes(formatIdentity(identity)) &&
      (!stableKinds.includes(identity.kind) || own.every(({ kind }) => kind !== identity.kind)),
  )

/** Creates the new conversations, and adds to the others what they get. */
export async function storeConversations(
  tx: Tx,
  accountId: string,
  planned: PlannedConversation[],
): Promise<void> {
  const known = planned.filter(({ isNew }) => !isNew)
  // A claim locks several too.
  await lockConversations(
    tx,
    known.map(({ id }) => id),
  )
  const byId = Map.groupBy(
    planned.filter(({ isNew }) => isNew),
    ({ id }) => id,
  )
  await insertConversations(
    tx,
    accountId,
    [...byId].map(([id, own]) => ({
      id,
      leadId: own[0]!.leadId,
      identities: own.flatMap(({ identities }) => identities),
    })),
  )
  await addIdentities(
    tx,
    accountId,
    known.flatMap(({ id, identities }) => identities.map(each => ({ ...each, conversationId: id }))),
  )
  await setLeads(
    tx,
    known
      .filter(({ getsLead }) => getsLead)
      .map(({ id, leadId }) => ({ conversationId: id, leadId, absence: null })),
  )
}
