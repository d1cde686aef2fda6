/**
 * The days whose budget messages use: a person counts once per account and day, however many messages they get. Two
 * conversations that are joined keep what each has counted, and one whose messages are erased is counted again.
 */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { releaseBudget } from '../../accounts/service.ts'
import type { OutgoingRow } from './outgoing-rows.ts'

/** Those of these conversations that the budget of a day counts already. */
export async function findCounted(tx: Tx, conversationIds: string[], day: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct conversation_id as id from messages
    where tenant_id = ${getTenantId(tx)} and conversation_id = any(${conversationIds}::uuid[]) and reserved_day = ${day}::date`.execute(
    tx,
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Gives back the budget of messages that were not sent, unless their conversation has another message of that day. The caller
 * has locked their conversations. Returns the accounts.
 */
export async function releaseDays(
  tx: Tx,
  messages: readonly Pick<OutgoingRow, 'id' | 'conversationId' | 'accountId' | 'reservedDay'>[],
): Promise<string[]> {
  const reserved = messages.filter(({ reservedDay }) => reservedDay !== null)
  if (reserved.length === 0) return []
  const { rows } = await sql<{ accountId: string; day: string }>`
    select r.account_id as "accountId", r.day::text as day from (
      select distinct account_id, conversation_id, day
      from unnest(${reserved.map(({ accountId }) => accountId)}::uuid[], ${reserved.map(({ conversationId }) => conversationId)}::uuid[],
        ${reserved.map(({ reservedDay }) => reservedDay)}::date[]) as g (account_id, conversation_id, day)) r
    where not exists (
      select from messages m
      where m.tenant_id = ${getTenantId(tx)} and m.conversation_id = r.conversation_id and m.reserved_day = r.day
        and m.id <> all(${reserved.map(({ id }) => id)}::uuid[]))`.execute(tx)
  await releaseBudget(tx, rows)
  return [...new Set(rows.map(({ accountId }) => accountId))].sort()
}
