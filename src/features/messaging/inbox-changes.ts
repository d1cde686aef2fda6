/**
 * Records what changed in the inbox, for its live updates. Whoever writes a message or a conversation calls it in the
 * same transaction, last.
 */
import { machineNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import { sql, type Tx } from '../../kit/db/index.ts'
import { notifyAfterCommit } from '../../kit/db/notifications.ts'

export interface InboxChange {
  conversationId: string
  /** Null: only the conversation changed, such as its status or its labels. */
  messageId: string | null
}

/** Stands for the conversation itself. */
export const noMessageId = '00000000-0000-0000-0000-000000000000'

export const toInboxTopic = (tenantId: string): string => `inbox:${tenantId}`

/** Records changed messages and conversations. A change of a message is a change of its conversation too. */
export async function recordInboxChanges(tx: Tx, changes: InboxChange[]): Promise<void> {
  if (changes.length === 0) return
  const tenantId = getTenantId(tx)
  const changedAt = new Date(machineNow())
  const byKey = new Map(
    changes.map(({ conversationId, messageId }) => {
      const message = messageId ?? noMessageId
      return [`${conversationId} ${message}`, { conversationId, messageId: message }]
    }),
  )
  // Always in the same order, so that two transactions cannot deadlock.
  const rows = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change)
  await tx
    .insertInto('inbox_changes')
    .values(
      rows.map(({ conversationId, messageId }) => ({
        tenant_id: tenantId,
        conversation_id: conversationId,
        message_id: messageId,
        // Also a parameter on a cluster: PostgreSQL gives the id of the whole transaction.
        changed_in: sql<string>`pg_current_xact_id()`,
        changed_at: changedAt,
      })),
    )
    .onConflict(conflict =>
      conflict.columns(['tenant_id', 'conversation_id', 'message_id']).doUpdateSet({
        changed_in: sql`excluded.changed_in`,
        changed_at: sql`excluded.changed_at`,
      }),
    )
    .execute()
  notifyAfterCommit(tx, toInboxTopic(tenantId))
}
