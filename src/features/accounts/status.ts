/** Changes of an account's status: by its health, by failed messages, and by people. */
import { getNow } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import type { AccountHealth, AccountStatus, ChatFailure } from '../../plugins/chat.ts'
import { notifyAccountChanged } from './account-topic.ts'
import { readLocalDay } from './budgets.ts'
import { accountStatusChanged } from './events.ts'
import { type AccountChanges, type AccountRow, clearFailing, lockAccount, updateAccount } from './queries.ts'

/** The statuses in which an account sends. */
export const sendingStatuses: readonly AccountStatus[] = ['CONNECTED', 'DEGRADED']

/** Returns whether the account may send now. */
export const isSending = (
  account: Pick<AccountRow, 'status' | 'isPaused' | 'pausedUntil'>,
  now: Date,
): boolean =>
  sendingStatuses.includes(account.status) &&
  !account.isPaused &&
  !(account.pausedUntil && account.pausedUntil > now)

/** Stores changes of a locked account, and emits the event if its status changes. */
export async function changeAccountStatus(
  tx: Tx,
  account: AccountRow,
  status: AccountStatus,
  reason: string | null,
  changes: AccountChanges = {},
): Promise<void> {
  const isChanged = status !== account.status
  await updateAccount(tx, account.id, {
    ...changes,
    status,
    status_reason: reason?.slice(0, reasonLengthMax) ?? null,
    ...(isChanged ? { status_changed_at: getNow(tx) } : {}),
  })
  if (isChanged || changes.paused_until) notifyAccountChanged(tx, account.id)
  if (isChanged)
    await emit(tx, accountStatusChanged, { accountId: account.id, status, previousStatus: account.status })
}

/** Longer reasons are cut. */
const reasonLengthMax = 1000

/**
 * Stores what the provider reports about an account. Omitted facts keep their value. A disconnected account stays so.
 * `checkedAt`: set if the program asked.
 */
export async function recordHealth(
  tx: Tx,
  accountId: string,
  health: Partial<AccountHealth>,
  checkedAt?: Date,
): Promise<void> {
  const account = await lockAccount(tx, accountId)
  if (!account || account.status === 'DISCONNECTED') return
  const { status = account.status, quality, tier, dailyLimit } = health
  const reason = health.reason === undefined ? account.statusReason : health.reason
  await changeAccountStatus(tx, account, status, reason, {
    ...(quality === undefined ? {} : { quality }),
    ...(tier === undefined ? {} : { tier }),
    ...(dailyLimit === undefined ? {} : { provider_daily_limit: dailyLimit }),
    ...(checkedAt ? { checked_at: checkedAt } : {}),
  })
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

/**
 * Records that a message failed. A failure of the account as a whole changes its status; a refused rate pauses it; a used
 * up limit pauses it until the provider's time, else until the next day of the workspace.
 */
export async function recordSendFailure(tx: Tx, accountId: string, failure: ChatFailure): Promise<void> {
  if (failure.scope !== 'account') return
  const account = await lockAccount(tx, accountId)
  if (!account || account.status === 'DISCONNECTED') return
  const status = toStatus(failure)
  const pausedUntil = await findPauseEnd(tx, failure)
  await changeAccountStatus(
    tx,
    account,
    status ?? account.status,
    status ? failure.message : account.statusReason,
    {
      is_failing: true,
      ...(pausedUntil && !(account.pausedUntil && account.pausedUntil > pausedUntil)
        ? { paused_until: pausedUntil }
        : {}),
    },
  )
}

async function findPauseEnd(tx: Tx, { code, retryAfterMs }: ChatFailure): Promise<Date | null> {
  const after = (ms: number) => new Date(getNow(tx).getTime() + ms)
  if (retryAfterMs > 0) return after(retryAfterMs)
  if (code === 'RATE_LIMITED') return after(ratePauseMs)
  return code === 'ACCOUNT_LIMIT' ? (await readLocalDay(tx)).endsAt : null
}

/** Records that the account has sent a message. */
export const recordSendSuccess = (tx: Tx, accountId: string): Promise<void> => clearFailing(tx, accountId)
