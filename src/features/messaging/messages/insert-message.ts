/**
 * Inserts messages. It is the only way in for a new message, whatever its direction.
 *
 * Lock order of all transactions that change messages: `lockLeadWrites`, the conversation, its messages, events.
 */
import { toSearchWords } from '../../../domain/search-words.ts'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { notFound } from '../../../kit/problem.ts'
import { sanitizeJson, sanitizeText } from '../../../kit/sanitize-text.ts'
import type { Author } from '../../../kit/writer.ts'
import { recordInboxChanges } from '../live/record-changes.ts'
import type { Direction, MessageKind, MessageStatus, Nature } from '../message-types.ts'

export interface NewMessage {
  conversationId: string
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
  replyToId?: string | null
  retryOfId?: string | null
  /** Who wrote it; null: the person, or the program. */
  author?: Author | null
  providerMessageId?: string | null
  /** The name of the person in an inbound message, as `kind:value`. */
  person?: string | null
  /** The provider's time. */
  providerAt?: Date | null
  /** A unit of the quota is reserved. */
  hasQuota?: boolean
}

/** The words that are indexed: the text of a message is short, but an e-mail may be long. */
const searchedCharactersMax = 20_000

/**
 * Inserts a message at the end of its conversation, which is locked until the transaction ends. A message of a person
 * makes the conversation unread, reopens it and ends its snooze; the reply window begins again. An automatic reply only
 * makes it unread. Throws 404.
 *
 * The caller has looked for a message with the same provider id: a second one violates `messages_provider`.
 */
export async function insertMessage(tx: Tx, message: NewMessage): Promise<{ id: string; sequence: number }> {
  const { conversationId, direction, kind, nature = 'person' } = message
  const id = createId(tx)
  const now = getNow(tx)
  const tenantId = getTenantId(tx)
  const isInbound = direction === 'in'
  const isReply = isInbound && nature === 'person'
  // A clock of the provider that runs ahead never opens the window for longer.
  const writtenAt = new Date(Math.min((message.providerAt ?? now).getTime(), now.getTime()))
  const { rows } = await sql<{ accountId: string; sequence: number }>`
    update conversations set last_sequence = last_sequence + 1, updated_at = ${now},
      last_message_id = case when ${direction} = 'note' then last_message_id else ${id}::uuid end,
      last_message_at = case when ${direction} = 'note' then last_message_at else ${now}::timestamptz end,
      unread_count = unread_count + ${isInbound ? 1 : 0},
      last_inbound_at = case when ${isReply} then greatest(last_inbound_at, ${writtenAt}::timestamptz) else last_inbound_at end,
      status = case when ${isReply} then 'open' else status end,
      snoozed_until = case when ${isReply} then null else snoozed_until end
    where tenant_id = ${tenantId} and id = ${conversationId}
    returning account_id as "accountId", last_sequence as sequence`.execute(tx)
  const [conversation] = rows
  if (!conversation) throw notFound('conversation')
  const { accountId, sequence } = conversation
  const text = message.text === null ? null : sanitizeText(message.text)
  const inserted = tx.insertInto('messages').values({
    tenant_id: tenantId,
    id,
    conversation_id: conversationId,
    account_id: accountId,
    sequence,
    direction,
    kind,
    text,
    content: sanitizeJson(message.content ?? {}),
    template_version_id: message.templateVersionId ?? null,
    campaign_id: message.campaignId ?? null,
    reply_to_id: message.replyToId ?? null,
    retry_of_id: message.retryOfId ?? null,
    author_key_id: message.author?.keyId ?? null,
    author_user_id: message.author?.userId ?? null,
    nature,
    status: message.status,
    provider_message_id: message.providerMessageId ?? null,
    person: message.person ?? null,
    quota_reserved_at: message.hasQuota ? now : null,
    created_at: now,
    provider_at: message.providerAt ?? null,
    sent_at: message.status === 'sent' ? writtenAt : null,
  })
  // They are sent at once.
  await Promise.all([
    inserted.execute(),
    text !== null && indexMessage(tx, { id, conversationId, text }),
    recordInboxChanges(tx, [{ conversationId, messageId: id }]),
  ])
  return { id, sequence }
}

/** Indexes the words of a new or edited message. Null: removes them. */
export async function indexMessage(
  tx: Tx,
  { id, conversationId, text }: { id: string; conversationId: string; text: string | null },
): Promise<void> {
  const words = [...new Set(toSearchWords((text ?? '').slice(0, searchedCharactersMax)))].join(' ')
  const tenantId = getTenantId(tx)
  if (words === '')
    await sql`delete from message_search where tenant_id = ${tenantId} and message_id = ${id}`.execute(tx)
  else
    await sql`
      insert into message_search (tenant_id, message_id, conversation_id, document)
      values (${tenantId}, ${id}, ${conversationId}, ${words}::tsvector)
      on conflict (tenant_id, message_id) do update set document = excluded.document`.execute(tx)
}
