/** Changes accounts on request: settings, pauses, new credentials, and the end. */
import { getNow } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { callHook } from '../../kit/hook.ts'
import { notFound, Problem } from '../../kit/problem.ts'
import type { Static } from '../../kit/schema.ts'
import type { ConnectedAccount } from '../../plugins/chat.ts'
import { revokeShares } from '../shares/service.ts'
import { notifyAccountChanged } from './account-topic.ts'
import type { ChatAccounts } from './chat-accounts.ts'
import { toConnectedColumns } from './connect.ts'
import { enqueueCheck } from './health/enqueue-check.ts'
import { accountLimitChanged } from './hooks.ts'
import { accountDisconnected } from './problems.ts'
import { type AccountRow, listGroupMembers, lockAccount, updateAccount } from './queries.ts'
import type { AccountChanges } from './schemas.ts'
import { changeAccountStatus } from './status.ts'
import { accountKind } from './webhook-links.ts'

/** Locks an account. Throws 404 if there is none. */
async function lockExisting(tx: Tx, id: string): Promise<AccountRow> {
  const account = await lockAccount(tx, id)
  if (!account) throw notFound('account')
  return account
}

/** `connected`: what the provider has answered to the new credentials; null: they stay. */
export async function changeAccount(
  tx: Tx,
  accounts: ChatAccounts,
  id: string,
  { body, connected }: { body: Static<typeof AccountChanges>; connected: ConnectedAccount | null },
): Promise<void> {
  const account = await lockExisting(tx, id)
  const { displayName, isPaused, dailyLimit, warmUp, messagesPerSecond, credentials } = body
  await updateAccount(tx, id, {
    ...(displayName === undefined ? {} : { display_name: displayName }),
    ...(isPaused === undefined ? {} : { is_paused: isPaused }),
    ...(dailyLimit === undefined ? {} : { own_daily_limit: dailyLimit }),
    ...(messagesPerSecond === undefined ? {} : { messages_per_second: messagesPerSecond }),
    ...(warmUp === undefined
      ? {}
      : { warm_up_started_at: warmUp ? (account.warmUpStartedAt ?? getNow(tx)) : null }),
  })
  if (connected && credentials) {
    // It may have been disconnected while the provider answered.
    if (account.status === 'DISCONNECTED') throw new Problem(accountDisconnected, accountDisconnected.example)
    await changeAccountStatus(tx, account, connected.status, connected.reason, {
      ...toConnectedColumns(connected, getNow(tx)),
      credentials: accounts.encryptCredentials(credentials),
    })
    // The webhook may have to be set with the new credentials.
    await enqueueCheck(tx, id)
  }
  const isLimitChanged = dailyLimit !== undefined && dailyLimit !== account.ownDailyLimit
  const sendsAgain = isPaused === false && account.isPaused
  if (isLimitChanged || sendsAgain || (warmUp !== undefined && warmUp !== (account.warmUpStartedAt !== null)))
    await callHook(tx, accountLimitChanged, { accountId: id })
  notifyAccountChanged(tx, id)
}

/** Ends an account: its credentials and its webhook are erased; its conversations stay. */
export async function disconnectAccount(tx: Tx, id: string): Promise<void> {
  const account = await lockExisting(tx, id)
  if (account.status === 'DISCONNECTED') return
  await changeAccountStatus(tx, account, 'DISCONNECTED', null, {
    credentials: null,
    is_failing: false,
    outage_count: 0,
    paused_until: null,
    mailbox_cursor: null,
  })
  await revokeShares(tx, accountKind, [id])
  // The provider may post what arrives for the whole group to the webhook that has ended.
  for (const member of await listGroupMembers(tx, account)) await enqueueCheck(tx, member)
}
