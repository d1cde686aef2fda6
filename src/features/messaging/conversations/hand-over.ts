/** Leaves a conversation to the people of the agency: it is open and unread, and somebody is in charge. */
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { recordInboxChanges } from '../inbox-changes.ts'

/** `assignedUserId`: who gets it if nobody is assigned; null: nobody. */
export async function handOverConversation(
  tx: Tx,
  conversationId: string,
  { assignedUserId }: { assignedUserId: string | null },
): Promise<void> {
  await sql`
    update conversations set status = 'open', snoozed_until = null, unread_count = greatest(unread_count, 1),
      assigned_user_id = coalesce(assigned_user_id, ${assignedUserId}::uuid), updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${conversationId}`.execute(tx)
  await recordInboxChanges(tx, [{ conversationId, messageId: null }])
}
