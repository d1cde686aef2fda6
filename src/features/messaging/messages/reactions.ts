/** The reactions to a message: one of the person and one of the agency, whoever reacts last. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { recordInboxChanges } from '../inbox-changes.ts'

export interface Reaction {
  from: 'person' | 'agency'
  emoji: string
  at: string
}

/** Sets a reaction to a message, or removes it (`emoji` null). An earlier one that arrives later changes nothing. */
export async function setReaction(
  tx: Tx,
  messageId: string,
  { from, emoji, at }: { from: Reaction['from']; emoji: string | null; at: Date },
): Promise<void> {
  const { rows } = await sql<{ conversationId: string; reactions: Reaction[] | null }>`
    select conversation_id as "conversationId", content -> 'reactions' as reactions from messages
    where tenant_id = ${getTenantId(tx)} and id = ${messageId} and deleted_at is null for no key update`.execute(
    tx,
  )
  const [found] = rows
  if (!found) return
  const current = found.reactions ?? []
  const time = at.toISOString()
  if (current.some(each => each.from === from && each.at > time)) return
  const others = current.filter(each => each.from !== from)
  const reactions = emoji === null ? others : [...others, { from, emoji, at: time }]
  await sql`
    update messages set content = content || ${sanitizeJson({ reactions })}::jsonb
    where tenant_id = ${getTenantId(tx)} and id = ${messageId}`.execute(tx)
  await recordInboxChanges(tx, [{ conversationId: found.conversationId, messageId }])
}

/** Shows a reaction that was sent at the message that it belongs to. */
export async function showSentReaction(tx: Tx, reactionId: string, at: Date): Promise<void> {
  const { rows } = await sql<{ targetId: string | null; emoji: string | null }>`
    select reply_to_id as "targetId", content ->> 'emoji' as emoji from messages
    where tenant_id = ${getTenantId(tx)} and id = ${reactionId}`.execute(tx)
  const [found] = rows
  if (found?.targetId) await setReaction(tx, found.targetId, { from: 'agency', emoji: found.emoji, at })
}
