/** Erases people from conversations, messages, files, and the bodies in which their messages arrived. */
import { toMention, tooManyMentions } from '../../../domain/messaging/mentions.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { eraseReceivedBodies } from '../../accounts/service.ts'
import { containsAny, type ErasedPeople, type Traces } from '../../privacy/service.ts'
import { lockConversations } from '../conversations/queries.ts'
import { formatIdentity, toIdentities } from '../identities.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import { deleteFilesOfMessages } from '../media/files.ts'
import { deleteMentions } from '../mentions.ts'
import { failQueuedAmong } from '../messages/fail-queued.ts'
import { toRefusal } from '../messages/to-failure.ts'
import { revokeUnsubscribeLinks } from '../unsubscribe/link.ts'

/** How many messages one statement deletes. */
const batchMax = 1000

/**
 * Handles `erasePersonData`: deletes the conversations with these people, and empties other messages that contain one of
 * their identifiers. A conversation under an identity that a lead of somebody else has too stays, without the lead.
 */
export async function erasePeopleFromMessages(tx: Tx, people: ErasedPeople): Promise<Traces> {
  const conversations = await findConversationsOfPeople(tx, people)
  const ids = conversations.map(({ id }) => id)
  const mentions = await findMentions(tx, people)
  // See insert-message.ts for the order of locks.
  await lockConversations(tx, [...ids, ...mentions.map(({ conversationId }) => conversationId)])
  const messageIds = await deleteMessagesOf(tx, ids)
  await sql`delete from conversations where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(
    tx,
  )
  await eraseFormerIdentities(tx, people)
  await eraseReceivedBodies(tx, [...new Set(conversations.map(({ accountId }) => accountId))])
  const emptied = await emptyMessages(tx, people, mentions)
  return { changed: [...ids, ...messageIds, ...emptied] }
}

/** Conversations that had an identity of these people before, and their messages, forget it. */
async function eraseFormerIdentities(tx: Tx, { identifiers }: ErasedPeople): Promise<void> {
  const names = toIdentities(identifiers).map(formatIdentity)
  await sql`
    update messages set person = null
    where tenant_id = ${getTenantId(tx)} and person = any(${names}::text[]) and conversation_id in (
      select id from conversations
      where tenant_id = ${getTenantId(tx)} and former_identities <> '{}' and former_identities && ${names}::text[])`.execute(
    tx,
  )
  await sql`
    update conversations set former_identities = array(
      select f from unnest(former_identities) with ordinality as t (f, place) where f <> all(${names}::text[]) order by place)
    where tenant_id = ${getTenantId(tx)} and former_identities <> '{}' and former_identities && ${names}::text[]`.execute(
    tx,
  )
}

/** The limit keeps the planner from reading the identities of all conversations. */
async function findConversationsOfPeople(
  tx: Tx,
  { leadIds, identifiers }: ErasedPeople,
): Promise<{ id: string; accountId: string }[]> {
  const tenantId = getTenantId(tx)
  const identities = toIdentities(identifiers)
  const { rows } = await sql<{ id: string; accountId: string }>`
    with found as (
      select i.conversation_id as id from conversation_identities i
      join unnest(${identities.map(({ kind }) => kind)}::text[], ${identities.map(({ value }) => value)}::text[]) as g (kind, value)
        on g.kind = i.kind and g.value = i.value
      where i.tenant_id = ${tenantId}
      union
      select c.id from conversations c
      where c.tenant_id = ${tenantId} and c.lead_id = any(${leadIds}::uuid[]) and (
        select true from conversation_identities i
        join lead_identifiers l on l.tenant_id = ${tenantId}
          and l.value = case when i.kind in ('phone', 'email') then i.value else i.kind || ':' || i.value end
        where i.tenant_id = ${tenantId} and i.conversation_id = c.id and l.lead_id <> all(${leadIds}::uuid[])
        limit 1) is null)
    select c.id, c.account_id as "accountId" from conversations c
    where c.tenant_id = ${tenantId} and c.id in (select id from found)
    order by c.id`.execute(tx)
  return rows
}

/** Deletes the messages of conversations with their files and words. Returns their ids. */
async function deleteMessagesOf(tx: Tx, conversationIds: string[]): Promise<string[]> {
  const deleted: string[] = []
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select id from messages
      where tenant_id = ${getTenantId(tx)} and conversation_id = any(${conversationIds}::uuid[]) limit ${batchMax}`.execute(
      tx,
    )
    const ids = rows.map(({ id }) => id)
    await deleteMessages(tx, ids)
    deleted.push(...ids)
    if (ids.length < batchMax) return deleted
  }
}

/** Deletes messages with their files and words. */
export async function deleteMessages(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await deleteFilesOfMessages(tx, ids)
  await sql`delete from message_search where tenant_id = ${getTenantId(tx)} and message_id = any(${ids}::uuid[])`.execute(
    tx,
  )
  await revokeUnsubscribeLinks(tx, ids)
  await sql`delete from messages where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(
    tx,
  )
}

const erasedBeforeSent = toRefusal(
  'MESSAGE_ERASED',
  'The message mentioned a person who was erased before it was sent. Write it again without them.',
)

interface MessageId {
  id: string
  conversationId: string
}

/** The messages with one of the identifiers. */
async function findMentions(tx: Tx, { identifiers, words }: ErasedPeople): Promise<MessageId[]> {
  if (identifiers.length === 0) return []
  const tenantId = getTenantId(tx)
  const isTheirs = containsAny(words, identifiers)
  const { rows } = await sql<MessageId>`
    with found as (
      select message_id as id from message_mentions
      where tenant_id = ${tenantId} and value = any(${identifiers.map(toMention)}::text[])
      union
      select m.id from message_mentions t join messages m on m.tenant_id = ${tenantId} and m.id = t.message_id
      where t.tenant_id = ${tenantId} and t.value = ${tooManyMentions} and (
        ${isTheirs(sql`m.text`)} or ${isTheirs(sql`m.content::text`)} or exists (
          select from message_files f
          where f.tenant_id = ${tenantId} and f.message_id = m.id and ${isTheirs(sql`f.file_name`)})))
    select m.id, m.conversation_id as "conversationId" from found
    join messages m on m.tenant_id = ${tenantId} and m.id = found.id`.execute(tx)
  return rows
}

/**
 * Empties messages in which somebody else wrote about the people, and messages to them that stayed. So does the subject of
 * their conversations. What is still queued fails.
 */
async function emptyMessages(
  tx: Tx,
  { identifiers, words }: ErasedPeople,
  mentions: MessageId[],
): Promise<string[]> {
  if (mentions.length === 0) return []
  const tenantId = getTenantId(tx)
  const { rows } = await sql<MessageId>`
    update messages set text = null, content = '{"isErased": true}'
    where tenant_id = ${tenantId} and id = any(${mentions.map(({ id }) => id)}::uuid[])
    returning id, conversation_id as "conversationId"`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await sql`
    update conversations set subject = null
    where tenant_id = ${tenantId} and id = any(${rows.map(({ conversationId }) => conversationId)}::uuid[])
      and ${containsAny(words, identifiers)(sql`subject`)}`.execute(tx)
  await deleteMentions(tx, ids)
  await sql`delete from message_search where tenant_id = ${tenantId} and message_id = any(${ids}::uuid[])`.execute(
    tx,
  )
  await deleteFilesOfMessages(tx, ids)
  await recordInboxChanges(
    tx,
    rows.map(({ id, conversationId }) => ({ conversationId, messageId: id })),
  )
  await failQueuedAmong(tx, sql`m.id = any(${ids}::uuid[])`, erasedBeforeSent)
  return ids
}
