/** Sends one claimed message: waits for the rate of the account, checks once more, and hands it to the provider. */
import type { Blobs } from '../../../kit/blobs/blobs.ts'
import { machineNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { type Database, sql } from '../../../kit/db/index.ts'
import { createThrottle, type Throttle } from '../../../kit/throttle/throttle.ts'
import type { OutgoingMessage, SendResult } from '../../../plugins/chat.ts'
import type { ChatAccounts } from '../../accounts/service.ts'
import { toOutgoingMedia } from '../media/files.ts'
import type { ClaimedMessage, Outcome, SendAttempt, SendTarget } from './claimed-message.ts'

/** The longest call of a provider, such as the upload of a film. Shorter than the lease of a claim. */
export const sendTimeoutMs = 60_000
/** The calls of one account at the same time. */
const concurrency = 8
/** The wait after an attempt that was not made. */
const postponeMs = 5000

export interface SendDependencies {
  accounts: Pick<ChatAccounts, 'createContext'>
  blobs: Pick<Blobs, 'read'>
}

/** Never throws: what is not known to be sent or not is `unknown`. */
export async function sendMessage(
  { accounts, blobs }: SendDependencies,
  database: Database,
  { target, item, signal }: { target: SendTarget; item: ClaimedMessage; signal: AbortSignal },
): Promise<SendAttempt> {
  const throttle = openThrottle(database, target, signal)
  // Set when the provider is called: before, the message is certainly not sent.
  let isCalled = false
  const work = async (): Promise<Outcome> => {
    const state = await checkClaim(database, target.tenantId, item)
    if (state !== 'valid') return state === 'cancelled' ? { kind: 'cancelled' } : notSent(postponeMs)
    if (performance.now() + sendTimeoutMs > item.claimEndsMs || signal.aborted) return notSent(0)
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(sendTimeoutMs)])
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
    if (!isCalled) return notSent(signal.aborted ? 0 : postponeMs)
    if (item.task === 'reconcile') return { kind: 'undecided' }
    return { kind: 'result', result: { status: 'unknown', reason: error.message } }
  })
  await slowDown(throttle, made)
  return toAttempt(made)
}

const notSent = (retryAfterMs: number): Outcome => ({ kind: 'not_sent', retryAfterMs })

function openThrottle(
  database: Database,
  { opened, messagesPerSecond }: SendTarget,
  signal: AbortSignal,
): Throttle {
  return createThrottle({
    database,
    key: `chat:${opened.account.id}`,
    intervalMs: 1000 / messagesPerSecond,
    concurrency,
    leaseMs: sendTimeoutMs,
    signal,
  })
}

/** A refused rate slows down all processes. */
async function slowDown(throttle: Throttle, outcome: Outcome): Promise<void> {
  const failure = toChatFailure(outcome)
  if (failure?.code === 'RATE_LIMITED') await throttle.slowDown(failure.retryAfterMs).catch(() => {})
}

/** Checks the claim again: its person may have opted out since. */
async function checkClaim(
  database: Database,
  tenantId: string,
  { id, claimToken, task }: ClaimedMessage,
): Promise<'valid' | 'lost' | 'cancelled'> {
  const found = await database.readTenant({ tenantId }, async tx => {
    const { rows } = await sql<{ isCancelled: boolean }>`
      select failure is not null as "isCancelled" from messages
      where tenant_id = ${getTenantId(tx)} and id = ${id} and claim_token = ${claimToken} and status = 'queued'`.execute(
      tx,
    )
    return rows[0]
  })
  if (!found) return 'lost'
  return found.isCancelled && task === 'send' ? 'cancelled' : 'valid'
}

function toMessage(
  { message }: ClaimedMessage,
  { tenantId }: SendTarget,
  blobs: Pick<Blobs, 'read'>,
): OutgoingMessage {
  const { content } = message
  if (content.kind !== 'media') return { ...message, content }
  const media = toOutgoingMedia(blobs, tenantId, content.file)
  return { ...message, content: { kind: 'media', media, caption: content.caption } }
}

export const toChatFailure = (outcome: Outcome) =>
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
