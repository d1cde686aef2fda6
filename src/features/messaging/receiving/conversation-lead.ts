/** The lead of a conversation: found by the identities of the person, or created because they wrote. */
import type { Tx } from '../../../kit/db/index.ts'
import {
  addIdentifiers,
  createInboundLead,
  findLeadByIdentifiers,
  type InboundPerson,
} from '../../leads/service.ts'
import { findIdentities, setLead } from '../conversations/queries.ts'
import { toContactIdentifiers } from '../identities.ts'
import type { FoundConversation } from '../participants/find-or-create-conversation.ts'

/**
 * Returns the lead of the conversation; null: it has none. Looks for the lead of the person, and creates one if the
 * person wrote (`wrote`) and may be stored. The lead gets the identities of the person. Call this after `lockLeadWrites`.
 */
export async function findOrCreateLead(
  tx: Tx,
  conversation: FoundConversation,
  wrote: Omit<InboundPerson, 'identifiers'> | null,
): Promise<string | null> {
  if (conversation.leadId !== null && !conversation.hasNewIdentities) return conversation.leadId
  const identifiers = toContactIdentifiers(await findIdentities(tx, conversation.id))
  const known = conversation.leadId ?? (await findLeadByIdentifiers(tx, identifiers))
  if (known !== null) {
    await addIdentifiers(tx, known, identifiers)
    if (conversation.leadId === null) await setLead(tx, conversation.id, known, null)
    return known
  }
  const created = wrote && (await createInboundLead(tx, { ...wrote, identifiers }))
  const leadId = created?.leadId ?? null
  const absence = !created ? 'NEVER_WROTE' : created.leadId === null ? created.reason : null
  await setLead(tx, conversation.id, leadId, absence)
  return leadId
}
