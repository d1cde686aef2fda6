/** The SQL that finds and marks messages of people. */
import type { RawBuilder } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import { updateMentions } from '../mentions.ts'
import type { Reaction } from '../messages/reactions.ts'

export interface KnownMessage {
  id: string
  conversationId: string
  direction: 'in' | 'out' | 'note'
  text: string | null
  content: {
    earlierTexts?: EarlierText[]
    reactions?: Reaction[]
    isEditedFirst?: true
    emoji?: string | null
  }
  providerAt: Date | null
  editedAt: Date | null
  deletedAt: Date | null
}

/** A text before an edit. `until`: when it was changed. */
export interface EarlierText {
  text: string
  until: string
}

/** The messages of an account with these ids of the provider, by id. Missing ones have not arrived. */
export async function findKnownMessages(
  tx: Tx,
  accountId: string,
  providerMessageIds: string[],
): Promise<Map<string, KnownMessage>> {
  const { rows } = await sql<KnownMessage & { providerMessageId: string }>`
    select id, conversation_id as "conversationId", direction, text, content, provider_message_id as "providerMessageId",
      provider_at as "providerAt", edited_at as "editedAt", deleted_at as "deletedAt"
    from messages
    where tenant_id = ${getTenantId(tx)} and account_id = ${accountId} and provider_message_id = any(${providerMessageIds}::text[])`.execute(
    tx,
  )
  return new Map(rows.map(row => [row.providerMessageId, row]))
}

/** The message with this id of the provider; undefined: it has not arrived. */
export async function findKnownMessage(
  tx: Tx,
  accountId: string,
  providerMessageId: string,
): Promise<KnownMessage | undefined> {
  return (await findKnownMessages(tx, accountId, [providerMessageId])).get(providerMessageId)
}

/** A machine may have written thousands of messages to a conversation: only so many are read. */
const lastMax = 200

/** SQL: the last messages of a conversation. */
const lastMessages = (tx: Tx, conversationId: string | RawBuilder<string>) => sql`(
  select direction, nature, kind, status, text, campaign_id, lead_id, created_at, sequence from messages
  where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId} order by sequence desc limit ${lastMax}) last`

export interface Thread {
  /** The lead of the last message; null: that of the conversation. */
  lastLeadId: string | null
  /** The leads of what was written since the person last wrote, or first writes; null: that of the conversation. */
  unansweredLeadIds: (string | null)[]
}

const isToPerson = sql.raw(
  `direction = 'out' and kind <> 'reaction' and status in ('sent', 'delivered', 'read', 'unknown')`,
)
const isOfPerson = sql.raw(`direction = 'in' and kind <> 'reaction' and nature = 'person'`)

/**
 * Returns what conversations are about by now, by their id. `isJoined`: it has just been joined with another one, in which
 * nobody could see that the person answered; all that was written to them counts.
 */
export async function findThreads(
  tx: Tx,
  conversations: { id: string; isJoined: boolean }[],
): Promise<Map<string, Thread>> {
  const messages = lastMessages(tx, sql`g.id`)
  const { rows } = await sql<Thread & { id: string }>`
    select g.id, last."leadId" as "lastLeadId", case
        when last.direction is null then array[null::uuid]
        when last.direction = 'in' and not g.is_joined then '{}'
        else array(
          select distinct lead_id from ${messages}
          where ${isToPerson} and (g.is_joined or sequence > coalesce((
            select sequence from ${messages} where ${isOfPerson} order by sequence desc limit 1), 0)))
      end as "unansweredLeadIds"
    from unnest(${conversations.map(({ id }) => id)}::uuid[], ${conversations.map(({ isJoined }) => isJoined)}::boolean[]) as g (id, is_joined)
    left join lateral (
      select direction, lead_id as "leadId" from ${messages}
      where ${isToPerson} or ${isOfPerson} order by sequence desc limit 1) last on true`.execute(tx)
  return new Map(rows.map(({ id, ...thread }) => [id, thread]))
}

export interface MessageLead {
  conversationId: string
  /** Null: that of the conversation. */
  leadId: string | null
}

/** The leads of messages, by the id of the message. */
export async function findMessageLeads(tx: Tx, ids: string[]): Promise<Map<string, MessageLead>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<MessageLead & { id: string }>`
    select id, conversation_id as "conversationId", lead_id as "leadId" from messages
    where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(tx)
  return new Map(rows.map(({ id, ...lead }) => [id, lead]))
}

/** True if the opt-out was confirmed in this conversation, and not taken back since: the note about that answers a message. */
export async function isOptOutConfirmed(tx: Tx, conversationId: string): Promise<boolean> {
  const { rows } = await sql`
    select from messages m
    where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId} and nature = 'opt_out_confirmation'
      and not exists (
        select from messages n
        where n.tenant_id = ${getTenantId(tx)} and n.conversation_id = ${conversationId} and n.direction = 'note'
          and n.reply_to_id is not null and n.sequence > m.sequence)
    limit 1`.execute(tx)
  return rows.length > 0
}

/** The language (BCP 47) of the last template that the person was sent; null: none. */
export async function findSentLanguage(tx: Tx, conversationId: string): Promise<string | null> {
  const { rows } = await sql<{ language: string }>`
    select content->'template'->>'language' as language from messages
    where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId} and direction = 'out' and sent_at is not null
      and content ? 'template'
    order by sequence desc limit 1`.execute(tx)
  return rows[0]?.language ?? null
}

/** Changes what a message says. Omitted columns keep their value. */
export async function updateMessage(
  tx: Tx,
  { id, conversationId }: Pick<KnownMessage, 'id' | 'conversationId'>,
  changes: {
    kind?: string
    text?: string | null
    content?: object
    edited_at?: Date
    deleted_at?: Date
    provider_at?: Date
  },
): Promise<void> {
  const { content, ...columns } = changes
  await tx
    .updateTable('messages')
    .set({ ...columns, ...(content && { content: sanitizeJson(content) }) })
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', id)
    .execute()
  if (content || changes.text !== undefined) await updateMentions(tx, id)
  await recordInboxChanges(tx, [{ conversationId, messageId: id }])
}

/** Removes the message that stood for a reaction to a message which has now arrived. */
export async function deleteReaction(tx: Tx, { id, conversationId }: KnownMessage): Promise<void> {
  await sql`delete from messages where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
  await sql`
    update conversations set unread_count = greatest(0, unread_count - 1)
    where tenant_id = ${getTenantId(tx)} and id = ${conversationId}`.execute(tx)
  await recordInboxChanges(tx, [{ conversationId, messageId: id }])
}

/** The conversations of people with these identities, in every account. */
export async function findConversationsOf(tx: Tx, identities: readonly ChatIdentity[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct i.conversation_id as id from conversation_identities i
    join unnest(${identities.map(({ kind }) => kind)}::text[], ${identities.map(({ value }) => value)}::text[]) as g (kind, value)
      on g.kind = i.kind and g.value = i.value
    where i.tenant_id = ${getTenantId(tx)}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** True if this is a message of ours in the conversation. */
export async function wasSent(tx: Tx, id: string, conversationId: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from messages
    where tenant_id = ${getTenantId(tx)} and id = ${id} and conversation_id = ${conversationId}::uuid and direction = 'out'
      and status not in ('queued', 'failed')`.execute(tx)
  return rows.length > 0
}

/** The days in which a message to a person may be a part of the conversation that they began. */
const dialogueDays = 7

/** The last message to a person, if it is a part of a dialogue: they wrote before it, and it is no template. */
export async function findDialogueText(tx: Tx, conversationId: string): Promise<string | null> {
  const { rows } = await sql<{ text: string | null }>`
    select text from (
      select * from ${lastMessages(tx, conversationId)}
      where direction = 'out' and kind <> 'reaction' order by sequence desc limit 1) m
    where campaign_id is null and kind <> 'template' and exists (
      select from ${lastMessages(tx, conversationId)}
      where ${isOfPerson} and last.sequence < m.sequence and last.created_at > m.created_at - make_interval(days => ${dialogueDays}))`.execute(
    tx,
  )
  return rows[0]?.text ?? null
}
