/** The provider of an account, and if it sends. */
import { Problem } from '../../kit/problem.ts'
import type { ChatProvider } from '../../plugins/chat.ts'
import { type AccountRow, type ChatAccounts, sendingStatuses } from '../accounts/service.ts'
import { accountNotSending } from './problems.ts'

/** Both environments have the same facts. Throws 409 if the program no longer has the provider. */
export function getAccountProvider(
  accounts: Pick<ChatAccounts, 'getProvider'>,
  account: Pick<AccountRow, 'provider'>,
): ChatProvider {
  const provider = accounts.getProvider(account.provider, 'live')
  if (!provider)
    throw new Problem(accountNotSending, `The program no longer has the provider ${account.provider}.`)
  return provider
}

/** Throws 409 ACCOUNT_NOT_SENDING. A pause that the provider requested only delays messages. */
export function assertAccountSends({
  status,
  statusReason,
  isPaused,
}: Pick<AccountRow, 'status' | 'statusReason' | 'isPaused'>): void {
  if (!sendingStatuses.includes(status))
    throw new Problem(
      accountNotSending,
      `The account is ${status}, so it sends nothing. ${statusReason ?? 'Connect it again, or choose another account.'}`,
    )
  if (isPaused)
    throw new Problem(accountNotSending, 'The account is paused. End the pause, or choose another account.')
}
