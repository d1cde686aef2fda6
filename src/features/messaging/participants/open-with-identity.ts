/** Opens the conversation of an account with the person who has an address or a number. */
import type { Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import {
  addIdentities,
  insertConversations,
  lockNewConversations,
  reopenConversation,
} from '../conversations/queries.ts'
import { findLeadIdentities } from '../lead-identities.ts'
import { planConversations, storeConversations } from './conversations-of-leads.ts'
import { findIdentityOwners } from './identity-owners.ts'

export interface OpenRequest {
  accountId: string
  /** To which messages go. */
  identity: ChatIdentity
  /** Null: the person has none. */
  leadId: string | null
}

/**
 * Returns the conversation with this identity; creates it if there is none. It gets the lead only if that one has the identity:
 * who leaves an address may have named the phone of somebody else. `leadId`: the lead that messages may be about.
 */
export async function openConversationWith(
  tx: Tx,
  { accountId, identity, leadId }: OpenRequest,
): Promise<{ id: string; leadId: string | null }> {
  await lockLeadWrites(tx)
  await lockNewConversations(tx, accountId)
  const ofLead = leadId === null ? null : await findLeadIdentities(tx, leadId, [identity.kind])
  const ownLeadId = ofLead?.some(({ value }) => value === identity.value) ? leadId : null
  const id = await findOrCreate(tx, { accountId, identity, leadId: ownLeadId })
  await reopenConversation(tx, id)
  return { id, leadId: ownLeadId }
}

async function findOrCreate(tx: Tx, { accountId, identity, leadId }: OpenRequest): Promise<string> {
  const [owner] = await findIdentityOwners(tx, accountId, [identity])
  if (owner) {
    const { conversationId } = owner
    // Messages go to the identity that was seen last.
    await addIdentities(tx, accountId, [{ ...identity, conversationId }])
    return conversationId
  }
  if (leadId === null)
    return (await insertConversations(tx, accountId, [{ leadId, identities: [identity] }]))[0]!
  const [planned] = await planConversations(tx, accountId, [{ leadId, identities: [identity] }])
  await storeConversations(tx, accountId, [planned!])
  return planned!.id
}
