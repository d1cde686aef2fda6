/** The provider of an account, and if it sends. */
import { Problem } from '../../kit/problem.ts'
import type { ChatProvider } from '../../plugins/chat.ts'
import { type AccountRow, type ChatAccounts, isAllowed } from '../accounts/service.ts'
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

/**
 * Throws 409 ACCOUNT_NOT_SENDING. A pause that the provider requested only delays messages. `isAnswer`: the person has
 * written lately.
 */
export function assertAccountSends(
  account: Pick<AccountRow, 'status' | 'statusReason' | 'canAnswer' | 'isPaused'>,
  { isAnswer }: { isAnswer: boolean },
): void {
  const { status, statusReason, canAnswer, isPaused } = account
  if (!isAllowed(account, isAnswer))
    throw new Problem(
      accountNotSending,
      `The account is ${status}, so it ${canAnswer ? 'only answers people' : 'sends nothing'}. ${statusReason ?? 'Connect it again, or choose another account.'}`,
    )
  if (isPaused)
    throw new Problem(accountNotSending, 'The account is paused. End the pause, or choose another account.')
}
