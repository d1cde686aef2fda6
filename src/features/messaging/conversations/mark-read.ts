/** Shows the person that their messages were read. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'

/** The job that reports to the provider that a conversation was read. */
export const markReadName = 'mark-conversation-read'

export interface Receipt {
  conversationId: string
  /** The last message that was read: a message that arrives later was not. */
  messageId: string
}

/** Reports to the provider that what the person has written so far was read. */
export async function enqueueReceipt(tx: Tx, conversationId: string): Promise<void> {
  const last = await findLastInbound(tx, conversationId)
  if (!last) return
  const options = { jobKey: `${markReadName}:${conversationId}`, maxAttempts: 3 }
  await enqueue(tx, markReadName, { conversationId, messageId: last.id } satisfies Receipt, options)
}

/** Reports to the provider that this message has arrived. */
export const enqueueReceiptOf = (tx: Tx, receipt: Receipt): Promise<void> =>
  enqueue(tx, markReadName, receipt, { jobKey: `${markReadName}:${receipt.messageId}`, maxAttempts: 3 })

/** The newest messages that are searched: older ones were read long ago. */
const lastMax = 200

export interface InboundMessage {
  id: string
  accountId: string
  providerMessageId: string
}

/** The last message of the person that the provider knows, of the last ones up to `messageId`; null: there is none. */
export async function findLastInbound(
  tx: Tx,
  conversationId: string,
  messageId: string | null = null,
): Promise<InboundMessage | null> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<InboundMessage>`
    select id, account_id as "accountId", provider_message_id as "providerMessageId" from (
      select * from messages where tenant_id = ${tenantId} and conversation_id = ${conversationId}
        and (${messageId}::uuid is null
          or sequence <= (select sequence from messages where tenant_id = ${tenantId} and id = ${messageId}))
      order by sequence desc limit ${lastMax}) last
    where direction = 'in' and provider_message_id is not null and deleted_at is null
    order by sequence desc limit 1`.execute(tx)
  return rows[0] ?? null
}
