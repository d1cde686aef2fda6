/** A person who books has answered, as one who writes. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emitLeadUpdates } from '../record/emit-updates.ts'
import { lockRows } from '../record/lead-row.ts'
import { recordReplyTimes } from '../record/write-leads.ts'

/**
 * Records that the person of a lead booked: a new or contacted lead becomes `replied`, and its retention period begins anew. A
 * lead that was just created emits no other event. Call this after `lockLeadWrites`.
 */
export async function recordBooking(tx: Tx, leadId: string, { isNew }: { isNew: boolean }): Promise<void> {
  const known = isNew ? undefined : (await lockRows(tx, [leadId])).get(leadId)
  await recordReplyTimes(tx, [{ leadId, at: getNow(tx) }])
  const before = known?.row.status
  if (before !== 'new' && before !== 'contacted') return
  await emitLeadUpdates(tx, [
    { leadId, cause: 'booked', changes: [{ field: 'status', before, after: 'replied' }] },
  ])
}
