/**
 * Searches conversations by words: of their messages, and of their leads (name, phone, property). The best way depends
 * on how common the words are.
 */
import { type RawBuilder, sql } from 'kysely'
import { toSearchWords } from '../../../domain/search-words.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { planWordSearch } from '../../leads/service.ts'

/** Up to this number of messages, their conversations are collected and sorted. */
const collectedMax = 5000

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
  const [{ rows }, leads] = await Promise.all([
    sql<{ expected: number }>`select aldaba.expect_messages(${tenantId}, ${query}) as expected`.execute(tx),
    planWordSearch(tx, q),
  ])
  const isRare = rows[0]!.expected <= collectedMax
  const written = leads.onShards
    ? sql`select id from aldaba.search_shard(${tenantId}, 'message_search', ${query}::tsquery) id`
    : sql`select conversation_id from message_documents where tenant_id = ${tenantId} and document @@ ${query}::tsquery`
  if (isRare && leads.found)
    return {
      condition: sql`c.id in (
        ${written}
        union all
        select o.id from conversations o where o.tenant_id = ${tenantId} and o.lead_id in (${leads.found}))`,
      isSelective: true,
    }
  const byMessage = isRare ? sql`c.id in (${written})` : toCommonCondition(tx, q)
  const byLead = leads.found ? sql`c.lead_id in (${leads.found})` : leads.matches(sql`c.lead_id`)
  return { condition: sql`(${byMessage} or ${byLead})`, isSelective: false }
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
