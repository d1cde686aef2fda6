/** The ends of tasks: the message was sent by hand, or it fails and gives its quota back. */

import { getNow } from '../../../kit/clock/clock.ts'
import type { ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob } from '../../../kit/jobs/job.ts'
import { Problem } from '../../../kit/problem.ts'
import { shareLeads } from '../../../kit/writer.ts'
import { lockConversations } from '../conversations/queries.ts'
import type { MessageFailure } from '../message-types.ts'
import { changeStatus } from '../messages/change-status.ts'
import { findOutgoing } from '../messages/outgoing-rows.ts'
import { endTask, findExpired, findNextExpiry, getTask, isOpen, listTenantsWithExpired } from './queries.ts'

const failures: Record<'skipped' | 'expired', MessageFailure> = {
  skipped: {
    code: 'TASK_SKIPPED',
    providerCode: null,
    message: 'Somebody decided not to send the message.',
    retryable: true,
    isWithdrawn: true,
  },
  expired: {
    code: 'TASK_EXPIRED',
    providerCode: null,
    message: 'Nobody sent the message in time. Send it again if it still matters.',
    retryable: true,
    isWithdrawn: false,
  },
}

/**
 * Ends an open task, whose conversation is locked, and the message with it. Returns false, and changes nothing, if it
 * has ended already.
 */
export async function finishTask(
  tx: Tx,
  id: string,
  status: 'done' | 'skipped' | 'expired',
): Promise<boolean> {
  if (!(await endTask(tx, id, status))) return false
  const [message] = await findOutgoing(tx, [id])
  const report = { at: getNow(tx), providerMessageId: null }
  if (message)
    await changeStatus(
      tx,
      message,
      status === 'done'
        ? { ...report, status: 'sent' }
        : { ...report, status: 'failed', failure: failures[status] },
    )
  return true
}

/** Locks the conversation of a task. Throws 404; 409 INVALID_TRANSITION for a task that has ended. */
export async function lockOpenTask(tx: Tx, taskId: string): Promise<void> {
  await shareLeads(tx)
  await lockConversations(tx, [(await getTask(tx, taskId)).conversationId])
  const task = await getTask(tx, taskId)
  if (isOpen(task) && task.expiresAt > getNow(tx).toISOString()) return
  const end = isOpen(task) ? 'expired' : task.status
  throw new Problem(
    'INVALID_TRANSITION',
    `The task has ended: it is ${end}. Send the message again if it still matters.`,
  )
}

async function expireTasks(tx: Tx): Promise<void> {
  await shareLeads(tx)
  const expired = await findExpired(tx)
  await lockConversations(
    tx,
    expired.map(({ conversationId }) => conversationId),
  )
  for (const { id } of expired) await finishTask(tx, id, 'expired')
}

/** Tasks expire on the environment's clock. */
export const taskExpiry: ScheduledTask = {
  findNextDueAt: findNextExpiry,
  start: (database, tenantId) => database.withTenant({ tenantId }, expireTasks),
}

export const expireMessageTasks = deploymentJob({
  name: 'expire-message-tasks',
  cron: '* * * * *',
  run: context => forEachTenant(context, listTenantsWithExpired(context.database), expireTasks),
})
