/** Sends one claimed message: waits for the rate of the account, checks once more, and hands it to the provider. */
import type { Blobs } from '../../../kit/blobs/blobs.ts'
import { getNow, machineNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { type Database, sql, type Tx } from '../../../kit/db/index.ts'
import type { SendContext } from '../../../kit/outbox/outbox.ts'
import { createThrottle, type Throttle, type ThrottleOptions } from '../../../kit/throttle/throttle.ts'
import {
  type OutgoingContent,
  type OutgoingMessage,
  type SendResult,
  uploadBytesPerMs,
} from '../../../plugins/chat.ts'
import type { ChatAccounts } from '../../accounts/service.ts'
import { toOutgoingMedia } from '../media/files.ts'
import type { ClaimedMessage, Outcome, SendAttempt, SendTarget } from './claimed-message.ts'
import { type ClaimState, readClaim, readClaims } from './read-claims.ts'

/** The longest call of a provider. A file adds the time of a slow upload. */
const sendTimeoutMs = 60_000
/** A renewed claim ends this long after the longest call. */
const claimMarginMs = 60_000
/** The calls of one account at the same time. */
const concurrency = 8
/** Longer than it takes to record that the account is paused, on the clock of its environment. */
const slowDownMaxMs = 1000
/** The wait after an attempt that was not made. */
const postponeMs = 5000

export interface SendDependencies {
  accounts: Pick<ChatAccounts, 'createContext'>
  blobs: Pick<Blobs, 'read'>
}

/** Never throws: what is not known to be sent or not is `unknown`. */
export async function sendMessage(
  { accounts, blobs }: SendDependencies,
  { database, stopping, forceStop }: SendContext,
  { target, item }: { target: SendTarget; item: ClaimedMessage },
): Promise<SendAttempt> {
  const limitMs = toTimeLimitMs(item)
  const throttle = openThrottle(database, target, { leaseMs: limitMs, signal: stopping })
  // Set when the provider is called: before, the message is certainly not sent.
  let isCalled = false
  const work = async (): Promise<Outcome> => {
    const state = await checkClaim(database, target.tenantId, { item, limitMs })
    if (state.kind === 'cancelled' || state.kind === 'deferred') return state
    if (state.kind !== 'valid') return notSent(state.kind === 'held' ? 0 : postponeMs)
    if (stopping.aborted) return notSent(0)
    const deadline = AbortSignal.any([forceStop, AbortSignal.timeout(limitMs)])
    const context = accounts.createContext(target.opened, deadline)
    const { provider, connection } = target.opened
    isCalled = true
    if (item.task === 'reconcile') {
      const result = await provider.reconcile!(connection, item.message, context)
      return result ? { kind: 'result', result } : { kind: 'undecided' }
    }
    const result = await provider.send(connection, toMessage(item, target, blobs), context)
    return { kind: 'result', result }
  }
  let outcome: Outcome | undefined
  const run = throttle.runThrottled(async () => {
    outcome = await work()
    return outcome
  })
  const made = await run.catch((error: Error): Outcome => {
    // The message was sent, only the lease of the throttle could not be released.
    if (outcome) return outcome
    if (!isCalled) return notSent(stopping.aborted ? 0 : postponeMs)
    if (item.task === 'reconcile') return { kind: 'undecided' }
    return { kind: 'result', result: { status: 'unknown', reason: error.message } }
  })
  await slowDown(throttle, made)
  return toAttempt(made)
}

const notSent = (retryAfterMs: number): Outcome => ({ kind: 'not_sent', retryAfterMs })

function toTimeLimitMs({ message: { content } }: ClaimedMessage): number {
  const bytes = 'media' in content ? content.media?.bytes : null
  return sendTimeoutMs + Math.ceil((bytes ?? 0) / uploadBytesPerMs)
}

function openThrottle(
  database: Database,
  { opened, messagesPerSecond }: SendTarget,
  options: Pick<ThrottleOptions, 'leaseMs' | 'signal'>,
): Throttle {
  return createThrottle({
    ...options,
    database,
    key: `chat:${opened.account.id}`,
    intervalMs: 1000 / messagesPerSecond,
    concurrency,
  })
}

/** A refused rate slows down all processes. The account is paused until the provider accepts more: this wait ends when all know it. */
async function slowDown(throttle: Throttle, outcome: Outcome): Promise<void> {
  const failure = toChatFailure(outcome)
  if (failure?.code === 'RATE_LIMITED')
    await throttle.slowDown(Math.min(failure.retryAfterMs, slowDownMaxMs)).catch(() => {})
}

/**
 * Checks the claim again, because it has waited for the rate: its person may have opted out since, and its account may not
 * send any more. A claim that would end during the call is renewed.
 */
async function checkClaim(
  database: Database,
  tenantId: string,
  { item, limitMs }: { item: ClaimedMessage; limitMs: number },
): Promise<ClaimState> {
  if (performance.now() + limitMs < item.claimEndsMs) return readClaim(database, tenantId, item)
  return database.withTenant({ tenantId }, async tx => {
    const [state] = await readClaims(tx, [item])
    if (state!.kind !== 'valid') return state!
    return { kind: (await renewClaim(tx, item, limitMs + claimMarginMs)) ? 'valid' : 'lost' }
  })
}

/** Returns whether the claim still exists. */
async function renewClaim(tx: Tx, { id, claimToken }: ClaimedMessage, leaseMs: number): Promise<boolean> {
  const { rows } = await sql`
    update messages set next_attempt_at = ${new Date(getNow(tx).getTime() + leaseMs)}
    where tenant_id = ${getTenantId(tx)} and id = ${id} and claim_token = ${claimToken} and status = 'queued'
    returning id`.execute(tx)
  return rows.length > 0
}

function toMessage(
  { message }: ClaimedMessage,
  { tenantId }: SendTarget,
  blobs: Pick<Blobs, 'read'>,
): OutgoingMessage {
  const { content } = message
  if (!('media' in content) || !content.media) return { ...message, content: content as OutgoingContent }
  const media = toOutgoingMedia(blobs, tenantId, content.media)
  return { ...message, content: { ...content, media } }
}

const toChatFailure = (outcome: Outcome) =>
  outcome.kind === 'result' && outcome.result.status === 'failed' ? outcome.result.failure : null

/** Only what other messages of the account would suffer too counts as a failure of the destination. */
function toAttempt(outcome: Outcome): SendAttempt {
  const at = new Date(machineNow())
  const failure = toChatFailure(outcome)
  if (failure && (failure.scope === 'account' || failure.retryable))
    return {
      at,
      outcome,
      error: failure.message,
      retryAfterMs: failure.scope === 'account' ? failure.retryAfterMs : 0,
    }
  const isUnknown = outcome.kind === 'result' && (outcome.result as SendResult).status === 'unknown'
  return { at, outcome, error: isUnknown ? 'the result is not known' : null, retryAfterMs: 0 }
}
