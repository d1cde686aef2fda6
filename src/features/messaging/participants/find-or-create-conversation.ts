/** The conversation of an account and a person, whatever identity of the person is used. */
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import {
  addIdentities,
  insertConversations,
  lockConversations,
  lockNewConversations,
} from '../conversations/queries.ts'
import { formatIdentity } from '../identities.ts'
import { findIdentityOwners, type IdentityOwner, selectMoved, takeIdentities } from './identity-owners.ts'
import { joinConversations } from './join-conversations.ts'

/**
 * Returns the conversation of the account with a person whom the provider identifies; creates it if there is none. Takes
 * `lockLeadWrites`. Several are joined: they are with the same person. `identities`: valid ones, see `toValidIdentities`.
 */
export async function findOrCreateConversation(
  tx: Tx,
  accountId: string,
  identities: readonly ChatIdentity[],
): Promise<FoundConversation> {
  // They are sent at once and run in this order, here and below.
  const [, , owners] = await Promise.all([
    lockLeadWrites(tx),
    lockNewConversations(tx, accountId),
    findIdentityOwners(tx, accountId, identities),
  ])
  const moved = selectMoved(identities, owners)
  await takeIdentities(
    tx,
    accountId,
    moved.map(({ identity }) => identity),
  )
  const kept = owners.filter(owner => !moved.includes(owner))
  const [first, ...others] = [...new Set(kept.map(({ conversationId }) => conversationId))].sort()
  if (first === undefined) {
    const [id] = await insertConversations(tx, accountId, [{ leadId: null, identities }])
    return { id: id!, leadId: null, hasNewIdentities: true, isNew: true, absorbedIds: [] }
  }
  for (const other of others) await joinConversations(tx, { keptId: first, absorbedId: other })
  const [leadId] = await Promise.all([
    getLeadId(tx, first),
    addIdentities(
      tx,
      accountId,
      identities.map(({ kind, value }) => ({ kind, value, conversationId: first })),
    ),
  ])
  return {
    id: first,
    leadId,
    hasNewIdentities: others.length > 0 || kept.length < identities.length,
    isNew: false,
    absorbedIds: others,
  }
}

/**
 * Returns the conversations of the account with people whom the provider identifies, in their order. It is `findOrCreateConversation`
 * for many people, of whom most are known. Takes `lockLeadWrites`, and locks the conversations.
 */
export async function findOrCreateConversations(
  tx: Tx,
  accountId: string,
  people: (readonly ChatIdentity[])[],
): Promise<FoundConversation[]> {
  const [, , owners] = await Promise.all([
    lockLeadWrites(tx),
    lockNewConversations(tx, accountId),
    findIdentityOwners(tx, accountId, people.flat()),
  ])
  await lockConversations(
    tx,
    owners.map(({ conversationId }) => conversationId),
  )
  const byIdentity = new Map(owners.map(owner => [formatIdentity(owner.identity), owner]))
  /** What stands for a conversation by now: it may have been joined into another one. */
  const current = new Map<string, FoundConversation>()
  const getCurrent = ({ id }: { id: string }): FoundConversation => {
    const conversation = current.get(id)!
    return conversation.id === id ? conversation : getCurrent(conversation)
  }
  const find = async (identities: readonly ChatIdentity[]): Promise<FoundConversation> => {
    const settled = findSettled(identities, byIdentity)
    if (settled) return current.has(settled.id) ? getCurrent(settled) : settled
    const created = await findOrCreateConversation(tx, accountId, identities)
    setOwner(byIdentity, identities, created)
    return created
  }
  const newPeople = selectNewPeople(people, byIdentity)
  const newIds = await insertConversations(
    tx,
    accountId,
    newPeople.map(identities => ({ leadId: null, identities })),
  )
  for (const [index, identities] of newPeople.entries()) {
    const id = newIds[index]!
    const created = { id, leadId: null, hasNewIdentities: true, isNew: true, absorbedIds: [] }
    current.set(id, created)
    setOwner(byIdentity, identities, created)
  }
  const found: FoundConversation[] = []
  for (const identities of people) {
    const conversation = await find(identities)
    const { id, absorbedIds } = conversation
    const hasNewIdentities = conversation.hasNewIdentities || current.get(id)?.hasNewIdentities === true
    for (const each of [id, ...absorbedIds]) current.set(each, { ...conversation, hasNewIdentities })
    found.push(conversation)
  }
  return found.map(getCurrent)
}

/** The people whose identities are of no conversation and of nobody else among them, each once. */
function selectNewPeople(
  people: (readonly ChatIdentity[])[],
  owners: Map<string, IdentityOwner>,
): (readonly ChatIdentity[])[] {
  const byKey = new Map(people.map(identities => [identities.map(formatIdentity).join('\n'), identities]))
  const each = [...byKey.values()]
  const shared = Map.groupBy(each.flat().map(formatIdentity), identity => identity)
  return each.filter(identities =>
    identities.every(identity => {
      const key = formatIdentity(identity)
      return !owners.has(key) && shared.get(key)!.length === 1
    }),
  )
}

function setOwner(
  owners: Map<string, IdentityOwner>,
  identities: readonly ChatIdentity[],
  { id, leadId }: FoundConversation,
): void {
  for (const identity of identities)
    owners.set(formatIdentity(identity), { identity, conversationId: id, leadId, stableIdentities: [] })
}

/** The conversation that has all of these identities; null: something is to be changed first. */
function findSettled(
  identities: readonly ChatIdentity[],
  owners: Map<string, IdentityOwner>,
): FoundConversation | null {
  const [first, ...others] = identities.map(identity => owners.get(formatIdentity(identity)))
  if (!first || others.some(other => other?.conversationId !== first.conversationId)) return null
  const { conversationId: id, leadId } = first
  return { id, leadId, hasNewIdentities: false, isNew: false, absorbedIds: [] }
}

export interface FoundConversation {
  id: string
  leadId: string | null
  /** The conversation did not have all of these identities. */
  hasNewIdentities: boolean
  isNew: boolean
  /** Conversations that were joined into this one. */
  absorbedIds: string[]
}

async function getLeadId(tx: Tx, conversationId: string): Promise<string | null> {
  const { lead_id: leadId } = await tx
    .selectFrom('conversations')
    .select('lead_id')
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', conversationId)
    .executeTakeFirstOrThrow()
  return leadId
}
