/** Whether an answer to a person is refused, before it is written. */
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { assertAccount, type ChatAccounts } from '../../accounts/service.ts'
import { previewContacts } from '../../privacy/service.ts'
import { getAccountProvider } from '../account-provider.ts'
import { toContactIdentifiers } from '../identities.ts'
import { getConversation } from './queries.ts'

/** Why the person may not even be answered, such as an opt-out; null: they may. Throws 404. */
export async function findAnswerRefusal(
  tx: Tx,
  accounts: Pick<ChatAccounts, 'getProvider'>,
  { conversationId, leadId }: { conversationId: string; leadId: string },
): Promise<Problem | null> {
  const { accountId, identities } = await getConversation(tx, conversationId)
  const { channel } = getAccountProvider(accounts, await assertAccount(tx, accountId))
  const check = { leadId, isAnswer: true, identifiers: toContactIdentifiers(identities) }
  const [result] = await previewContacts(tx, channel, [check])
  return result instanceof Problem ? result : null
}
