/** Fails the messages of a disconnected account. */
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites, shareLeads } from '../../../kit/writer.ts'
import { findAccounts } from '../../accounts/service.ts'
import { changeStatuses } from '../messages/change-status.ts'
import { failQueued } from '../messages/fail-queued.ts'
import { lockOutgoing } from '../messages/outgoing-rows.ts'
import { toRefusal, toUnknown } from '../messages/to-failure.ts'
import { undecidedMs } from './decide-due.ts'

/** Conversations per transaction. */
const batch = 50
const failure = toRefusal('ACCOUNT_NOT_SENDING', 'The account was disconnected before the message was sent.')

const isDisconnected = async (tx: Tx, accountId: string): Promise<boolean> =>
  (await findAccounts(tx, [accountId]))[0]?.status === 'DISCONNECTED'

/**
 * Fails the queued messages of the next conversations, in the order of their ids. Returns the last one; null: there are no
 * more.
 */
export async function failConversations(tx: Tx, accountId: string, after: string): Promise<string | null> {
  await lockLeadWrites(tx)
  if (!(await isDisconnected(tx, accountId))) return null
  const { rows } = await sql<{ id: string }>`
    select distinct conversation_id as id from messages
    where tenant_id = ${getTenantId(tx)} and account_id = ${accountId} and status = 'queued' and conversation_id > ${after}
    order by conversation_id limit ${batch}`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await failQueued(tx, ids, failure)
  return ids.length === batch ? ids.at(-1)! : null
}

/**
 * Messages that a process is sending get its result. If the process died, nobody can ask the provider any more: they are
 * `unknown` after a quarter of an hour. Returns whether some are still being sent.
 */
export async function decideClaimed(tx: Tx, accountId: string): Promise<boolean> {
  if (!(await isDisconnected(tx, accountId))) return false
  await shareLeads(tx)
  const claimed = await lockOutgoing(
    tx,
    sql`m.account_id = ${accountId} and m.next_attempt_at is not null and m.status = 'queued' and m.claimed_at is not null`,
  )
  const now = getNow(tx)
  const lost = claimed.filter(({ claimedAt }) => claimedAt!.getTime() + undecidedMs <= now.getTime())
  const failure = toUnknown('the process that sent it ended, and the account was disconnected')
  const report = { status: 'unknown' as const, at: now, providerMessageId: null, failure }
  await changeStatuses(
    tx,
    lost.map(message => ({ message, report })),
  )
  return lost.length < claimed.length
}
