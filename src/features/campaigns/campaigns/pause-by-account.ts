/** Pauses the campaigns of an account that no longer sends. */
import { sql } from 'kysely'
import type { Tx } from '../../../kit/db/index.ts'
import { type AccountRow, findAccounts, sendingStatuses } from '../../accounts/service.ts'
import { findChatAccounts, type Providers } from './account.ts'
import { pauseCampaign } from './moves.ts'
import { lockCampaigns } from './queries.ts'

/** Campaigns that name no account are paused if no other connected account of their contact mode is left. */
export async function pauseByAccount(tx: Tx, providers: Providers, accountId: string): Promise<void> {
  const [account] = await findAccounts(tx, [accountId])
  if (!account || sendingStatuses.includes(account.status)) return
  const hasOthers = (await findChatAccounts(tx, providers, account.mode)).length > 0
  // All of them before the first event: see `lockForJoining`.
  const campaigns = await lockCampaigns(
    tx,
    sql`status = 'running' and mode = 'extract_and_contact' and (account_id = ${accountId}
      or ${!hasOthers} and account_id is null and contact_mode = ${account.mode})`,
  )
  for (const { id } of campaigns)
    await pauseCampaign(tx, id, { code: 'ACCOUNT_NOT_CONNECTED', message: explain(account) })
}

function explain({ displayName, status, statusReason }: AccountRow): string {
  if (status === 'DISCONNECTED')
    return `Somebody has disconnected the account "${displayName}". Choose another one in accountId, or connect its number, bot or mailbox anew with POST /accounts; then resume the campaign.`
  const reason = statusReason === null ? '' : ` (${statusReason.replace(/\.$/, '')})`
  const advice =
    status === 'RESTRICTED'
      ? 'Resume the campaign when it may send again, or choose another account.'
      : 'Connect it again, then resume the campaign.'
  return `The account "${displayName}" is ${status}${reason}. ${advice}`
}
