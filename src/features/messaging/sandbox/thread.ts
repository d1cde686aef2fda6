/** Reads a conversation as its person sees it: without notes, and without what has not been sent. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import { findConversationIds, findConversations } from '../conversations/queries.ts'
import { type FileRow, findFile } from '../media/queries.ts'
import type { Message } from '../message-schemas.ts'
import { findMessages } from '../messages/read-messages.ts'

export interface Thread {
  conversationId: string
  /** The oldest first. */
  messages: Message[]
  /** How many of the person's last messages nobody has read. */
  unreadCount: number
}

interface Participants {
  accountId: string
  person: ChatIdentity
}

/** SQL: a message `m` that its person knows. */
const known = sql`(m.direction = 'in' or m.direction = 'out' and m.status in ('sent', 'delivered', 'read'))`

/** The last messages of an account and a person; null: they have no conversation. What is erased meanwhile is left out. */
export async function findThread(
  tx: Tx,
  { accountId, person }: Participants,
  limit: number,
): Promise<Thread | null> {
  const [conversationId] = await findConversationIds(tx, accountId, [person])
  if (conversationId === undefined) return null
  const { rows } = await sql<{ id: string }>`
    select m.id from messages m
    where m.tenant_id = ${getTenantId(tx)} and m.conversation_id = ${conversationId} and ${known}
    order by m.sequence desc limit ${limit}`.execute(tx)
  const ids = rows.map(({ id }) => id).reverse()
  const [texts, [conversation]] = await Promise.all([
    // The page of the phone has its own addresses of files.
    findMessages(tx, ids, { baseUrl: '' }),
    findConversations(tx, [conversationId]),
  ])
  if (!conversation) return null
  const messages = ids.flatMap(id => {
    const text = texts.get(id)
    return text ? (JSON.parse(text) as Message) : []
  })
  return { conversationId, messages, unreadCount: conversation.unreadCount }
}

/** A file of the conversation of an account and a person; null: it has none with this id. */
export async function findFileOfThread(
  tx: Tx,
  { accountId, person }: Participants,
  fileId: string,
): Promise<FileRow | null> {
  const [conversationId] = await findConversationIds(tx, accountId, [person])
  const file = await findFile(tx, fileId)
  if (conversationId === undefined || !file?.messageId) return null
  const { rows } = await sql`
    select from messages m
    where m.tenant_id = ${getTenantId(tx)} and m.conversation_id = ${conversationId} and m.id = ${file.messageId} and ${known}`.execute(
    tx,
  )
  return rows.length > 0 ? file : null
}

/** The author of each message up to this one. Null: there are more than `limit`. */
export async function findTurns(
  tx: Tx,
  { conversationId, messageId }: { conversationId: string; messageId: string },
  limit: number,
): Promise<('in' | 'out')[] | null> {
  const { rows } = await sql<{ direction: 'in' | 'out' }>`
    select m.direction from messages m
    where m.tenant_id = ${getTenantId(tx)} and m.conversation_id = ${conversationId} and ${known}
      and m.sequence <= (select l.sequence from messages l where l.tenant_id = ${getTenantId(tx)} and l.id = ${messageId})
    order by m.sequence limit ${limit + 1}`.execute(tx)
  return rows.length > limit ? null : rows.map(({ direction }) => direction)
}
