/** The lead that a message is about: one person may have several, and has one conversation. */
import type { Tx } from '../../../kit/db/index.ts'
import { invalidInput } from '../../../kit/problem.ts'
import { identityKinds } from '../../../plugins/chat.ts'
import type { ConversationRow } from '../conversations/queries.ts'
import { findLeadIdentities } from '../lead-identities.ts'

/**
 * Returns the conversation as it is for this lead of its person; without one, as it is. Throws 400 for an unknown lead,
 * and for one of another person.
 */
export async function withLead(
  tx: Tx,
  conversation: ConversationRow,
  leadId: string | null,
): Promise<ConversationRow> {
  if (leadId === null || leadId === conversation.leadId) return conversation
  const identities = await findLeadIdentities(tx, leadId, identityKinds)
  if (!identities) throw invalidInput('/leadId', 'UNKNOWN_LEAD', 'There is no lead with this id.')
  const isSamePerson = conversation.identities.some(one =>
    identities.some(({ kind, value }) => kind === one.kind && value === one.value),
  )
  if (!isSamePerson)
    throw invalidInput(
      '/leadId',
      'OTHER_PERSON',
      'The lead has no phone number, address or chat of this conversation. Open a conversation with it.',
    )
  return { ...conversation, leadId }
}
