/** Records the results of sent messages. */
import { getNow, toEnvironmentTime } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { Sent } from '../../../kit/outbox/outbox.ts'
import { nextAttemptAt } from '../../../kit/outbox/retry-schedule.ts'
import type { ChatFailure } from '../../../plugins/chat.ts'
import {
  recordOutage,
  recordSendFailure,
  recordSendSuccess,
  releaseBudget,
  stopsAccount,
} from '../../accounts/service.ts'
import { lockConversations } from '../conversations/queries.ts'
import { changeStatus } from '../messages/change-status.ts'
import { findOutgoing, type OutgoingRow } from '../messages/outgoing-rows.ts'
import { recordTemplateRefusal } from '../messages/template-refusal.ts'
import { toMessageFailure, toUnknown } from '../messages/to-failure.ts'
import { deferDecision } from './claim.ts'
import type { ClaimedMessage, SendAttempt, SendTarget } from './claimed-message.ts'
import { findNextDueAt } from './due-messages.ts'

type SentMessage = Sent<SendTarget, ClaimedMessage, SendAttempt>

/** The waits before the second attempt, the third, and so on, in ms: 5 s, 30 s, 2 min, 10 min, 1 h. */
const retrySchedule = [5, 30, 120, 600, 3600].map(seconds => seconds * 1000)
/** A mail server needs a moment to keep a copy of what it has sent. */
const reconcileAfterMs = 60_000

/** See `Outbox.record`. Idempotent: a message that another claim or a callback has decided is left alone. */
export async function recordMessages(
  tx: Tx,
  accountId: string,
  sent: SentMessage[],
): Promise<{ continues: boolean; nextAt: Date | null }> {
  await lockConversations(tx, [...new Set(sent.map(({ item }) => item.orderKey))])
  const rows = await findOutgoing(
    tx,
    sent.map(({ item }) => item.id),
  )
  const byId = new Map(rows.map(row => [row.id, row]))
  for (const one of sent) {
    const row = byId.get(one.item.id)
    if (row) await recordMessage(tx, row, one)
  }
  return { continues: await recordAccount(tx, accountId, sent), nextAt: await findNextDueAt(tx, accountId) }
}

/** Records what the results say about the account. Returns whether it continues to send. */
async function recordAccount(tx: Tx, accountId: string, sent: SentMessage[]): Promise<boolean> {
  const results = sent.flatMap(({ attempt: { outcome }, item, target }) =>
    outcome.kind === 'result' && item.task === 'send' ? [{ result: outcome.result, target }] : [],
  )
  for (const { result, target } of results.toReversed())
    if (result.status === 'failed' && result.failure.scope === 'account') {
      await recordSendFailure(tx, accountId, result.failure, target.opened.account.credentials)
      return false
    }
  if (results.some(({ result }) => result.status === 'sent')) await recordSendSuccess(tx, accountId)
  else if (results.some(({ result }) => result.status === 'unknown')) {
    await recordOutage(tx, accountId)
    return false
  }
  return true
}

async function recordMessage(
  tx: Tx,
  row: OutgoingRow,
  { item, attempt, target }: SentMessage,
): Promise<void> {
  const { outcome } = attempt
  const at = toEnvironmentTime(tx, attempt.at)
  const isOwn = row.claimToken === item.claimToken
  if (outcome.kind === 'result' && outcome.result.status === 'sent') {
    const { providerMessageId, isDelivered } = outcome.result
    await changeStatus(tx, row, { status: isDelivered ? 'delivered' : 'sent', at, providerMessageId })
  } else if (!isOwn) return
  else if (outcome.kind === 'not_sent' && !(row.failure && item.task === 'send'))
    await releaseClaim(tx, item, addMs(tx, outcome.retryAfterMs))
  else if (outcome.kind === 'undecided') await deferDecision(tx, row)
  else if (outcome.kind !== 'result') await failRow(tx, row, row.failure ?? toMessageFailure(null))
  else if (outcome.result.status === 'failed') await recordFailure(tx, row, outcome.result.failure)
  else if (outcome.result.status === 'unknown') {
    if (item.task === 'send' && target.opened.provider.reconcile)
      return deferDecision(tx, row, reconcileAfterMs)
    const failure = toUnknown(outcome.result.reason)
    await changeStatus(tx, row, { status: 'unknown', at, providerMessageId: null, failure })
  }
}

async function recordFailure(tx: Tx, row: OutgoingRow, failure: ChatFailure): Promise<void> {
  await recordTemplateRefusal(tx, row, failure)
  const next = row.failure ? null : findNextAttempt(tx, row, failure)
  if (!next) {
    await failRow(tx, row, row.failure ?? toMessageFailure(failure))
    return
  }
  if (row.reservedDay) await releaseBudget(tx, row.accountId, row.reservedDay)
  await sql`
    update messages set next_attempt_at = ${next}, claimed_at = null, claim_token = null, reserved_day = null,
      attempts = attempts + ${failure.scope === 'account' ? 0 : 1}
    where tenant_id = ${getTenantId(tx)} and id = ${row.id}`.execute(tx)
}

/** Null: it is not tried again. */
function findNextAttempt(tx: Tx, { attempts }: OutgoingRow, failure: ChatFailure): Date | null {
  const { retryable, retryAfterMs } = failure
  // It becomes due again when the account sends: `recordSendFailure` stops or pauses it.
  if (stopsAccount(failure) || (retryable && failure.scope === 'account')) return getNow(tx)
  if (!retryable) return null
  return nextAttemptAt(retrySchedule, { attemptsBefore: attempts, retryAfterMs, now: getNow(tx) })
}

const failRow = (tx: Tx, row: OutgoingRow, failure: NonNullable<OutgoingRow['failure']>) =>
  changeStatus(tx, row, { status: 'failed', at: getNow(tx), providerMessageId: null, failure })

const addMs = (tx: Tx, ms: number): Date => new Date(getNow(tx).getTime() + ms)

/** A message that is to be reconciled stays claimed: it may have been sent. */
async function releaseClaim(tx: Tx, { id, task }: ClaimedMessage, nextAt: Date): Promise<void> {
  await sql`
    update messages set next_attempt_at = ${nextAt}, claim_token = null,
      claimed_at = case when ${task === 'reconcile'} then claimed_at end
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
}

/** See `Outbox.release`. */
export async function releaseMessages(tx: Tx, items: ClaimedMessage[]): Promise<void> {
  await sql`
    update messages set next_attempt_at = ${getNow(tx)}, claim_token = null,
      -- A message that is to be reconciled stays claimed since then.
      claimed_at = case when id = any(${items.filter(({ task }) => task === 'reconcile').map(({ id }) => id)}::uuid[]) then claimed_at end
    where tenant_id = ${getTenantId(tx)} and claim_token = any(${items.map(({ claimToken }) => claimToken)}::uuid[])
      and id = any(${items.map(({ id }) => id)}::uuid[]) and status = 'queued'`.execute(tx)
}
