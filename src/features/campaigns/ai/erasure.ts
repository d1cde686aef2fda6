/** Erases people from AI replies. Those to their own messages are deleted with these. */
import { toMention, tooManyMentions } from '../../../domain/messaging/mentions.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { ErasedPeople, Traces } from '../../privacy/service.ts'

/** Handles `erasePersonData`: the input of the model may mention them in the conversation of somebody else. */
export async function erasePeopleFromReplies(
  tx: Tx,
  { identifiers, leadIds }: ErasedPeople,
): Promise<Traces> {
  const tenantId = getTenantId(tx)
  const mentions = [...identifiers.map(toMention), ...(identifiers.length === 0 ? [] : [tooManyMentions])]
  const { rows } = await sql<{ id: string }>`
    delete from ai_replies where tenant_id = ${tenantId} and (mentions && ${mentions}::text[] or message_id in (
      select m.id from messages m join conversations c on c.tenant_id = ${tenantId} and c.id = m.conversation_id
      where m.tenant_id = ${tenantId} and (m.lead_id = any(${leadIds}::uuid[]) or c.lead_id = any(${leadIds}::uuid[]))))
    returning id`.execute(tx)
  return { deleted: rows.map(({ id }) => id) }
}
