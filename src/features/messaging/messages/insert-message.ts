/**
 * Inserts messages. It is the only way in for a new message, whatever its direction.
 *
 * Lock order of all transactions that change messages: `lockLeadWrites` or `shareLeads` (not of those that queue a text),
 * conversations, their messages, the account, its budget, the quota, leads in the order of their ids, events.
 */

import { createId, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { notFound } from '../../../kit/problem.ts'
import { sanitizeJson, sanitizeText } from '../../../kit/sanitize-text.ts'
import type { Author } from '../../../kit/writer.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import { addMentions } from '../mentions.ts'
import type { Direction, MessageKind, MessageStatus, Nature } from '../message-types.ts'
import { toDocument } from '../message-words.ts'
import { hastenNext } from './promote-next.ts'

export interface NewMessage {
  conversationId: string
  /** Missing: it gets a new one. */
  id?: string
  direction: Direction
  kind: MessageKind
  /** What people read: the text, the rendered template, the caption. */
  text: string | null
  /** The parts besides the text, by kind. */
  content?: object
  /** `queued` and `sent` (by another program of the account's owner), `received`, `noted`. */
  status: MessageStatus
  nature?: Nature
  templateVersionId?: string | null
  campaignId?: string | null
  /** Its step in the campaign, from 0. */
  campaignStep?: number | null
  /** The campaign sends it then, or later. */
  sendAt?: Date | null
  /** The lead that it is about, if it is not that of the conversation. */
  leadId?: string | null
  replyToId?: string | null
  retryOfId?: string | null
  /** Who wrote it; null: the person, or the program. */
  author?: Author | null
  providerMessageId?: string | null
  /** The identity with which the person wrote an inbound message, as `kind:value`. */
  person?: string | null
  /** The provider's time. */
  providerAt?: Date | null
  /** When it is due; null: after the earlier ones of its conversation, see `promoteNext`. */
  dueAt?: Date | null
  /** When it fails if it is still queued. */
  expiresAt?: Date | null
  /** A unit of the quota is reserved. */
  hasQuota?: boolean
}

/** Like `insertMessages`, for one message. */
export async function insertMessage(tx: Tx, message: NewMessage): Promise<InsertedMessage> {
  const [inserted] = await insertMessages(tx, [message])
  return inserted!
}

export interface InsertedMessage {
  id: string
  sequence: number
}

/**
 * Inserts messages at the ends of their conversations, which are locked until the transaction ends. A message of a person
 * makes the conversation unread, reopens it and ends its snooze; the reply window begins again. An automatic reply only makes
 * it unread. A user who answers has read what came before. Throws 404.
 *
 * The caller has locked the conversations, if they are several, and has looked for messages with the same provider ids: a second one violates `messages_provider`.
 */
export async function insertMessages(tx: Tx, messages: NewMessage[]): Promise<InsertedMessage[]> {
  const now = getNow(tx)
  const tenantId = getTenantId(tx)
  const dated = messages.map(message => ({
    ...message,
    id: message.id ?? createId(tx),
    text: message.text === null ? null : sanitizeText(message.text),
    // A clock of the provider that runs ahead never opens the window for longer.
    writtenAt: new Date(Math.min((message.providerAt ?? now).getTime(), now.getTime())),
  }))
  const ends = await appendToConversations(tx, dated)
  const rows = dated.map(message => ({
    tenant_id: tenantId,
    id: message.id,
    conversation_id: message.conversationId,
    account_id: ends.get(message.conversationId)!.accountId,
    sequence: ++ends.get(message.conversationId)!.sequence,
    direction: message.direction,
    kind: message.kind,
    text: message.text,
    content: sanitizeJson(message.content ?? {}),
    template_version_id: message.templateVersionId ?? null,
    campaign_id: message.campaignId ?? null,
    campaign_step: message.campaignStep ?? null,
    send_at: message.sendAt ?? null,
    lead_id: message.leadId ?? null,
    reply_to_id: message.replyToId ?? null,
    retry_of_id: message.retryOfId ?? null,
    author_key_id: message.author?.keyId ?? null,
    author_user_id: message.author?.userId ?? null,
    nature: message.nature ?? 'person',
    status: message.status,
    provider_message_id: message.providerMessageId ?? null,
    person: message.person ?? null,
    quota_reserved_at: message.hasQuota ? now : null,
    next_attempt_at: message.dueAt ?? null,
    expires_at: message.expiresAt ?? null,
    created_at: now,
    provider_at: message.providerAt ?? null,
    sent_at: message.status === 'sent' ? message.writtenAt : null,
  }))
  // They are sent at once.
  await Promise.all([
    tx.insertInto('messages').values(rows).execute(),
    indexMessages(tx, dated),
    addMentions(
      tx,
      dated.map(({ id, text, content }) => ({ messageId: id, parts: [text, content] })),
    ),
    hastenNext(tx, [...new Set(dated.filter(isReply).map(({ conversationId }) => conversationId))]),
    recordInboxChanges(
      tx,
      dated.map(({ id, conversationId }) => ({ conversationId, messageId: id })),
    ),
  ])
  return rows.map(({ id, sequence }) => ({ id, sequence }))
}

const isReply = ({ direction, nature = 'person' }: Pick<NewMessage, 'direction' | 'nature'>): boolean =>
  direction === 'in' && nature === 'person'

type DatedMessage = NewMessage & { id: string; writtenAt: Date }

/** Makes room for the messages. Returns the account and the last sequence that each conversation had. */
async function appendToConversations(
  tx: Tx,
  messages: DatedMessage[],
): Promise<Map<string, { accountId: string; sequence: number }>> {
  const now = getNow(tx)
  const groups = [...Map.groupBy(messages, ({ conversationId }) => conversationId)].map(toAppended)
  const { rows } = await sql<{ id: string; accountId: string; sequence: number }>`
    update conversations c set last_sequence = c.last_sequence + g.count, updated_at = ${now},
      last_message_id = coalesce(g."lastId", c.last_message_id),
      last_message_at = case when g."lastId" is null then c.last_message_at else ${now} end,
      unread_count = case when g."isAnswered" then 0 else c.unread_count + g.unread end,
      last_inbound_at = greatest(c.last_inbound_at, g."repliedAt"),
      status = case when g."repliedAt" is null then c.status else 'open' end,
      snoozed_until = case when g."repliedAt" is null then c.snoozed_until end
    from json_to_recordset(${JSON.stringify(groups)}::json)
      as g (id uuid, count integer, unread integer, "isAnswered" boolean, "lastId" uuid, "repliedAt" timestamptz)
    where c.tenant_id = ${getTenantId(tx)} and c.id = g.id
    returning c.id, c.account_id as "accountId", c.last_sequence - g.count as sequence`.execute(tx)
  if (rows.length < groups.length) throw notFound('conversation')
  return new Map(rows.map(({ id, accountId, sequence }) => [id, { accountId, sequence }]))
}

/** What messages change in their conversation. */
function toAppended([id, messages]: [string, DatedMessage[]]) {
  const replyTimes = messages.filter(isReply).map(({ writtenAt }) => writtenAt.getTime())
  return {
    id,
    count: messages.length,
    unread: messages.filter(({ direction }) => direction === 'in').length,
    isAnswered: messages.some(isReadingAnswer),
    lastId: messages.findLast(({ direction }) => direction !== 'note')?.id ?? null,
    repliedAt: replyTimes.length === 0 ? null : new Date(Math.max(...replyTimes)),
  }
}

/** True for an answer of a user: they have read what came before. A program may answer what nobody has read. */
export const isReadingAnswer = ({
  direction,
  author,
  campaignId,
}: Pick<NewMessage, 'direction' | 'author' | 'campaignId'>): boolean =>
  direction === 'out' && Boolean(author?.userId) && !campaignId

export interface IndexedMessage {
  id: string
  conversationId: string
  text: string | null
  content?: { email?: { subject?: string | null } }
}

/** The words of a message, with the subject of an e-mail. */
const toMessageDocument = (tx: Tx, { text, content }: IndexedMessage): string =>
  toDocument(tx, [content?.email?.subject, text].join('\n'))

/** Indexes the words of a changed message, or removes them if none is left. */
export async function indexMessage(tx: Tx, message: IndexedMessage): Promise<void> {
  if (toMessageDocument(tx, message) !== '') return indexMessages(tx, [message])
  await sql`delete from message_search where tenant_id = ${getTenantId(tx)} and message_id = ${message.id}`.execute(
    tx,
  )
}

/** Indexes the words of messages. Those without words are left out. */
export async function indexMessages(tx: Tx, messages: IndexedMessage[]): Promise<void> {
  const indexed = messages
    .map(message => ({ ...message, document: toMessageDocument(tx, message) }))
    .filter(({ document }) => document !== '')
  if (indexed.length === 0) return
  await sql`
    insert into message_search (tenant_id, message_id, conversation_id, document)
    select ${getTenantId(tx)}::uuid, id, conversation_id, document::tsvector
    from unnest(${indexed.map(({ id }) => id)}::uuid[], ${indexed.map(each => each.conversationId)}::uuid[], ${indexed.map(({ document }) => document)}::text[])
      as t (id, conversation_id, document)
    on conflict (tenant_id, message_id) do update set document = excluded.document`.execute(tx)
}
