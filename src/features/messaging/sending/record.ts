/** Records the results of sent messages. */
import { getNow, toEnvironmentTime } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { Sent } from '../../../kit/outbox/outbox.ts'
import { nextAttemptAt } from '../../../kit/outbox/retry-schedule.ts'
import { shareLeads } from '../../../kit/writer.ts'
import type { ChatFailure, SendResult } from '../../../plugins/chat.ts'
import {
  isLimit,
  lockAccount,
  recordOutage,
  recordSendFailure,
  recordSendSuccess,
  stopsAccount,
} from '../../accounts/service.ts'
import { lockConversations } from '../conversations/queries.ts'
import type { WaitReason } from '../message-types.ts'
import { releaseDays } from '../messages/budget-days.ts'
import { changeStatuses, type StatusChange } from '../messages/change-status.ts'
import type { Report } from '../messages/message-progress.ts'
import { lockOutgoing, type OutgoingRow } from '../messages/outgoing-rows.ts'
import { recordRefusal } from '../messages/refusal.ts'
import { toLastFailure, toMessageFailure, toUnknown } from '../messages/to-failure.ts'
import { toStoredProviderId } from '../provider-ids.ts'
import type { ClaimedMessage, SendAttempt, SendTarget } from './claimed-message.ts'
import { findDecisionTime, reportLost } from './decide-due.ts'
import { findNextDueAt } from './due-messages.ts'
import { storeSending } from './store-sending.ts'
import { rateExceeded, resultAwaited } from './wait-reasons.ts'

type SentMessage = Sent<SendTarget, ClaimedMessage, SendAttempt>

/** The waits before the second attempt, the third, and so on, in ms: 5 s, 30 s, 2 min, 10 min, 1 h. */
const retrySchedule = [5, 30, 120, 600, 3600].map(seconds => seconds * 1000)
/** The waits if the provider can't be reached: an outage of five hours fails nothing. */
const outageSchedule = [...retrySchedule, ...new Array<number>(4).fill(3_600_000)]
/** A message that stops its account so often fails: otherwise it would stop it for ever. */
const stopsMax = 3
/** A mail server needs a moment to keep a copy of what it has sent. */
const reconcileAfterMs = 60_000

/** See `Outbox.record`. Idempotent: a message that another claim or a callback has decided is left alone. */
export async function recordMessages(
  tx: Tx,
  accountId: string,
  sent: SentMessage[],
): Promise<{ continues: boolean; nextAt: Date | null }> {
  await shareLeads(tx)
  const rows = await lockOutgoing(tx, sql`m.id = any(${sent.map(({ item }) => item.id)}::uuid[])`)
  const byId = new Map(rows.map(row => [row.id, row]))
  const decisions = sent.flatMap(one => {
    const row = byId.get(one.item.id)
    return row ? decide(tx, row, one) : []
  })
  const summary = summarize(sent)
  // Before the events: see insert-message.ts.
  if (summary.failure) await lockAccount(tx, accountId)
  else if (summary.isSuccess) await recordSendSuccess(tx, accountId)
  else if (summary.isOutage) await recordOutage(tx, accountId)
  for (const { message, refusal } of decisions) if (refusal) await recordRefusal(tx, message, refusal)
  await storeRetries(
    tx,
    decisions.flatMap(decision => (decision.type === 'retry' ? decision : [])),
  )
  await changeStatuses(
    tx,
    decisions.flatMap(decision => (decision.type === 'change' ? decision : [])),
  )
  if (summary.failure)
    await recordSendFailure(tx, accountId, summary.failure, {
      usedCredentials: summary.credentials,
      isRepeated: (byId.get(summary.failed!.id)?.attempts ?? 0) > 0,
      isAnswer: summary.failed!.isAnswer,
    })
  return {
    continues: !summary.failure && (summary.isSuccess || !summary.isOutage),
    nextAt: await findNextDueAt(tx, accountId),
  }
}

/** What the results say about the account. `failure`: the last one of the account, its message, and what it was called with. */
function summarize(sent: SentMessage[]) {
  const results = sent.flatMap(({ attempt: { outcome }, item, target }) =>
    outcome.kind === 'result' && item.task === 'send' ? [{ item, result: outcome.result, target }] : [],
  )
  const failed = results.findLast(({ result }) => findFailure(result)?.scope === 'account')
  return {
    failure: failed && findFailure(failed.result),
    failed: failed?.item,
    credentials: failed?.target.opened.account.credentials,
    isSuccess: results.some(({ result }) => result.status === 'sent'),
    isOutage: results.some(({ result }) => result.status === 'unknown'),
  }
}

const findFailure = (result: SendResult): ChatFailure | undefined =>
  result.status === 'failed' ? result.failure : undefined

interface Retry {
  message: OutgoingRow
  nextAt: Date
  waitReason: WaitReason
  /** It stays claimed: it may have been sent. */
  keepsClaim?: boolean
  /** It was not sent, and its budget is given back: `attempt` counts as one, `limit` does not. */
  refused?: 'attempt' | 'limit'
  /** By its campaign, until then. */
  deferredUntil?: Date
}

/** `refusal`: by the provider. */
type Decision = { refusal?: ChatFailure } & (
  | ({ type: 'change' } & StatusChange)
  | ({ type: 'retry' } & Retry)
)

/** What becomes of a message after its attempt. Nothing, if another claim has it by now. */
function decide(tx: Tx, message: OutgoingRow, { item, attempt, target }: SentMessage): Decision[] {
  const { outcome } = attempt
  const at = toEnvironmentTime(tx, attempt.at)
  const change = (report: Report): Decision[] => [{ type: 'change', message, report }]
  const wait = (nextAt: Date | null): Decision[] =>
    nextAt
      ? [{ type: 'retry', message, nextAt, waitReason: resultAwaited, keepsClaim: true }]
      : change(reportLost(tx))
  const result = outcome.kind === 'result' ? outcome.result : null
  if (result?.status === 'sent') {
    const providerMessageId = toStoredProviderId(result.providerMessageId) || null
    return change({ status: result.isDelivered ? 'delivered' : 'sent', at, providerMessageId })
  }
  const isSending = item.task === 'send'
  if (message.claimToken !== item.claimToken) return []
  if (outcome.kind === 'not_sent' && !(message.failure && isSending))
    return [
      {
        type: 'retry',
        message,
        nextAt: addMs(tx, outcome.retryAfterMs),
        waitReason: isSending ? rateExceeded : resultAwaited,
        keepsClaim: !isSending,
      },
    ]
  if (outcome.kind === 'deferred' && !message.failure) {
    const { until, waitReason } = outcome
    // Another day's budget may count it.
    return [{ type: 'retry', message, nextAt: until, waitReason, deferredUntil: until, refused: 'limit' }]
  }
  if (outcome.kind === 'undecided') return wait(findDecisionTime(tx, message))
  if (result?.status === 'unknown') {
    if (isSending && target.opened.provider.reconcile)
      return wait(findDecisionTime(tx, message, reconcileAfterMs))
    return change({ status: 'unknown', at, providerMessageId: null, failure: toUnknown(result.reason) })
  }
  const withdrawal = outcome.kind === 'cancelled' ? outcome.failure : null
  return decideFailed(tx, { ...message, failure: message.failure ?? withdrawal }, result?.failure)
}

/** `refusal`: by the provider; without one it must not be sent any more. */
function decideFailed(tx: Tx, message: OutgoingRow, refusal: ChatFailure | undefined): Decision[] {
  const nextAt = refusal && !message.failure ? findNextAttempt(tx, message, refusal) : null
  if (refusal && nextAt) {
    const { code, message: words } = toMessageFailure(refusal)
    const waitReason = { code, message: refusal.retryable ? `${words} It is tried again later.` : words }
    const refused = isLimit(refusal) ? 'limit' : 'attempt'
    return [{ type: 'retry', message, nextAt, waitReason, refused, refusal }]
  }
  const failure = message.failure ?? toLastFailure(refusal ?? null, message.attempts + 1)
  const report: Report = { status: 'failed', at: getNow(tx), providerMessageId: null, failure }
  return [{ type: 'change', message, report, ...(refusal ? { refusal } : {}) }]
}

/** Null: it is not tried again. */
function findNextAttempt(tx: Tx, { attempts }: OutgoingRow, failure: ChatFailure): Date | null {
  const { retryable, retryAfterMs, scope } = failure
  // It becomes due again when the account sends: `recordSendFailure` stops or pauses it.
  if (stopsAccount(failure)) return attempts + 1 < stopsMax ? getNow(tx) : null
  if (isLimit(failure)) return getNow(tx)
  if (!retryable) return null
  // Perhaps only this message is not taken: others overtake it.
  const schedule = scope === 'account' ? outageSchedule : retrySchedule
  return nextAttemptAt(schedule, { attemptsBefore: attempts, retryAfterMs, now: getNow(tx) })
}

const addMs = (tx: Tx, ms: number): Date => new Date(getNow(tx).getTime() + ms)

async function storeRetries(tx: Tx, retries: Retry[]): Promise<void> {
  await releaseDays(
    tx,
    retries.filter(({ refused }) => refused).map(({ message }) => message),
  )
  await storeSending(
    tx,
    retries.map(({ message, nextAt, waitReason, keepsClaim, refused, ...deferral }) => ({
      ...deferral,
      message,
      nextAttemptAt: nextAt,
      waitReason,
      claimedAt: keepsClaim ? message.claimedAt : null,
      claimToken: null,
      reservedDay: refused ? null : message.reservedDay,
      attempts: message.attempts + (refused === 'attempt' ? 1 : 0),
    })),
  )
}

/** See `Outbox.release`. */
export async function releaseMessages(tx: Tx, items: ClaimedMessage[]): Promise<void> {
  // See insert-message.ts for the order of locks.
  await shareLeads(tx)
  await lockConversations(
    tx,
    items.map(({ orderKey }) => orderKey),
  )
  await sql`
    update messages set next_attempt_at = ${getNow(tx)}, claim_token = null,
      -- A message that is to be reconciled stays claimed since then.
      claimed_at = case when id = any(${items.filter(({ task }) => task === 'reconcile').map(({ id }) => id)}::uuid[]) then claimed_at end
    where tenant_id = ${getTenantId(tx)} and claim_token = any(${items.map(({ claimToken }) => claimToken)}::uuid[])
      and id = any(${items.map(({ id }) => id)}::uuid[]) and status = 'queued'`.execute(tx)
}
