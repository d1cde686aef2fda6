/** Asks the provider for the state of an account. */
import { type AccountHealth, ChatError } from '../../../plugins/chat.ts'
import type { ChatAccounts, OpenAccount } from '../chat-accounts.ts'
import { toStatus } from '../status.ts'

/** Throws ChatError if the provider can't be reached, and so says nothing about the account. */
export async function checkAccount(
  accounts: ChatAccounts,
  opened: OpenAccount,
  signal: AbortSignal,
): Promise<Partial<AccountHealth>> {
  const { provider, connection } = opened
  try {
    return await provider.checkHealth(connection, accounts.createContext(opened, signal))
  } catch (error) {
    const status = error instanceof ChatError ? toStatus(error.failure) : null
    if (!status) throw error
    return { status, reason: (error as ChatError).failure.message }
  }
}
