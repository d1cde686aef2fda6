/** The provider of an account. */
import { Problem } from '../../kit/problem.ts'
import type { ChatProvider } from '../../plugins/chat.ts'
import type { AccountRow, ChatAccounts } from '../accounts/service.ts'
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
