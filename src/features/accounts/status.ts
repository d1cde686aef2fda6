/** Changes of an account's status: by its health, by failed messages, and by people. */
import { getNow } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { callHook } from '../../kit/hook.ts'
import type { AccountHealth, AccountStatus, ChatFailure, InboundEvent } from '../../plugins/chat.ts'
import { notifyAccountChanged } from './account-topic.ts'
import { readLocalDay } from './budgets.ts'
import { accountStatusChanged } from './events.ts'
import { enqueueCheck } from './health/enqueue-check.ts'
import { accountLimitChanged } from './hooks.ts'
import { type AccountChanges, type AccountRow, clearFailing, lockAccount, updateAccount } from './queries.ts'

/** The statuses in which an account sends. */
export const sendingStatuses: readonly AccountStatus[] = ['CONNECTED', 'DEGRADED']

/** Returns whether the provider lets the account send. `isAnswer`: to a person who has written lately. */
export const isAllowed = (
  { status, canAnswer }: Pick<AccountRow, 'status' | 'canAnswer'>,
  isAnswer: boolean,
): boolean => sendingStatuses.includes(status) || (isAnswer && status === 'RESTRICTED' && canAnswer)

/** Returns whether the account may send now. */
export const isSending = (
  account: Pick<AccountRow, 'status' | 'canAnswer' | 'isPaused' | 'pausedUntil'>,
  { now, isAnswer }: { now: Date; isAnswer: boolean },
): boolean =>
  isAllowed(account, isAnswer) && !account.isPaused && !(account.pausedUntil && account.pausedUntil > now)

/** Stores changes of a locked account, and emits the event if its status changes. */
export async function changeAccountStatus(
  tx: Tx,
  account: AccountRow,
  status: AccountStatus,
  reason: string | null,
  changes: AccountChanges = {},
): Promise<void> {
  const isChanged = status !== account.status
  const { can_answer: canAnswer = !isChanged && account.canAnswer } = changes
  await updateAccount(tx, account.id, {
    ...changes,
    status,
    status_reason: reason?.slice(0, reasonLengthMax) ?? null,
    can_answer: canAnswer,
    ...(isChanged ? { status_changed_at: getNow(tx) } : {}),
  })
  // What waits for the end of a restriction is sent.
  if (!sendingStatuses.includes(account.status) && sendingStatuses.includes(status))
    await callHook(tx, accountLimitChanged, { accountId: account.id })
  if (canAnswer !== account.canAnswer) notifyAccountChanged(tx, account.id)
  if (isChanged) {
    notifyAccountChanged(tx, account.id)
    await emit(tx, accountStatusChanged, { accountId: account.id, status, previousStatus: account.status })
  }
}

/** Longer reasons are cut. */
const reasonLengthMax = 1000

/**
 * Stores what the provider reports about an account. Omitted facts keep their value. A disconnected account stays so.
 * `check`: set if a check of the program found them. Nothing is recorded if the account has other credentials since. An answer ends the
 * pause of a provider that did not answer, and a higher limit that of a used up one.
 */
export async function recordHealth(
  tx: Tx,
  accountId: string,
  health: Partial<AccountHealth>,
  check?: { at: Date | null; credentials: AccountRow['credentials'] },
): Promise<void> {
  const account = await lockAccount(tx, accountId)
  if (!account || account.status === 'DISCONNECTED' || hasOthers(account, check?.credentials)) return
  const { quality, tier, dailyLimit = account.providerDailyLimit } = health
  const found = check ? addRestriction(account, health, getNow(tx)) : health
  const { status = account.status, reason = account.statusReason, canAnswer = false } = found
  await changeAccountStatus(tx, account, status, reason, {
    ...(found.status === undefined ? {} : { can_answer: canAnswer }),
    ...(quality === undefined ? {} : { quality }),
    ...(tier === undefined ? {} : { tier }),
    provider_daily_limit: dailyLimit,
    ...(check?.at ? { checked_at: check.at } : {}),
    ...((check?.at && account.outageCount > 0) || (await endsLimitPause(tx, account, dailyLimit))
      ? { paused_until: null }
      : {}),
  })
  if (dailyLimit === account.providerDailyLimit) return
  notifyAccountChanged(tx, accountId)
  await callHook(tx, accountLimitChanged, { accountId })
}

/** What a check found, with the restriction that the provider has reported: checks may not know it. */
function addRestriction(
  { canAnswer, restrictedUntil, restrictionReason: reason }: AccountRow,
  found: Partial<AccountHealth>,
  now: Date,
): Partial<AccountHealth> {
  const { status } = found
  const mayAnswer = status && isAllowed({ status, canAnswer: found.canAnswer || canAnswer }, true)
  if (!mayAnswer || !restrictedUntil || restrictedUntil <= now) return found
  return { ...found, status: 'RESTRICTED', reason, canAnswer: true }
}

/** Returns whether the provider's limit rises during the pause for a used up one, which ends with the day. */
async function endsLimitPause(
  tx: Tx,
  { pausedUntil, providerDailyLimit }: AccountRow,
  dailyLimit: number | null,
): Promise<boolean> {
  const isHigher =
    providerDailyLimit !== null && (dailyLimit ?? Number.POSITIVE_INFINITY) > providerDailyLimit
  return isHigher && pausedUntil?.getTime() === (await readLocalDay(tx)).endsAt.getTime()
}

/** What the provider reports about an account by itself. */
export type AccountReport = Pick<InboundEvent & { type: 'account_status' }, 'at' | 'health'>

/** From the best one to the worst one. */
const rankedStatuses: readonly AccountStatus[] = [
  'CONNECTED',
  'DEGRADED',
  'RESTRICTED',
  'LOGGED_OUT',
  'BANNED',
]

/**
 * Records a report at once if it says nothing better than what is known. Otherwise, and if something newer is known, the
 * account is checked: the end of one trouble does not end the others. `canAnswer` states or ends a restriction that checks don't know.
 */
export async function recordReport(tx: Tx, accountId: string, { at, health }: AccountReport): Promise<void> {
  const account = await lockAccount(tx, accountId)
  if (!account || account.status === 'DISCONNECTED') return
  const { status = account.status, canAnswer } = health
  if (canAnswer !== undefined)
    await updateAccount(tx, accountId, {
      restricted_until: canAnswer ? toRestrictionEnd(health, at) : null,
      restriction_reason: canAnswer ? (health.reason ?? null) : null,
    })
  const isBetter = rankedStatuses.indexOf(status) < rankedStatuses.indexOf(account.status)
  if (isBetter || isOutdated(account, new Date(at.epochMilliseconds))) await enqueueCheck(tx, accountId)
  else await recordHealth(tx, accountId, health)
}

/** A restriction whose end the provider does not state counts for so long. */
const restrictionHours = 7 * 24

const toRestrictionEnd = ({ restrictedUntil }: Partial<AccountHealth>, at: Temporal.Instant): Date =>
  new Date(restrictedUntil ?? at.add({ hours: restrictionHours }).epochMilliseconds)

/** Returns whether something newer is known about the account. Providers round down to seconds. */
const isOutdated = ({ statusChangedAt, checkedAt }: AccountRow, at: Date): boolean => {
  const end = at.getTime() + 1000
  return end <= statusChangedAt.getTime() || (checkedAt !== null && end <= checkedAt.getTime())
}

/** What a failure says about the account as a whole. */
const statusByFailure: Partial<Record<ChatFailure['code'], AccountStatus>> = {
  INVALID_CREDENTIALS: 'LOGGED_OUT',
  PERMISSION_MISSING: 'RESTRICTED',
  FORBIDDEN_HOST: 'RESTRICTED',
  PAYMENT_REQUIRED: 'RESTRICTED',
  ACCOUNT_RESTRICTED: 'RESTRICTED',
  ACCOUNT_BANNED: 'BANNED',
}

/** Returns the status of an account whose call failed; null: the failure does not say. */
export const toStatus = ({ code }: ChatFailure): AccountStatus | null => statusByFailure[code] ?? null

/** Returns whether an account does not send any more after this failure: its messages wait until it does. */
export const stopsAccount = (failure: ChatFailure): boolean =>
  failure.scope === 'account' && toStatus(failure) !== null

/** The pause if the provider refuses the rate and requests no wait. */
const ratePauseMs = 30_000
/** The pauses of a provider that does not answer: 1 s, 2 s, 4 s, … 15 min. */
const firstOutagePauseMs = 1000
const outagePauseMaxMs = 15 * 60_000

/**
 * Records that a message failed. A failure of the account as a whole changes its status; a refused rate pauses it; a used
 * up limit pauses it until the provider's time, else until the next day of the workspace; anything else counts as an
 * outage. `usedCredentials`: nothing is recorded if the account has others since. `at`: when it failed, if the provider
 * reports it later: what was learnt since counts more, and it is no outage. `isRepeated`: the same message has failed before.
 * `isAnswer`: the message answers a person, so that other answers would fail as well.
 */
export async function recordSendFailure(
  tx: Tx,
  accountId: string,
  failure: ChatFailure,
  {
    usedCredentials,
    at,
    isRepeated = false,
    isAnswer = false,
  }: {
    usedCredentials?: AccountRow['credentials'] | undefined
    at?: Date | undefined
    isRepeated?: boolean
    isAnswer?: boolean
  } = {},
): Promise<void> {
  if (failure.scope !== 'account') return
  const account = await lockAccount(tx, accountId)
  if (!account || account.status === 'DISCONNECTED' || hasOthers(account, usedCredentials)) return
  if (at && isOutdated(account, at)) return
  const status = toStatus(failure)
  const limitedUntil = await findLimitEnd(tx, failure)
  if (!status && !limitedUntil) {
    if (!at) await pauseForOutage(tx, account, { retryAfterMs: failure.retryAfterMs, isRepeated })
    return
  }
  await changeAccountStatus(
    tx,
    account,
    status ?? account.status,
    status ? failure.message : account.statusReason,
    {
      is_failing: true,
      ...(status && isAnswer ? { can_answer: false } : {}),
      // The provider has answered.
      outage_count: 0,
      ...(limitedUntil && !(account.pausedUntil && account.pausedUntil > limitedUntil)
        ? { paused_until: limitedUntil }
        : {}),
    },
  )
}

const hasOthers = ({ credentials }: AccountRow, used: AccountRow['credentials'] | undefined): boolean =>
  used !== undefined &&
  (credentials === null || used === null ? credentials !== used : !credentials.equals(used))

/** Returns whether the account has to wait, because of its rate or of a used up limit. */
export const isLimit = ({ code, scope }: ChatFailure): boolean =>
  scope === 'account' && (code === 'RATE_LIMITED' || code === 'ACCOUNT_LIMIT')

/** Null: the failure is not about a limit. */
async function findLimitEnd(tx: Tx, failure: ChatFailure): Promise<Date | null> {
  const { code, retryAfterMs } = failure
  if (!isLimit(failure)) return null
  if (retryAfterMs > 0) return addMs(tx, retryAfterMs)
  return code === 'RATE_LIMITED' ? addMs(tx, ratePauseMs) : (await readLocalDay(tx)).endsAt
}

const addMs = (tx: Tx, ms: number): Date => new Date(getNow(tx).getTime() + ms)

/** Records that a result is unknown because the provider did not answer. */
export async function recordOutage(tx: Tx, accountId: string): Promise<void> {
  const account = await lockAccount(tx, accountId)
  if (account && account.status !== 'DISCONNECTED') await pauseForOutage(tx, account)
}

/**
 * Each pause in a row is longer, unless the same message fails again: perhaps the provider can't take that one only. Calls
 * that ended during a pause had begun before it: they don't count.
 */
async function pauseForOutage(
  tx: Tx,
  { id, pausedUntil, outageCount }: AccountRow,
  { retryAfterMs = 0, isRepeated = false } = {},
): Promise<void> {
  if (pausedUntil && pausedUntil > getNow(tx)) return
  const count = isRepeated ? Math.max(1, outageCount) : outageCount + 1
  const pauseMs = Math.max(
    retryAfterMs,
    Math.min(outagePauseMaxMs, firstOutagePauseMs * 2 ** Math.min(count - 1, 20)),
  )
  await updateAccount(tx, id, {
    is_failing: true,
    outage_count: count,
    paused_until: addMs(tx, pauseMs),
  })
}

/** Records that the account has sent a message. */
export const recordSendSuccess = (tx: Tx, accountId: string): Promise<void> => clearFailing(tx, accountId)
