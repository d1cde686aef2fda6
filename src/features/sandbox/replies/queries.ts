/** The SQL statements of the replies of scripted leads. */
import type { ScriptedReply } from '../../../domain/scripted-leads/scripted-replies.ts'
import { createId, sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'

/** Inserts what a scripted lead will answer to a message. */
export async function insertReplies(
  tx: Tx,
  messageId: string,
  replies: (Pick<ScriptedReply, 'text' | 'nature'> & { dueAt: Date })[],
): Promise<void> {
  const rows = replies.map(({ text, nature, dueAt }) => ({
    tenant_id: getTenantId(tx),
    id: createId(tx),
    message_id: messageId,
    due_at: dueAt,
    text,
    nature,
  }))
  await tx.insertInto('sandbox_replies').values(rows).execute()
}

/** The provider's ids of scripted replies begin with this. */
export const replyIdStart = 'scripted-'

export interface DueReply extends Pick<ScriptedReply, 'text' | 'nature'> {
  id: string
  dueAt: Date
  accountId: string
  conversationId: string
  /** Somebody has answered as the person. */
  isAnswered: boolean
}

/** Takes the replies that are due, the earliest first: they are deleted with the transaction. */
export async function takeDueReplies(tx: Tx, limit: number): Promise<DueReply[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<DueReply>`
    with due as (
      select id from sandbox_replies
      where tenant_id = ${tenantId} and due_at <= ${sqlNow(tx)} order by due_at, id limit ${limit} for update skip locked),
    taken as (
      delete from sandbox_replies where tenant_id = ${tenantId} and id in (select id from due)
      returning id, message_id, due_at, text, nature)
    select t.id, t.due_at as "dueAt", t.text, t.nature, m.account_id as "accountId", m.conversation_id as "conversationId",
      exists (
        select from messages a
        where a.tenant_id = ${tenantId} and a.conversation_id = m.conversation_id and a.sequence > m.sequence
          and a.direction = 'in' and a.provider_message_id not like ${`${replyIdStart}%`}) as "isAnswered"
    from taken t join messages m on m.tenant_id = ${tenantId} and m.id = t.message_id
    order by t.due_at, t.id`.execute(tx)
  return rows
}

/** Returns when the next reply is due; null: there is none. */
export async function findNextReply(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(due_at) as at from sandbox_replies where tenant_id = ${getTenantId(tx)}`.execute(tx)
  return rows[0]!.at
}
