/** Changes of a conversation by people: status, snooze, assignment, labels, read. */
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { throwIfInvalid } from '../../../kit/problem.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import { findUserErrors } from '../../identity/service.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import { indexLabels } from './labels.ts'
import { enqueueReceipt } from './mark-read.ts'
import { lockConversation } from './queries.ts'
import type { ConversationChanges } from './schemas.ts'

/** Throws 404; 400 for an unknown user and a snooze that is over. */
export async function changeConversation(tx: Tx, id: string, changes: ConversationChanges): Promise<void> {
  const row = await lockConversation(tx, id)
  const { status, snoozedUntil, assignedUserId, labels, read } = changes
  const cleanLabels = labels?.map(sanitizeText)
  const now = getNow(tx)
  const until = typeof snoozedUntil === 'string' ? new Date(snoozedUntil) : null
  throwIfInvalid([
    ...(until && until <= now
      ? [{ path: '/snoozedUntil', code: 'IN_THE_PAST', message: 'must be later than now' }]
      : []),
    ...(await findUserErrors(tx, assignedUserId, '/assignedUserId')),
  ])
  // A closed conversation is not put off.
  const endsSnooze = snoozedUntil === null || (status === 'closed' && !until)
  await tx
    .updateTable('conversations')
    .set({
      updated_at: now,
      ...(status ? { status } : {}),
      ...(until ? { snoozed_until: until } : {}),
      ...(endsSnooze ? { snoozed_until: null } : {}),
      ...(assignedUserId === undefined ? {} : { assigned_user_id: assignedUserId }),
      ...(cleanLabels ? { labels: cleanLabels } : {}),
      ...(read === undefined ? {} : { unread_count: read ? 0 : Math.max(row.unreadCount, 1) }),
    })
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', id)
    .execute()
  if (cleanLabels) await indexLabels(tx, [id])
  if (read && row.unreadCount > 0) await enqueueReceipt(tx, id)
  await recordInboxChanges(tx, [{ conversationId: id, messageId: null }])
}
