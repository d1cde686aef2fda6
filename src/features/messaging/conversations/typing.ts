/** Shows the person of a conversation that somebody is typing. */

import type { Caller } from '../../../kit/caller.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Database } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { type ChatAccounts, callProvider } from '../../accounts/service.ts'
import { assertAccountSends } from '../account-provider.ts'
import { selectRecipients } from '../identities.ts'
import { unsupportedMessage } from '../problems.ts'
import { findLastInbound } from './mark-read.ts'
import { getConversation } from './queries.ts'

/** Throws 404, 409 ACCOUNT_NOT_SENDING, 422 UNSUPPORTED_MESSAGE, and the provider's reason. */
export async function showTyping(
  conversationId: string,
  {
    accounts,
    caller,
    database,
    signal,
  }: {
    accounts: Pick<ChatAccounts, 'openConnection' | 'createContext'>
    caller: Caller
    database: Database
    signal: AbortSignal
  },
): Promise<void> {
  const { opened, to, last } = await database.readTenant(caller, async tx => {
    const { accountId, identities } = await getConversation(tx, conversationId)
    const opened = await accounts.openConnection(tx, accountId)
    const to = selectRecipients(identities, opened.provider.capabilities, getNow(tx))
    return { opened, to, last: await findLastInbound(tx, conversationId) }
  })
  const { provider, connection, account } = opened
  assertAccountSends(account, { isAnswer: true })
  if (!provider.showTyping)
    throw new Problem(unsupportedMessage, `${provider.label} can’t show that somebody is typing.`)
  const providerMessageId = last?.providerMessageId ?? null
  await callProvider({ signal }, signal =>
    provider.showTyping!(connection, { providerMessageId, to }, accounts.createContext(opened, signal)),
  )
}
