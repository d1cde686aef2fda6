/** The messages because of which a search finds conversations. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { toQueryWords } from '../message-words.ts'

/**
 * The last messages of each conversation that are looked at: with rare words, a longer one would be read for long. Where
 * the lead or an identity has the words, mostly no message has them.
 */
export const lookedAtMax = { found: 500, foundByPerson: 20 }

export interface MatchedMessage {
  id: string
  text: string | null
}

/** By conversation, the newest message with all words. `matchesPerson`: SQL: the conversation `c` was found without its messages. */
export async function findMatchedMessages(
  tx: Tx,
  conversationIds: string[],
  { q, matchesPerson }: { q: string; matchesPerson: RawBuilder<unknown> },
): Promise<Map<string, MatchedMessage>> {
  const words = toQueryWords(tx, q)
  if (words.length === 0 || conversationIds.length === 0) return new Map()
  const { rows } = await sql<MatchedMessage & { conversationId: string }>`
    select c.id as "conversationId", m.id, left(m.text, 300) as text
    from (
      select c.id, case when ${matchesPerson} then ${lookedAtMax.foundByPerson}::int else ${lookedAtMax.found}::int end as looked_at_max
      from conversations c where c.tenant_id = ${getTenantId(tx)} and c.id = any(${conversationIds}::uuid[]) offset 0) c
    cross join lateral (
      select message_id from (
        select message_id, document from message_documents
        where tenant_id = ${getTenantId(tx)} and conversation_id = c.id order by message_id desc limit c.looked_at_max) last
      where (document @@ ${words.join(' & ')}::tsquery) is true order by message_id desc limit 1) d
    join messages m on m.tenant_id = ${getTenantId(tx)} and m.id = d.message_id`.execute(tx)
  return new Map(rows.map(({ conversationId, id, text }) => [conversationId, { id, text }]))
}
