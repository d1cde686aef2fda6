/** Fails the messages of a disconnected account. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { findAccounts } from '../../accounts/service.ts'
import { failQueued, isUnopened } from '../messages/fail-queued.ts'
import { toRefusal } from '../messages/to-failure.ts'

/** Conversations per transaction. */
const batch = 50
const failure = toRefusal('ACCOUNT_NOT_SENDING', 'The account was disconnected before the message was sent.')

const isDisconnected = async (tx: Tx, accountId: string): Promise<boolean> =>
  (await findAccounts(tx, [accountId]))[0]?.status === 'DISCONNECTED'

/**
 * Fails the queued messages of the next conversations, in the order of their ids. Returns the last one; null: there are no
 * more. Whoever has opened a task may have sent its message, so it stays until they say so or it expires. Those that a process is sending get its result, or are lost (`endOverdue`).
 */
export async function failConversations(tx: Tx, accountId: string, after: string): Promise<string | null> {
  await lockLeadWrites(tx)
  if (!(await isDisconnected(tx, accountId))) return null
  const { rows } = await sql<{ id: string }>`
    select distinct conversation_id as id from messages
    where tenant_id = ${getTenantId(tx)} and account_id = ${accountId} and status = 'queued' and conversation_id > ${after}
    order by conversation_id limit ${batch}`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await failQueued(tx, ids, failure, isUnopened(tx))
  return ids.length === batch ? ids.at(-1)! : null
}
