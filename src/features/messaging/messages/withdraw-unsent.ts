/** Withdraws messages of other features that no longer hold. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { MessageFailure } from '../message-types.ts'
import { failQueued, isUnopened } from './fail-queued.ts'
import { toWithdrawal, withdrawn } from './to-failure.ts'

interface Withdrawal {
  reason?: Pick<MessageFailure, 'code' | 'message'>
  /** Messages whose task somebody has opened, who may have sent them, stay as they are. */
  keepOpened?: boolean
}

/** Those of these messages that are still queued are not sent. A message that is being sent at this moment may arrive. */
export async function withdrawUnsent(
  tx: Tx,
  messageIds: string[],
  { reason = withdrawn, keepOpened = false }: Withdrawal = {},
): Promise<void> {
  if (messageIds.length === 0) return
  await lockLeadWrites(tx)
  const { rows } = await sql<{ conversationId: string }>`
    select distinct conversation_id as "conversationId" from messages
    where tenant_id = ${getTenantId(tx)} and id = any(${messageIds}::uuid[]) and status = 'queued'`.execute(
    tx,
  )
  const conversationIds = rows.map(({ conversationId }) => conversationId)
  const only = sql`m.id = any(${messageIds}::uuid[]) and ${keepOpened ? isUnopened(tx) : sql`true`}`
  await failQueued(tx, conversationIds, toWithdrawal(reason), only)
}
