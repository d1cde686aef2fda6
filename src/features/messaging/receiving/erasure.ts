/** Erases people from conversations, messages, files, and the bodies in which their messages arrived. */
import { toSearchWords } from '../../../domain/search-words.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { eraseReceivedBodies } from '../../accounts/service.ts'
import { containsAny, type ErasedPeople, type Traces } from '../../privacy/service.ts'
import { toIdentities } from '../identities.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import { deleteFilesOfMessages } from '../media/files.ts'
import { revokeUnsubscribeLinks } from '../unsubscribe/link.ts'

/** How many messages one statement deletes. */
const batchMax = 1000

/**
 * Handles `erasePersonData`: deletes the conversations with these people, and empties other messages that contain one of
 * their identifiers. A conversation under a name that a lead of somebody else has too stays, without the lead.
 */
export async function erasePeopleFromMessages(tx: Tx, people: ErasedPeople): Promise<Traces> {
  const conversations = await findConversationsOfPeople(tx, people)
  const ids = conversations.map(({ id }) => id)
  const messageIds = await deleteMessagesOf(tx, ids)
  await sql`delete from conversations where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(
    tx,
  )
  await eraseReceivedBodies(tx, [...new Set(conversations.map(({ accountId }) => accountId))])
  const emptied = await emptyMessages(tx, people)
  return { changed: [...ids, ...messageIds, ...emptied] }
}

async function findConversationsOfPeople(
  tx: Tx,
  { leadIds, identifiers }: ErasedPeople,
): Promise<{ id: string; accountId: string }[]> {
  const tenantId = getTenantId(tx)
  const names = toIdentities(identifiers)
  const { rows } = await sql<{ id: string; accountId: string }>`
    select c.id, c.account_id as "accountId" from conversations c
    where c.tenant_id = ${tenantId} and (
      c.id in (
        select i.conversation_id from conversation_identities i
        join unnest(${names.map(({ kind }) => kind)}::text[], ${names.map(({ value }) => value)}::text[]) as g (kind, value)
          on g.kind = i.kind and g.value = i.value
        where i.tenant_id = ${tenantId})
      or c.lead_id = any(${leadIds}::uuid[]) and not exists (
        select from conversation_identities i
        join lead_identifiers l on l.tenant_id = ${tenantId}
          and l.value = case when i.kind in ('phone', 'email') then i.value else i.kind || ':' || i.value end
        where i.tenant_id = ${tenantId} and i.conversation_id = c.id and l.lead_id <> all(${leadIds}::uuid[])))
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

/**
 * Empties messages with one of the identifiers: somebody else wrote about the people, or a message to them stayed. The
 * words of the search find the candidates; cards, places, texts before an edit and names of files have no such words, and
 * are few.
 */
async function emptyMessages(tx: Tx, { identifiers, words }: ErasedPeople): Promise<string[]> {
  const query = identifiers.flatMap(toTextQueries).join(' | ')
  if (query === '') return []
  const tenantId = getTenantId(tx)
  const isTheirs = containsAny(words, identifiers)
  const { rows } = await sql<{ id: string; conversationId: string }>`
    with found as (
      select m.id from messages m join message_documents d on d.tenant_id = ${tenantId} and d.message_id = m.id
      where m.tenant_id = ${tenantId} and d.document @@ ${query}::tsquery
        and (${isTheirs(sql`m.text`)} or ${isTheirs(sql`m.content::text`)})
      union
      select m.id from messages m
      where m.tenant_id = ${tenantId} and (m.kind in ('contacts', 'location') or m.content ? 'earlierTexts')
        and ${isTheirs(sql`m.content::text`)}
      union
      select f.message_id from message_files f
      where f.tenant_id = ${tenantId} and f.message_id is not null and ${isTheirs(sql`f.file_name`)})
    update messages m set text = null, content = '{"isErased": true}' from found
    where m.tenant_id = ${tenantId} and m.id = found.id
    returning m.id, m.conversation_id as "conversationId"`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await sql`delete from message_search where tenant_id = ${tenantId} and message_id = any(${ids}::uuid[])`.execute(
    tx,
  )
  await deleteFilesOfMessages(tx, ids)
  await recordInboxChanges(
    tx,
    rows.map(({ id, conversationId }) => ({ conversationId, messageId: id })),
  )
  return ids
}

/** How people group the nine digits of a phone number. */
const groupings = [
  /^(\d{9})$/,
  /^(\d{3})(\d{3})(\d{3})$/,
  /^(\d{3})(\d{2})(\d{2})(\d{2})$/,
  /^(\d{2})(\d{3})(\d{2})(\d{2})$/,
  /^(\d)(\d{2})(\d{2})(\d{2})(\d{2})$/,
  /^(\d{3})(\d{6})$/,
]

/** Searches for an identifier as the words of a text. */
function toTextQueries(identifier: string): string[] {
  if (!/^\+\d{9,}$/.test(identifier)) {
    const words = toSearchWords(identifier)
    return words.length === 0 ? [] : [toTextQuery(words)]
  }
  const digits = identifier.slice(-9)
  const grouped = groupings.map(grouping => grouping.exec(digits)!.slice(1))
  return [[identifier.slice(1)], ...grouped].map(toTextQuery)
}

const toTextQuery = (words: string[]) => `(${words.map(word => `'${word}'`).join(' & ')})`
