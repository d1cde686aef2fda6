/** Changes of the status of an outgoing message, with everything that follows from them. */
import { toNextStatus } from '../../../domain/messaging/message-status.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { notifyAfterCommit } from '../../../kit/db/notifications.ts'
import { emit } from '../../../kit/events/emit.ts'
import { callHook } from '../../../kit/hook.ts'
import { refund } from '../../../kit/quota.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { releaseBudget } from '../../accounts/service.ts'
import { recordContact } from '../../leads/service.ts'
import { messageDelivered, messageFailed, messageRead, messageSent } from '../events.ts'
import { messageWasSent } from '../hooks.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import type { MessageFailure } from '../message-types.ts'
import { messagesPerMonth } from '../quotas.ts'
import { messagesDueTopic } from '../topics.ts'
import type { OutgoingRow } from './outgoing-rows.ts'
import { showSentReaction } from './reactions.ts'

/** What is reported about a message. `at`: the environment's time. */
export type Report = { at: Date; providerMessageId: string | null } & (
  | { status: 'sent' | 'delivered' | 'read' }
  | { status: 'failed' | 'unknown'; failure: MessageFailure }
)

const receipts = { sent: messageSent, delivered: messageDelivered, read: messageRead } as const

/**
 * Applies a report to a message, whose conversation is locked (`lockConversations`). Late and repeated reports change
 * nothing, besides the provider's id if it was not known. When a queued message ends, the next one of its conversation
 * becomes due. A failed message gives its quota and budget back. Returns whether the status has changed.
 */
export async function changeStatus(tx: Tx, message: OutgoingRow, report: Report): Promise<boolean> {
  const { id, conversationId } = message
  const status = toNextStatus(message.status, report.status)
  if (status === message.status) {
    await setProviderId(tx, message, report.providerMessageId)
    return false
  }
  const failure = 'failure' in report ? report.failure : null
  const isReceipt = status === 'sent' || status === 'delivered' || status === 'read'
  await sql`
    update messages set status = ${status}, failure = ${failure && sanitizeJson(failure)}::jsonb,
      provider_message_id = coalesce(provider_message_id, ${report.providerMessageId}),
      next_attempt_at = null, claimed_at = null, claim_token = null,
      sent_at = case when ${isReceipt} then coalesce(sent_at, ${report.at}) else sent_at end,
      delivered_at = case when ${status} in ('delivered', 'read') then coalesce(delivered_at, ${report.at}) else delivered_at end,
      read_at = case when ${status} = 'read' then ${report.at} else read_at end,
      failed_at = case when ${status} = 'failed' then ${report.at}::timestamptz else failed_at end,
      reserved_day = case when ${status} = 'failed' then null else reserved_day end,
      quota_reserved_at = case when ${status} = 'failed' then null else quota_reserved_at end
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
  if (status === 'failed') await refundMessage(tx, message)
  if (message.status === 'queued' && status === 'failed') await endOpenTask(tx, id)
  if (isReceipt && !message.sentAt && message.leadId)
    await recordContact(tx, message.leadId, report.at, { noticeSent: message.hasNotice })
  if (isReceipt && !message.sentAt && message.kind === 'reaction') await showSentReaction(tx, id, report.at)
  await emitReport(tx, message, status)
  if (isReceipt && !message.sentAt)
    await callHook(tx, messageWasSent, {
      messageId: id,
      conversationId,
      accountId: message.accountId,
      providerMessageId: message.providerMessageId ?? report.providerMessageId,
    })
  if (message.status === 'queued') await promoteNext(tx, [conversationId])
  await recordInboxChanges(tx, [{ conversationId, messageId: id }])
  return true
}

/** Nobody sends the message by hand any more. A task that is being ended has its own status already. */
async function endOpenTask(tx: Tx, messageId: string): Promise<void> {
  await sql`
    update message_tasks set status = 'skipped', ended_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and message_id = ${messageId} and status in ('open', 'opened')`.execute(
    tx,
  )
}

async function setProviderId(
  tx: Tx,
  { id, providerMessageId }: OutgoingRow,
  found: string | null,
): Promise<void> {
  if (found === null || providerMessageId !== null) return
  await sql`
    update messages set provider_message_id = ${found}
    where tenant_id = ${getTenantId(tx)} and id = ${id} and provider_message_id is null`.execute(tx)
}

/** Emits the event of a status. A message that was not known to be sent emits `message.sent` first. */
async function emitReport(tx: Tx, message: OutgoingRow, status: OutgoingRow['status']): Promise<void> {
  const data = {
    messageId: message.id,
    conversationId: message.conversationId,
    accountId: message.accountId,
    leadId: message.leadId,
    campaignId: message.campaignId,
  }
  if (status === 'failed') await emit(tx, messageFailed, data)
  if (status !== 'sent' && status !== 'delivered' && status !== 'read') return
  if (!message.sentAt && status !== 'sent') await emit(tx, messageSent, data)
  await emit(tx, receipts[status], data)
}

/** Gives back what a message reserved: it was not sent. */
async function refundMessage(
  tx: Tx,
  {
    accountId,
    reservedDay,
    quotaReservedAt,
  }: Pick<OutgoingRow, 'accountId' | 'reservedDay' | 'quotaReservedAt'>,
): Promise<void> {
  if (reservedDay) await releaseBudget(tx, accountId, reservedDay)
  if (quotaReservedAt) await refund(tx, messagesPerMonth, quotaReservedAt.toTemporalInstant())
}

/**
 * Makes the first queued message of each conversation due, if none of the conversation is. Messages that a person sends
 * as tasks are never due. The conversations are locked.
 */
export async function promoteNext(tx: Tx, conversationIds: string[]): Promise<void> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql`
    update messages m set next_attempt_at = ${getNow(tx)}
    where m.tenant_id = ${tenantId} and m.status = 'queued' and m.next_attempt_at is null
      and m.id in (
        select (
          select q.id from messages q where q.tenant_id = ${tenantId} and q.conversation_id = c.id and q.status = 'queued'
          order by q.sequence limit 1)
        from unnest(${conversationIds}::uuid[]) as c (id))
      and not exists (select from message_tasks t where t.tenant_id = ${tenantId} and t.message_id = m.id)
    returning m.id`.execute(tx)
  if (rows.length > 0) notifyDue(tx)
}

/** Notifies the senders after the commit that the tenant has due messages. */
export function notifyDue(tx: Tx): void {
  notifyAfterCommit(tx, `${messagesDueTopic} ${getTenantId(tx)}`)
}
