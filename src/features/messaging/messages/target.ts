/** The message that another one answers or reacts to. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'

export interface Target {
  conversationId: string
  /** Null: the provider does not know it, such as a note. */
  providerMessageId: string | null
}

export async function findTarget(tx: Tx, messageId: string): Promise<Target | null> {
  const { rows } = await sql<Target>`
    select conversation_id as "conversationId", provider_message_id as "providerMessageId" from messages
    where tenant_id = ${getTenantId(tx)} and id = ${messageId} and deleted_at is null`.execute(tx)
  return rows[0] ?? null
}

export async function messageExists(tx: Tx, messageId: string): Promise<boolean> {
  const { rows } = await sql`
    select from messages where tenant_id = ${getTenantId(tx)} and id = ${messageId}`.execute(tx)
  return rows.length > 0
}
