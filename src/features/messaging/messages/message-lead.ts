/** The lead that a message is about: one person may have several, and has one conversation. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { invalidInput, Problem } from '../../../kit/problem.ts'
import { identityKinds } from '../../../plugins/chat.ts'
import type { ConversationRow } from '../conversations/queries.ts'
import { toContactIdentifiers } from '../identities.ts'
import { findLeadIdentities } from '../lead-identities.ts'
import { leadAmbiguous } from '../problems.ts'

/**
 * Returns the conversation as it is for this lead of its person; without one, as it is. Throws 400 for an unknown lead,
 * and for one of another person.
 */
export async function withLead<T extends Pick<ConversationRow, 'leadId' | 'identities'>>(
  tx: Tx,
  conversation: T,
  leadId: string | null,
): Promise<T> {
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

/** Throws 422 if the person of the conversation has several leads: a template is rendered for one of them. */
export async function assertOneLead(
  tx: Tx,
  { leadId, identities }: Pick<ConversationRow, 'leadId' | 'identities'>,
): Promise<void> {
  const values = toContactIdentifiers(identities).map(({ value }) => value)
  const { rows } = await sql<{ id: string }>`
    select distinct lead_id as id from lead_identifiers
    where tenant_id = ${getTenantId(tx)} and value = any(${values}::text[]) and lead_id is distinct from ${leadId}::uuid
    limit 2`.execute(tx)
  if (rows.length + (leadId === null ? 0 : 1) > 1) throw new Problem(leadAmbiguous, leadAmbiguous.example)
}
