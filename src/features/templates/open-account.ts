/** The account that a request about a template names. */
import type { Tx } from '../../kit/db/index.ts'
import { invalidInput } from '../../kit/problem.ts'
import type { ChatAccounts } from '../accounts/service.ts'

/** Throws 400 for an unknown account. */
export async function openAccount(
  tx: Tx,
  accounts: ChatAccounts,
  accountId: string,
): ReturnType<ChatAccounts['openConnection']> {
  const opened = await accounts.findConnection(tx, accountId)
  if (!opened) throw invalidInput('/accountId', 'UNKNOWN_ACCOUNT', 'There is no account with this id.')
  return opened
}
