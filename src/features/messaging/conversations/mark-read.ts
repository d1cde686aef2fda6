/** Shows the person that their messages were read. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'

/** The job that reports to the provider that a conversation was read. */
export const markReadName = 'mark-conversation-read'

/** Tells the provider that the messages of the person were read. */
export async function enqueueReceipt(tx: Tx, conversationId: string): Promise<void> {
  const options = { jobKey: `${markReadName}:${conversationId}`, maxAttempts: 3 }
  await enqueue(tx, markReadName, { conversationId }, options)
}

/** Of a conversation: what is older was read long ago. */
const lastMax = 200

/** The last message of the person that the provider knows, of the last ones; null: there is none. */
export async function findLastInbound(
  tx: Tx,
  conversationId: string,
): Promise<{ accountId: string; providerMessageId: string } | null> {
  const { rows } = await sql<{ accountId: string; providerMessageId: string }>`
    select account_id as "accountId", provider_message_id as "providerMessageId" from (
      select * from messages where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId}
      order by sequence desc limit ${lastMax}) last
    where direction = 'in' and provider_message_id is not null and deleted_at is null
    order by sequence desc limit 1`.execute(tx)
  return rows[0] ?? null
}
