/** Messages of `chat-no-api` accounts become tasks, which a person carries out. */
import { addDays, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

/** How long somebody has to send the message. */
const taskDays = 3

export interface NewTask {
  messageId: string
  assignedUserId: string | null
  /** When the message may be sent at the earliest. */
  since: Date
}

export async function insertTasks(tx: Tx, accountId: string, tasks: NewTask[]): Promise<void> {
  await tx
    .insertInto('message_tasks')
    .values(
      tasks.map(({ messageId, assignedUserId, since }) => ({
        tenant_id: getTenantId(tx),
        message_id: messageId,
        account_id: accountId,
        assigned_user_id: assignedUserId,
        expires_at: addDays(since, taskDays),
        created_at: getNow(tx),
      })),
    )
    .execute()
}
