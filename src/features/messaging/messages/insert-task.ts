/** Messages of `chat-no-api` accounts become tasks, which a person carries out. */
import { addDays, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

/** How long somebody has to send the message. */
const taskDays = 3

export async function insertTask(
  tx: Tx,
  {
    messageId,
    accountId,
    assignedUserId,
  }: { messageId: string; accountId: string; assignedUserId: string | null },
): Promise<void> {
  const now = getNow(tx)
  await tx
    .insertInto('message_tasks')
    .values({
      tenant_id: getTenantId(tx),
      message_id: messageId,
      account_id: accountId,
      assigned_user_id: assignedUserId,
      expires_at: addDays(now, taskDays),
      created_at: now,
    })
    .execute()
}
