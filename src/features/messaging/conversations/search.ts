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

/** A word is common if this many of the newest conversations have it. Rare ones are collected with the index. */
const sample = { conversations: 300, common: 12 }

export interface ConversationSearch {
  /** A condition on a conversation `c`. */
  condition: RawBuilder<unknown>
  /** Few conversations match: all are collected and sorted. Otherwise they are read in order. */
  isSelective: boolean
}

export async function planConversationSearch(tx: Tx, q: string): Promise<ConversationSearch> {
  const tenantId = getTenantId(tx)
  const query = toMessageQuery(q)
  // The text has no words.
  if (query === null) return { condition: sql`false`, isSelective: true }
  const [isCommon, leads] = await Promise.all([hasCommonWords(tx, q), planWordSearch(tx, q)])
  const written = leads.onShards
    ? sql`select id from aldaba.search_shard(${tenantId}, 'message_search', ${query}::tsquery) id`
    : sql`select conversation_id from message_documents where tenant_id = ${tenantId} and document @@ ${query}::tsquery`
  if (!isCommon && leads.found)
    return {
      condition: sql`c.id in (
        ${written}
        union all
        select o.id from conversations o where o.tenant_id = ${tenantId} and o.lead_id in (${leads.found}))`,
      isSelective: true,
    }
  const byMessage = isCommon ? toCommonCondition(tx, q) : sql`c.id in (${written})`
  const byLead = leads.found ? sql`c.lead_id in (${leads.found})` : leads.matches(sql`c.lead_id`)
  return { condition: sql`(${byMessage} or ${byLead})`, isSelective: false }
}

/**
 * Tests the newest conversations. The planner can't tell: for it, the beginning of a word that it has no statistics of
 * matches one message in 200.
 */
async function hasCommonWords(tx: Tx, q: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select ${sql.raw(customPlan)} count(*)::int as count from (
      select from (
        select c.id from conversations c where c.tenant_id = ${getTenantId(tx)}
        order by c.last_message_at desc, c.id desc limit ${sample.conversations}) c
      where ${toCommonCondition(tx, q)} limit ${sample.common}) found`.execute(tx)
  return rows[0]!.count === sample.common
}

/**
 * SQL: a message of the conversation `c` has these words. Reads its messages; the limit keeps the planner from reading
 * those of all conversations at once.
 */
export function toCommonCondition(tx: Tx, q: string): RawBuilder<unknown> {
  return sql`(
    select true from message_documents d
    where d.tenant_id = ${getTenantId(tx)} and d.conversation_id = c.id and (d.document @@ ${toMessageQuery(q)}::tsquery) is true
    limit 1)`
}

/** SQL: a message `m` of this conversation has these words. */
export function toMessageCondition(tx: Tx, conversationId: string, q: string): RawBuilder<unknown> {
  const query = toMessageQuery(q)
  return query === null
    ? sql`false`
    : sql`m.id in (
        select message_id from message_documents
        where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId} and (document @@ ${query}::tsquery) is true)`
}

/** A tsquery: all words, of which the last may be incomplete; null without words. */
function toMessageQuery(q: string): string | null {
  const words = toSearchWords(q)
  if (words.length === 0) return null
  return words.map((word, index) => `'${word}'${index === words.length - 1 ? ':*' : ''}`).join(' & ')
}
