/** The leads of conversations: found by the identities of the people, or created because they wrote. */

import type { Identifier } from '../../../domain/contact/identifiers.ts'
import type { Tx } from '../../../kit/db/index.ts'
import {
  addIdentifiers,
  createInboundLeads,
  findKnownLead,
  findLeadsByIdentifiers,
  type InboundPerson,
  mergeLeads,
} from '../../leads/service.ts'
import {
  findConversationIdsOfLead,
  findIdentitiesOf,
  type LeadOfConversation,
  setLeads,
} from '../conversations/queries.ts'
import { toContactIdentifiers } from '../identities.ts'
import type { FoundConversation } from '../participants/find-or-create-conversation.ts'

export interface Correspondent {
  conversation: FoundConversation
  /** What a new lead is made of; null: the person did not write. */
  wrote: Omit<InboundPerson, 'identifiers'> | null
}

/** Like `findOrCreateLeads`, for one conversation whose person did not write. */
export async function assignLead(tx: Tx, accountId: string, conversation: FoundConversation): Promise<void> {
  await findOrCreateLeads(tx, accountId, [{ conversation, wrote: null }])
}

/**
 * Returns the leads of conversations, by the id of the conversation; null: it has none. Looks for the leads of people, and
 * creates one for each who wrote and may be stored. The lead gets the identities of the person. If these say that it is a
 * lead that the workspace had before, the two are merged. Call this after `lockLeadWrites`.
 */
export async function findOrCreateLeads(
  tx: Tx,
  accountId: string,
  correspondents: Correspondent[],
): Promise<Map<string, string | null>> {
  const leads = new Map(correspondents.map(({ conversation: { id, leadId } }) => [id, leadId]))
  const open = correspondents.filter(
    ({ conversation: { leadId, hasNewIdentities } }) => leadId === null || hasNewIdentities,
  )
  if (open.length === 0) return leads
  const identities = await findIdentitiesOf(
    tx,
    open.map(({ conversation }) => conversation.id),
  )
  const identified = open.map(each => ({
    ...each,
    identifiers: toContactIdentifiers(identities.get(each.conversation.id) ?? []),
  }))
  for (const { conversation, identifiers } of identified)
    if (conversation.leadId !== null) {
      const leadId = leads.get(conversation.id)!
      const keptId = await completeLead(tx, { accountId, leadId, identifiers })
      for (const [id, other] of leads) if (other === leadId) leads.set(id, keptId)
    }
  const found = await findLeadsByIdentifiers(
    tx,
    identified.map(({ identifiers }) => identifiers),
  )
  const known = identified.map(({ conversation }, index) => leads.get(conversation.id) ?? found[index]!)
  for (const [index, { conversation, identifiers }] of identified.entries())
    if (conversation.leadId === null && known[index] !== null)
      await addIdentifiers(tx, known[index]!, identifiers)
  const writers = identified.flatMap(({ conversation: { id }, wrote, identifiers }, index) =>
    wrote && known[index] === null ? { id, ...wrote, identifiers } : [],
  )
  const created = await createInboundLeads(tx, writers)
  const byWriter = new Map(writers.map(({ id }, index) => [id, created[index]!]))
  const changed: LeadOfConversation[] = []
  for (const [index, { conversation }] of identified.entries()) {
    const { id: conversationId } = conversation
    const result = byWriter.get(conversationId)
    const leadId = known[index] ?? result?.leadId ?? null
    leads.set(conversationId, leadId)
    const absence = leadId !== null ? null : result?.leadId === null ? result.reason : 'NEVER_WROTE'
    if (conversation.leadId === null) changed.push({ conversationId, leadId, absence })
  }
  await setLeads(tx, changed)
  return leads
}

/**
 * Adds the identifiers of the person to the lead. If they say that it is a lead that the workspace had before, it is merged into
 * that one: the conversation is the only one of both with the account, so that it stays. Returns the lead that remains.
 */
async function completeLead(
  tx: Tx,
  { accountId, leadId, identifiers }: { accountId: string; leadId: string; identifiers: Identifier[] },
): Promise<string> {
  const knownId = await findKnownLead(tx, leadId, identifiers)
  await addIdentifiers(tx, leadId, identifiers)
  if (knownId === null) return leadId
  const own = await findConversationIdsOfLead(tx, accountId, leadId)
  const others = await findConversationIdsOfLead(tx, accountId, knownId)
  if (own.length + others.length > 1) return leadId
  await mergeLeads(tx, knownId, leadId, { author: { keyId: null, userId: null }, ifMatch: null })
  return knownId
}
