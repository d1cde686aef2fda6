/** The account by which a campaign sends. */
import type { Tx } from '../../../kit/db/index.ts'
import {
  type AccountRow,
  type ChatAccounts,
  findAccounts,
  findSending,
  getEnvironment,
} from '../../accounts/service.ts'
import type { CampaignRow } from './row.ts'
import type { ContactMode } from './schemas.ts'

export type Providers = Pick<ChatAccounts, 'getProvider'>

/** The connected accounts that campaigns without an account may choose among: mailboxes only send if they are named. */
export async function findChatAccounts(
  tx: Tx,
  { getProvider }: Providers,
  mode: ContactMode,
): Promise<AccountRow[]> {
  const [connected, environment] = await Promise.all([findSending(tx, mode), getEnvironment(tx)])
  return connected.filter(({ provider }) => {
    const known = getProvider(provider, environment)
    return known !== undefined && known.channel !== 'email'
  })
}

/** The account that is named, in any status, or else the only connected one of the contact mode. */
export async function findCampaignAccount(
  tx: Tx,
  providers: Providers,
  { accountId, contactMode }: Pick<CampaignRow, 'accountId' | 'contactMode'>,
): Promise<AccountRow | undefined> {
  if (accountId !== null) return (await findAccounts(tx, [accountId]))[0]
  if (contactMode === null) return undefined
  const [account, other] = await findChatAccounts(tx, providers, contactMode)
  return other ? undefined : account
}
