/** Withdraws a queued message, because a person decided so. */
import { getNow } from '../../../kit/clock/clock.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { notFound, Problem } from '../../../kit/problem.ts'
import { shareLeads } from '../../../kit/writer.ts'
import { changeStatus } from './change-status.ts'
import { lockOutgoing } from './outgoing-rows.ts'
import { messageExists } from './target.ts'
import { withdrawn } from './to-failure.ts'

/**
 * Its quota and budget are given back, and the next message of the conversation becomes due. A claim locks the conversation
 * too: it comes before, or does not find the message. Throws 404, and 409 INVALID_TRANSITION for one that is not queued or
 * that a process is sending.
 */
export async function withdrawMessage(tx: Tx, messageId: string): Promise<void> {
  // See insert-message.ts for the order of locks.
  await shareLeads(tx)
  const [message] = await lockOutgoing(tx, sql`m.id = ${messageId}`)
  if (!message && !(await messageExists(tx, messageId))) throw notFound('message')
  if (message?.status !== 'queued')
    throw new Problem('INVALID_TRANSITION', 'Only a queued message can be withdrawn.')
  if (message.claimedAt !== null)
    throw new Problem(
      'INVALID_TRANSITION',
      'The message is being sent, so it can no longer be withdrawn. Its status says soon what became of it.',
    )
  const report = { status: 'failed' as const, at: getNow(tx), providerMessageId: null, failure: withdrawn }
  await changeStatus(tx, message, report)
}
