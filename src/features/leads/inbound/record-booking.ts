/** A person who books has answered, as one who writes. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emitLeadUpdates } from '../record/emit-updates.ts'
import { lockRows } from '../record/lead-row.ts'
import { recordReplyTimes } from '../record/write-leads.ts'

/**
 * Records that the person of a lead booked: a new or contacted lead becomes `replied`, and its retention period begins anew. Call
 * this after `lockLeadWrites`.
 */
export async function recordBooking(tx: Tx, leadId: string): Promise<void> {
  const known = (await lockRows(tx, [leadId])).get(leadId)
  if (!known) return
  await recordReplyTimes(tx, [{ leadId, at: getNow(tx) }])
  const { status: before } = known.row
  if (before !== 'new' && before !== 'contacted') return
  await emitLeadUpdates(tx, [
    { leadId, cause: 'booked', changes: [{ field: 'status', before, after: 'replied' }] },
  ])
}
