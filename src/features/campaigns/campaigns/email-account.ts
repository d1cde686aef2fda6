/** Which e-mail account sends the digests of a campaign. */
import type { Tx } from '../../../kit/db/index.ts'
import {
  type AccountRow,
  type ChatAccounts,
  findAccounts,
  findConnected,
  sendingStatuses,
} from '../../accounts/service.ts'

export interface Refusal {
  code: string
  /** What happened and what to do, for people. */
  message: string
}

const noEmailAccount: Refusal = {
  code: 'NO_EMAIL_ACCOUNT',
  message: 'No e-mail account is connected. Connect one with POST /accounts.',
}
const whichEmailAccount: Refusal = {
  code: 'NO_EMAIL_ACCOUNT',
  message: 'Several e-mail accounts are connected. Choose one in settings.notifications.accountId.',
}
export const accountNotSending: Refusal = {
  code: 'ACCOUNT_NOT_SENDING',
  message:
    'The chosen account is gone, or does not send. Connect it again, or choose another one in settings.notifications.accountId.',
}

/** The chosen account, else the only connected one. */
export async function chooseEmailAccount(
  tx: Tx,
  accounts: Pick<ChatAccounts, 'list'>,
  accountId: string | null,
): Promise<AccountRow | Refusal> {
  const providers = accounts
    .list()
    .filter(({ channel, mode }) => channel === 'email' && mode === 'chat')
    .map(({ id }) => id)
  const [account, other] = accountId
    ? await findAccounts(tx, [accountId])
    : await findConnected(tx, providers, 2)
  if (!account) return accountId ? accountNotSending : noEmailAccount
  if (other) return whichEmailAccount
  const isSending = providers.includes(account.provider) && sendingStatuses.includes(account.status)
  return isSending ? account : accountNotSending
}
