/** Two recipients of a campaign are one person. */
import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

/**
 * The recipient of the surviving lead goes on where that of the absorbed lead was, if that was further, or ends as it did: the person gets
 * no step again. Undoing the merge does not take it back. Returns the campaigns in which it goes on.
 */
export async function keepProgress(
  tx: Tx,
  { leadId, absorbedId }: { leadId: string; absorbedId: string },
): Promise<string[]> {
  const tenantId = getTenantId(tx)
  const now = getNow(tx)
  const isActive = sql`k.status in ('waiting', 'planned', 'queued')`
  const hasEnded = sql`a.status in ('completed', 'stopped', 'failed')`
  const { rows } = await sql<{ id: string; status: string }>`
    update campaign_recipients k set step = a.step, last_step_at = a.last_step_at, updated_at = ${now},
      last_sent_at = greatest(k.last_sent_at, a.last_sent_at),
      status = case when not ${isActive} then k.status when ${hasEnded} then a.status else 'waiting' end,
      reason = case when ${isActive} then a.reason else k.reason end,
      due_at = case when not ${isActive} or ${hasEnded} then null else coalesce(a.due_at, ${now}::timestamptz) end,
      planned_at = case when not ${isActive} then k.planned_at end,
      ended_at = case when ${isActive} and ${hasEnded} then ${now}::timestamptz else k.ended_at end
    from campaign_recipients a
    where k.tenant_id = ${tenantId} and a.tenant_id = ${tenantId} and k.lead_id = ${leadId} and a.lead_id = ${absorbedId}
      and a.campaign_id = k.campaign_id and a.step > k.step
    returning k.campaign_id as id, k.status`.execute(tx)
  return rows.flatMap(({ id, status }) => (status === 'waiting' ? id : []))
}
