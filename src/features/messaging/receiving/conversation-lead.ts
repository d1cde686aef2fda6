/** The leads of conversations: found by the identities of the people, or created because they wrote. */
import type { Tx } from '../../../kit/db/index.ts'
import {
  changeIdentifiers,
  createInboundLeads,
  findLeadsByIdentifiers,
  type InboundPerson,
} from '../../leads/service.ts'
import { findIdentitiesOf, type LeadOfConversation, setLeads } from '../conversations/queries.ts'
import { toContactIdentifiers } from '../identities.ts'
import type { FoundConversation } from '../participants/find-or-create-conversation.ts'
import { takeFromFormerOwners } from './former-owners.ts'

export interface Correspondent {
  conversation: FoundConversation
  /** What a new lead is made of; null: the person did not write. */
  wrote: Omit<InboundPerson, 'identifiers'> | null
}

/** Like `findOrCreateLeads`, for one conversation whose person did not write. */
export async function assignLead(tx: Tx, conversation: FoundConversation): Promise<void> {
  await findOrCreateLeads(tx, [{ conversation, wrote: null }])
}

/**
 * Returns the leads of conversations, by the id of the conversation; null: it has none. Looks for the leads of people, and
 * creates one for each who wrote and may be stored. The lead gets the identities of the person, and a lead of somebody else
 * loses their number. Call this after `lockLeadWrites`.
 */
export async function findOrCreateLeads(
  tx: Tx,
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
  const taken = await takeFromFormerOwners(tx, identities)
  const found = await findLeadsByIdentifiers(
    tx,
    identified.map(({ conversation: { id }, identifiers }) =>
      identifiers.filter(({ value }) => !taken.get(id)?.has(value)),
    ),
  )
  const known = identified.map(({ conversation }, index) => conversation.leadId ?? found[index]!)
  await changeIdentifiers(
    tx,
    identified.flatMap(({ identifiers: added }, index) => {
      const leadId = known[index]
      return leadId ? { leadId, added } : []
    }),
  )
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
