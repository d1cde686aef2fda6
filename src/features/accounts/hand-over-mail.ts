/** Hands an e-mail of the workspace, which is no message of a conversation, to the provider of its account. */
import { Problem } from '../../kit/problem.ts'
import type { OutgoingMessage, SendResult } from '../../plugins/chat.ts'
import type { ChatAccounts, OpenAccount } from './chat-accounts.ts'
import { callProvider } from './connect.ts'

export interface WorkspaceMail {
  opened: OpenAccount
  message: OutgoingMessage
  /** An earlier attempt may have sent it: the provider is searched first. */
  isRepeated: boolean
}

/** Sends it once, as far as the provider can find what was sent. A failed connection is `unknown`. */
export async function handOverMail(
  { opened, message, isRepeated }: WorkspaceMail,
  accounts: Pick<ChatAccounts, 'createContext'>,
  signal: AbortSignal,
): Promise<SendResult> {
  const { provider, connection } = opened
  try {
    const known = isRepeated
      ? await callProvider(
          { signal },
          async within =>
            (await provider.reconcile?.(connection, message, accounts.createContext(opened, within))) ?? null,
        )
      : null
    if (known?.status === 'sent') return known
    return await callProvider({ signal }, within =>
      provider.send(connection, message, accounts.createContext(opened, within)),
    )
  } catch (error) {
    if (error instanceof Problem) return { status: 'unknown', reason: error.message }
    throw error
  }
}
