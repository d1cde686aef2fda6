/**
 * Searches conversations by words: of their messages, and of their leads (name, phone, property). The best way depends
 * on how common the words are.
 */
import { type RawBuilder, sql } from 'kysely'
import { toSearchWords } from '../../../domain/search-words.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { customPlan } from '../../../kit/db/reader.ts'
import { planWordSearch } from '../../leads/service.ts'

/** Words are common if this many of the newest conversations have them. Rare ones are collected with the index. */
const sample = { conversations: 100, messagesOfEach: 20, common: 6, words: 3 }
/** Up to this number, leads with certain words are collected. */
const leadsMax = 3000

export interface ConversationSearch {
  /** SQL: the conversation `c` matches. Reads its documents. */
  matches: RawBuilder<unknown>
  /** SQL: a query for the ids of all conversations that match; null: they are many, and are tested in order. */
  found: RawBuilder<unknown> | null
}

export async function planConversationSearch(tx: Tx, q: string): Promise<ConversationSearch> {
  const tenantId = getTenantId(tx)
  const words = toQueryWords(q)
  // The text has no words.
  if (words.length === 0) return { matches: sql`false`, found: sql`select null::uuid where false` }
  const query = words.join(' & ')
  const [leads, areCommon] = await Promise.all([planWordSearch(tx, q), areCommonWords(tx, words)])
  const matches = sql`(${hasMessage(tx, query)} or ${leads.matches(sql`c.lead_id`)})`
  if (areCommon || !leads.found || leads.expected > leadsMax) return { matches, found: null }
  const found = sql`
    select conversation_id from aldaba.search_documents(${tenantId}, 'message_search', ${query}::tsquery) conversation_id
    union
    select o.id from conversations o where o.tenant_id = ${tenantId} and o.lead_id in (${leads.found})`
  return { matches, found }
}

/**
 * Tests the newest conversations: each of the words is common, so that the index would be read for long even if they
 * hardly ever meet. The planner can't tell: for it, the beginning of a word that it has no statistics of matches one
 * message in 200.
 */
async function areCommonWords(tx: Tx, words: string[]): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    with newest as materialized (
      select id from conversations where tenant_id = ${getTenantId(tx)}
      order by last_message_at desc, id desc limit ${sample.conversations})
    select ${sql.raw(customPlan)} min((select count(*) from (
      select from newest c where exists (
        select from (
          select document from message_documents d
          where d.tenant_id = ${getTenantId(tx)} and d.conversation_id = c.id limit ${sample.messagesOfEach}) d
        where d.document @@ words.word::tsquery)
      limit ${sample.common}) found))::int as count
    from unnest(${words.slice(-sample.words)}::text[]) words (word)`.execute(tx)
  return rows[0]!.count === sample.common
}

/** The limit keeps the planner from reading the messages of all conversations at once. */
const hasMessage = (tx: Tx, query: string) => sql`(
    select true from message_documents d
    where d.tenant_id = ${getTenantId(tx)} and d.conversation_id = c.id and (d.document @@ ${query}::tsquery) is true
    limit 1) is true`

/** SQL: a message `m` of this conversation has these words. */
export function toMessageCondition(tx: Tx, conversationId: string, q: string): RawBuilder<unknown> {
  const words = toQueryWords(q)
  return words.length === 0
    ? sql`false`
    : sql`m.id in (
        select message_id from message_documents
        where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId} and (document @@ ${words.join(' & ')}::tsquery) is true)`
}

/** The words as parts of a tsquery. The last one may be incomplete. */
function toQueryWords(q: string): string[] {
  const words = toSearchWords(q)
  return words.map((word, index) => `'${word}'${index === words.length - 1 ? ':*' : ''}`)
}
