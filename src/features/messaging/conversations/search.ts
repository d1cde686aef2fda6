/**
 * Searches conversations by words: of their messages, of their leads (name, phone, property), and by the identities of their
 * people. The best way depends on how common the words are.
 */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { findPhoneDigits, toLeadQuery } from '../../leads/service.ts'
import { toQueryWords } from '../message-words.ts'
import { toIdentityCondition } from './identity-search.ts'

/** Words are common if this many of the newest conversations have them. Rare ones are collected with the index. */
const sample = { conversations: 60, messagesOfEach: 20, common: 4, words: 3 }
/** Up to this number of messages, of leads and of identities with certain words are collected. */
const collectedMax = { messages: 3000, leads: 10_000, identities: 3000 }

export interface ConversationSearch {
  /** SQL: the newest message of the conversation `c` that has the words. Reads its documents. */
  matchedMessageId: RawBuilder<unknown>
  /** SQL: the lead or an identity of the conversation `c` matches. */
  matchesPerson: RawBuilder<unknown>
  /**
   * SQL: named queries for all that match: `found_messages` (id of the conversation, message_id), `found_identities` (id of
   * the conversation) and `found_leads` (id of the lead); `collecting` says how many were `found`, and whether they exceed the
   * limit, so that some are missing, or all: many match for certain.
   */
  collected: RawBuilder<unknown>
}

/** Both are tsqueries. `lead`: null: no lead matches. */
interface Words {
  message: string
  lead: string | null
}

export async function planConversationSearch(tx: Tx, q: string): Promise<ConversationSearch> {
  const tenantId = getTenantId(tx)
  const messageWords = toQueryWords(tx, q)
  const phoneDigits = await findPhoneDigits(tx, q)
  const lead = toLeadQuery(q, phoneDigits)
  const isIdentity = toIdentityCondition(q, phoneDigits)
  const words = { message: messageWords.join(' & '), lead }
  return {
    matchedMessageId: sql`(
      select d.message_id from message_documents d
      where d.tenant_id = ${tenantId} and d.conversation_id = c.id and (d.document @@ ${words.message}::tsquery) is true
      order by d.message_id desc limit 1)`,
    matchesPerson: sql`(${matchesLead(tx, lead)} or exists (
      select from conversation_identities i where i.tenant_id = ${tenantId} and i.conversation_id = c.id and ${isIdentity}))`,
    collected: sql`common as materialized (${areCommon(tx, messageWords, lead)}), ${collect(tx, words, isIdentity)}`,
  }
}

function collect(tx: Tx, { message, lead }: Words, isIdentity: RawBuilder<unknown>): RawBuilder<unknown> {
  const tenantId = getTenantId(tx)
  const areRare = sql`not (select yes from common)`
  return sql`
    found_messages as materialized (
      select found as id, message_id
      from aldaba.search_documents(${tenantId}, 'message_search', ${message}::tsquery, ${collectedMax.messages + 1})
      where ${areRare}),
    found_leads as materialized (
      select found as id from aldaba.search_documents(${tenantId}, 'lead_search', ${lead}::tsquery, ${collectedMax.leads + 1})
      where ${areRare}),
    found_identities as materialized (
      select conversation_id as id from conversation_identities i
      where i.tenant_id = ${tenantId} and ${isIdentity} and ${areRare} limit ${collectedMax.identities + 1}),
    collecting as materialized (
      select messages + leads + identities as found,
        (select yes from common) or messages > ${collectedMax.messages} or leads > ${collectedMax.leads}
          or identities > ${collectedMax.identities} as is_exceeded
      from (
        select (select count(*) from found_messages) as messages, (select count(*) from found_leads) as leads,
          (select count(*) from found_identities) as identities) counts)`
}

/**
 * SQL: a query that tests the newest conversations: each of the words is common, so that the index would be read for long even if they
 * hardly ever meet; or the words of the lead are. The planner can't tell: for it, the beginning of a word that it has no
 * statistics of matches one message in 200.
 */
function areCommon(tx: Tx, words: string[], lead: string | null): RawBuilder<unknown> {
  if (words.length === 0) return sql`select false as yes`
  const areEnough = (isMatch: RawBuilder<unknown>) => sql`(
    select count(*) = ${sample.common} from (select from newest c where ${isMatch} limit ${sample.common}) found)`
  // Longer words are rarer: mostly the first one decides.
  const tested = words.toSorted((a, b) => b.length - a.length).slice(0, sample.words)
  const hasWord = (word: string) => sql`exists (
    select from (
      select document from message_documents d
      where d.tenant_id = ${getTenantId(tx)} and d.conversation_id = c.id limit ${sample.messagesOfEach}) d
    where d.document @@ ${word}::tsquery)`
  return sql`
    with newest as materialized (
      select id, lead_id from conversations where tenant_id = ${getTenantId(tx)}
      order by last_message_at desc, id desc limit ${sql.lit(sample.conversations)})
    select (${sql.join(
      tested.map(word => areEnough(hasWord(word))),
      sql` and `,
    )}) or ${areEnough(matchesLead(tx, lead))} as yes`
}

/** SQL: the lead of the conversation `c` matches. */
const matchesLead = (tx: Tx, lead: string | null) =>
  lead === null
    ? sql`false`
    : sql`(
    select d.document @@ ${lead}::tsquery from lead_documents d
    where d.tenant_id = ${getTenantId(tx)} and d.lead_id = c.lead_id)`

/** SQL: a message `m` of this conversation has these words. "is true": they are collected first, in one hash table. */
export function toMessageCondition(tx: Tx, conversationId: string, q: string): RawBuilder<unknown> {
  const words = toQueryWords(tx, q)
  return words.length === 0
    ? sql`false`
    : sql`(m.id in (
        select message_id from message_documents
        where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId} and (document @@ ${words.join(' & ')}::tsquery) is true)) is true`
}
