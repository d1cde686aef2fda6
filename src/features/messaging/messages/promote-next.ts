/**
 * Makes queued messages due: one of a conversation at a time. Those that a campaign queued are due at their own time: one that
 * waits for its window must not delay what a person writes.
 */
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { notifyAfterCommit } from '../../../kit/db/notifications.ts'
import { messagesDueTopic } from '../topics.ts'

/**
 * Makes the first queued message of each conversation due, if none of the conversation is. Messages that a person sends
 * as tasks are never due. The conversations are locked.
 */
export async function promoteNext(tx: Tx, conversationIds: string[]): Promise<void> {
  if (conversationIds.length === 0) return
  const tenantId = getTenantId(tx)
  const { rows } = await sql`
    update messages m set next_attempt_at = ${getNow(tx)}
    where m.tenant_id = ${tenantId} and m.status = 'queued' and m.next_attempt_at is null
      -- As an array it is read by the primary key, not by a scan of all queued messages.
      and m.id = any(array(
        select (
          select q.id from messages q where q.tenant_id = ${tenantId} and q.conversation_id = c.id and q.status = 'queued' and q.send_at is null
          order by q.sequence limit 1)
        from unnest(${conversationIds}::uuid[]) as c (id)))
      and not exists (select from message_tasks t where t.tenant_id = ${tenantId} and t.message_id = m.id)
    returning m.id`.execute(tx)
  if (rows.length > 0) notifyDue(tx)
}

/**
 * Makes messages due that wait for tomorrow's budget: the people have written, so they need none any more. The
 * conversations are locked.
 */
export async function hastenNext(tx: Tx, conversationIds: string[]): Promise<void> {
  if (conversationIds.length === 0) return
  const { rows } = await sql`
    update messages set next_attempt_at = ${soonest(tx)}
    where tenant_id = ${getTenantId(tx)} and conversation_id = any(${conversationIds}::uuid[]) and status = 'queued'
      and next_attempt_at > ${soonest(tx)} and claimed_at is null and attempts = 0
    returning id`.execute(tx)
  if (rows.length > 0) notifyDue(tx)
}

/**
 * Makes at most `count` messages of an account due that wait for tomorrow's budget: first what people wrote, then what campaigns
 * queued, the oldest first. Returns how many. Those that another transaction changes are left out.
 */
export async function hastenAccount(tx: Tx, accountId: string, count: number): Promise<number> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql`
    update messages set next_attempt_at = ${soonest(tx)}
    -- As an array the selection runs once: a join may repeat it, and each time it finds others.
    where tenant_id = ${tenantId} and id = any(array(
      select id from messages
      where tenant_id = ${tenantId} and account_id = ${accountId} and status = 'queued' and next_attempt_at > ${soonest(tx)}
        and claimed_at is null and attempts = 0
      order by campaign_id is not null, next_attempt_at, id limit ${count} for no key update skip locked))
    returning id`.execute(tx)
  if (rows.length > 0) notifyDue(tx)
  return rows.length
}

/** SQL: when a message may be sent at the earliest. */
const soonest = (tx: Tx) => sql`greatest(${getNow(tx)}::timestamptz, send_at)`

/** Notifies the senders after the commit that the tenant has messages to send, now or later. */
export function notifyDue(tx: Tx): void {
  notifyAfterCommit(tx, `${messagesDueTopic} ${getTenantId(tx)}`)
}
