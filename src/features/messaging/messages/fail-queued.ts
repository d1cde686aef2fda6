/** Fails the messages of conversations that are still to be sent. */
import { type RawBuilder, sql } from 'kysely'
import { answerDays } from '../../../domain/contactability/answers.ts'
import { getNow, sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { notifyAfterCommit } from '../../../kit/db/notifications.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { lockConversations } from '../conversations/queries.ts'
import type { MessageFailure } from '../message-types.ts'
import { messagesChangedTopic } from '../topics.ts'
import { changeStatuses } from './change-status.ts'
import { selectOutgoing } from './outgoing-rows.ts'

/** How many messages one statement reads. */
const batchMax = 500

/**
 * Fails the queued messages of these conversations, and gives their quota and budget back. A message that a process has
 * claimed is only marked: the process sees the mark before it sends, or has already sent it. Take `lockLeadWrites` before,
 * as for every change that a claim must see. `only`: a condition of messages `m`. Returns the number of messages that failed
 * at once.
 */
export async function failQueued(
  tx: Tx,
  conversationIds: string[],
  failure: MessageFailure,
  only = sql`true`,
): Promise<number> {
  if (conversationIds.length === 0) return 0
  await lockConversations(tx, conversationIds)
  return failQueuedAmong(
    tx,
    sql`m.conversation_id = any(${conversationIds}::uuid[]) and m.nature <> 'opt_out_confirmation' and ${only}`,
    failure,
  )
}

/** Like `failQueued`, for messages `m` of locked conversations. */
export async function failQueuedAmong(
  tx: Tx,
  condition: RawBuilder<unknown>,
  failure: MessageFailure,
): Promise<number> {
  if (await markClaimed(tx, condition, failure))
    notifyAfterCommit(tx, `${messagesChangedTopic} ${getTenantId(tx)}`)
  let count = 0
  for (;;) {
    const messages = await selectOutgoing(
      tx,
      sql`${condition} and m.status = 'queued' and m.claimed_at is null order by m.conversation_id, m.sequence desc limit ${batchMax}`,
    )
    const report = { status: 'failed' as const, at: getNow(tx), providerMessageId: null, failure }
    await changeStatuses(
      tx,
      messages.map(message => ({ message, report })),
    )
    count += messages.length
    if (messages.length < batchMax) return count
  }
}

/** A condition of messages `m` that answer nobody: see `isAnswerTo`. */
export const answersNobody = (
  tx: Tx,
) => sql`(m.campaign_id is not null or m.nature <> 'appointment' and not exists (
  select from conversations a where a.tenant_id = ${getTenantId(tx)} and a.id = m.conversation_id
    and a.last_inbound_at > ${sqlNow(tx)} - make_interval(days => ${answerDays})))`

/** A condition of messages `m`: nobody has opened their task, so nobody can have sent them. */
export const isUnopened = (tx: Tx) => sql`not exists (
  select from message_tasks t where t.tenant_id = ${getTenantId(tx)} and t.message_id = m.id and t.status = 'opened')`

/** Returns whether there were any. */
async function markClaimed(
  tx: Tx,
  condition: RawBuilder<unknown>,
  failure: MessageFailure,
): Promise<boolean> {
  const { rows } = await sql`
    update messages m set failure = ${sanitizeJson(failure)}::jsonb
    where m.tenant_id = ${getTenantId(tx)} and ${condition} and m.status = 'queued' and m.claimed_at is not null
    returning m.id`.execute(tx)
  return rows.length > 0
}
