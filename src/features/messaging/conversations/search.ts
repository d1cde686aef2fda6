/**
 * Searches conversations by words: of their messages, of their leads (name, phone, property), and by the identities of their
 * people. The best way depends on how common the words are.
 */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { customPlan } from '../../../kit/db/reader.ts'
import { planWordSearch, type WordSearch } from '../../leads/service.ts'
import { toQueryWords } from '../message-words.ts'
import { toIdentityCondition } from './identity-search.ts'

/** Words are common if this many of the newest conversations have them. Rare ones are collected with the index. */
const sample = { conversations: 100, messagesOfEach: 20, common: 6, words: 3 }
/** Up to this number of messages, of leads and of identities with certain words are collected. */
const collectedMax = { messages: 3000, leads: 10_000, identities: 3000 }

export interface ConversationSearch {
  /** SQL: the conversation `c` matches. Reads its documents. */
  matches: RawBuilder<unknown>
  /** SQL: the lead or an identity of the conversation `c` matches. */
  matchesPerson: RawBuilder<unknown>
  /**
   * SQL: named queries: `collected` has the ids of all conversations that match; `collecting` says whether they exceed
   * the limit, so that some are missing. Null: many match for certain.
   */
  collected: RawBuilder<unknown> | null
}

export async function planConversationSearch(tx: Tx, q: string): Promise<ConversationSearch> {
  const words = toQueryWords(tx, q)
  const query = words.join(' & ')
  const [leads, areCommon, isIdentity] = await Promise.all([
    planWordSearch(tx, q),
    areCommonWords(tx, words),
    toIdentityCondition(tx, q),
  ])
  const matchesPerson = sql`(${leads.matches(sql`c.lead_id`)} or exists (
    select from conversation_identities i where i.tenant_id = ${getTenantId(tx)} and i.conversation_id = c.id and ${isIdentity}))`
  const isCollected = !areCommon && leads.found !== null
  return {
    matches: sql`(${hasMessage(tx, query)} or ${matchesPerson})`,
    matchesPerson,
    collected: isCollected ? collect(tx, { query, leads, isIdentity }) : null,
  }
}

/**
 * Common words of leads are known by the newest conversations, too: the planner is often wrong about the beginnings of
 * words and phones.
 */
function collect(
  tx: Tx,
  { query, leads, isIdentity }: { query: string; leads: WordSearch; isIdentity: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const tenantId = getTenantId(tx)
  return sql`
    leads_are_common as materialized (
      select count(*) = ${sample.common} as yes from (
        select from (
          select lead_id from conversations where tenant_id = ${tenantId}
          order by last_message_at desc, id desc limit ${sample.conversations}) c
        where ${leads.matches(sql`c.lead_id`)} limit ${sample.common}) found),
    found_messages as materialized (
      select id from aldaba.search_documents(${tenantId}, 'message_search', ${query}::tsquery, ${collectedMax.messages + 1}) id),
    found_leads as materialized (
      select lead_id from (${leads.found}) found (lead_id)
      limit case when (select yes from leads_are_common) then 0 else ${collectedMax.leads + 1} end),
    found_identities as materialized (
      select conversation_id as id from conversation_identities i
      where i.tenant_id = ${tenantId} and ${isIdentity} limit ${collectedMax.identities + 1}),
    collecting as materialized (
      select yes or (select count(*) from found_messages) > ${collectedMax.messages} or (select count(*) from found_identities) > ${collectedMax.identities} or (select count(*) from found_leads) > ${collectedMax.leads} as is_exceeded
      from leads_are_common),
    collected as materialized (
      select id from found_messages
      union
      select id from found_identities
      union
      select c.id from found_leads l cross join lateral (
        select id from conversations where tenant_id = ${tenantId} and lead_id = l.lead_id offset 0) c)`
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

/** SQL: a message `m` of this conversation has these words. "is true": they are collected first, in one hash table. */
export function toMessageCondition(tx: Tx, conversationId: string, q: string): RawBuilder<unknown> {
  const words = toQueryWords(tx, q)
  return words.length === 0
    ? sql`false`
    : sql`(m.id in (
        select message_id from message_documents
        where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId} and (document @@ ${words.join(' & ')}::tsquery) is true)) is true`
}
