/** The interface of accounts for other features. */
import type { Tx } from '../../kit/db/index.ts'
import { notFound } from '../../kit/problem.ts'
import { accountsMax } from './problems.ts'
import { type AccountRow, findAccounts, findByMode } from './queries.ts'
import { sendingStatuses } from './status.ts'

export { accountsTopic } from './account-topic.ts'
export {
  type LocalDay,
  readLocalDay,
  readRemainingBudget,
  releaseBudget,
  reserveBudget,
  toDailyBudget,
} from './budgets.ts'
export { type ChatAccounts, createChatAccounts, type OpenAccount } from './chat-accounts.ts'
export { callProvider } from './connect.ts'
export { handOverMail, type WorkspaceMail } from './hand-over-mail.ts'
export { accountLimitChanged, chatEventsReceived, type ReceivedChatEvents } from './hooks.ts'
export { eraseReceivedBodies } from './intake/erase-bodies.ts'
export { receiveBody } from './intake/store-body.ts'
export { connectionProblems } from './problems.ts'
export { type AccountRow, findAccounts, findConnected, getEnvironment, lockAccount } from './queries.ts'
export { toMessagesPerSecond } from './reply.ts'
export {
  isAllowed,
  isLimit,
  isSending,
  recordOutage,
  recordSendFailure,
  recordSendSuccess,
  sendingStatuses,
  stopsAccount,
} from './status.ts'

/** Returns the account. Throws 404 if there is none. */
export async function assertAccount(tx: Tx, accountId: string): Promise<AccountRow> {
  const [account] = await findAccounts(tx, [accountId])
  if (!account) throw notFound('account')
  return account
}

/** The accounts of a mode that are connected and may send. */
export const findSending = (tx: Tx, mode: AccountRow['mode']): Promise<AccountRow[]> =>
  findByMode(tx, mode, { statuses: sendingStatuses, limit: accountsMax })
