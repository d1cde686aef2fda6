/** Changes of the status of outgoing messages, with everything that follows from them. */
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import { callHook } from '../../../kit/hook.ts'
import { refund } from '../../../kit/quota.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { accountLimitChanged } from '../../accounts/service.ts'
import { recordContacts } from '../../leads/service.ts'
import { messageDelivered, messageFailed, messageRead, messageSent } from '../events.ts'
import { type CampaignMessageEnd, campaignMessagesEnded, messageWasSent } from '../hooks.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import { messagesPerMonth } from '../quotas.ts'
import { releaseDays } from './budget-days.ts'
import { applyReport, isFirstSent, type Progress, type Report, startProgress } from './message-progress.ts'
import type { OutgoingRow } from './outgoing-rows.ts'
import { promoteNext } from './promote-next.ts'
import { showSentReaction } from './reactions.ts'

export interface StatusChange {
  /** As it is before all changes. */
  message: OutgoingRow
  report: Report
}

/** Like `changeStatuses`, for one message. Returns whether its status has changed. */
export const changeStatus = async (tx: Tx, message: OutgoingRow, report: Report): Promise<boolean> =>
  (await changeStatuses(tx, [{ message, report }])).has(report)

/**
 * Applies reports to messages, whose conversations are locked (`lockOutgoing`). Late and repeated reports change nothing,
 * besides the provider's id if it was not known. When a queued message ends, the next one of its conversation becomes due.
 * A failed message gives its quota and budget back. Call it after `shareLeads`, and last, because of the events: other
 * transactions of the tenant that emit wait from then on. Returns the reports that count.
 */
export async function changeStatuses(tx: Tx, changes: StatusChange[]): Promise<Set<Report>> {
  const byId = new Map<string, Progress>()
  const counted = new Set<Report>()
  for (const { message, report } of changes) {
    const progress = byId.get(message.id) ?? startProgress(message)
    byId.set(message.id, progress)
    if (applyReport(progress, report)) counted.add(report)
  }
  const all = [...byId.values()]
  const changed = all.filter(({ before, status }) => status !== before.status)
  await storeProgress(
    tx,
    all.filter(each => changed.includes(each) || each.providerMessageId !== each.before.providerMessageId),
  )
  if (changed.length > 0) await followChanges(tx, changed)
  return counted
}

async function storeProgress(tx: Tx, all: Progress[]): Promise<void> {
  if (all.length === 0) return
  const tenantId = getTenantId(tx)
  const knownIds = new Set<string>()
  const rows = all.map(({ before: { id, accountId }, providerMessageId, ...progress }) => {
    const key = `${accountId} ${providerMessageId}`
    const isRepeated = knownIds.has(key)
    knownIds.add(key)
    return {
      id,
      status: progress.status,
      failure: progress.failure,
      provider_id: isRepeated ? null : providerMessageId,
      sent_at: progress.sentAt,
      delivered_at: progress.deliveredAt,
      read_at: progress.readAt,
      failed_at: progress.failedAt,
    }
  })
  await sql`
    update messages m set status = r.status, failure = r.failure,
      -- A provider that gives two messages one id is not believed.
      provider_message_id = coalesce(m.provider_message_id, case when (
        -- With its limit it reads an index: PostgreSQL would read all messages for an exists.
        select true from messages o
        where o.tenant_id = ${tenantId} and o.account_id = m.account_id and o.provider_message_id = r.provider_id limit 1) is null
        then r.provider_id end),
      next_attempt_at = null, claimed_at = null, claim_token = null,
      sent_at = coalesce(m.sent_at, r.sent_at), delivered_at = coalesce(m.delivered_at, r.delivered_at),
      read_at = coalesce(m.read_at, r.read_at), failed_at = coalesce(m.failed_at, r.failed_at),
      reserved_day = case when r.status <> 'failed' then m.reserved_day end,
      quota_reserved_at = case when r.status <> 'failed' then m.quota_reserved_at end
    from jsonb_to_recordset(${sanitizeJson(rows)}::jsonb) as r (id uuid, status text, failure jsonb, provider_id text,
      sent_at timestamptz, delivered_at timestamptz, read_at timestamptz, failed_at timestamptz)
    where m.tenant_id = ${tenantId} and m.id = any(${rows.map(({ id }) => id)}::uuid[]) and m.id = r.id`.execute(
    tx,
  )
}

async function followChanges(tx: Tx, changed: Progress[]): Promise<void> {
  await reportToCampaigns(tx, changed)
  const failed = changed.filter(({ status }) => status === 'failed').map(({ before }) => before)
  await refundMessages(tx, failed)
  await endOpenTasks(
    tx,
    failed.filter(({ status }) => status === 'queued'),
  )
  const sent = changed.filter(isFirstSent)
  for (const { before, sentAt } of sent)
    if (before.kind === 'reaction') await showSentReaction(tx, before.id, sentAt!)
  for (const { before, providerMessageId } of sent)
    await callHook(tx, messageWasSent, {
      messageId: before.id,
      conversationId: before.conversationId,
      accountId: before.accountId,
      providerMessageId,
    })
  const ended = changed.filter(({ before }) => before.status === 'queued')
  await promoteNext(tx, [...new Set(ended.map(({ before }) => before.conversationId))])
  await recordInboxChanges(
    tx,
    changed.map(({ before }) => ({ conversationId: before.conversationId, messageId: before.id })),
  )
  // Last, because other transactions of the tenant wait for these rows.
  await recordContacts(
    tx,
    sent.flatMap(({ before: { leadId, hasNotice }, sentAt }) =>
      leadId ? [{ leadId, at: sentAt!, hasNotice }] : [],
    ),
  )
  await emitReports(tx, changed, sent)
}

/** Before what other transactions of the tenant wait for: the campaigns take locks of their own. */
async function reportToCampaigns(tx: Tx, changed: Progress[]): Promise<void> {
  const ends = changed.flatMap(({ before, status, sentAt, failedAt, failure }): CampaignMessageEnd[] => {
    const { id: messageId, campaignId, sendAt } = before
    const isEnd = before.sentAt === null || status === 'failed'
    if (campaignId === null || sendAt === null || !isEnd || status === 'queued') return []
    const previous = before.status === 'queued' || before.status === 'unknown' ? before.status : 'sent'
    const end = status === 'failed' || status === 'unknown' ? status : 'sent'
    return [{ messageId, campaignId, status: end, previous, at: failedAt ?? sentAt ?? getNow(tx), failure }]
  })
  if (ends.length > 0) await callHook(tx, campaignMessagesEnded, ends)
}

/** Nobody sends the messages by hand any more. A task that is being ended has its own status already. */
async function endOpenTasks(tx: Tx, messages: OutgoingRow[]): Promise<void> {
  if (messages.length === 0) return
  await sql`
    update message_tasks set status = 'skipped', ended_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and message_id = any(${messages.map(({ id }) => id)}::uuid[])
      and status in ('open', 'opened')`.execute(tx)
}

/** Emits the events of the new statuses. A message that was not known to be sent emits `message.sent` first. */
async function emitReports(tx: Tx, changed: Progress[], sent: Progress[]): Promise<void> {
  const withStatus = (status: Progress['status']) => changed.filter(each => each.reported.includes(status))
  // What a campaign withdraws, nobody has heard of.
  const failed = withStatus('failed').filter(({ before, failure }) => !before.sendAt || !failure?.isWithdrawn)
  await emitMany(tx, messageSent, sent.map(toEventData))
  await emitMany(tx, messageDelivered, withStatus('delivered').map(toEventData))
  await emitMany(tx, messageRead, withStatus('read').map(toEventData))
  await emitMany(tx, messageFailed, failed.map(toEventData))
}

const toEventData = ({
  before: { id, conversationId, accountId, leadId, campaignId, campaignStep },
}: Progress) => ({
  messageId: id,
  conversationId,
  accountId,
  leadId,
  campaignId,
  campaignStep,
})

/** Gives back what messages reserved: they were not sent. Others that wait for the budget may be sent instead. */
async function refundMessages(tx: Tx, messages: OutgoingRow[]): Promise<void> {
  const accountIds = await releaseDays(tx, messages)
  for (const accountId of accountIds) await callHook(tx, accountLimitChanged, { accountId })
  await refund(
    tx,
    messagesPerMonth,
    messages.flatMap(({ quotaReservedAt }) => quotaReservedAt?.toTemporalInstant() ?? []),
  )
}
