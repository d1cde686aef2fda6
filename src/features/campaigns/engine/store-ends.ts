/** Stores the ends of recipients, and the steps that they did not get. */
import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { requestHeldUp } from '../held-up.ts'
import type { Reason } from '../recipients/reasons.ts'
import type { End } from './decide-step.ts'

export interface RecipientEnd extends End {
  id: string
}

/** `message_id` of one that is queued stays: its message is withdrawn when it is claimed. */
export async function storeEnds(tx: Tx, ends: readonly RecipientEnd[]): Promise<void> {
  if (ends.length === 0) return
  const rows = ends.map(({ id, status, reason }) => ({ id, status, reason }))
  const { rows: ended } = await sql<{ leadId: string | null }>`
    update campaign_recipients r set status = e.status, reason = e.reason, due_at = null, planned_at = null,
      ended_at = ${getNow(tx)}, updated_at = ${getNow(tx)}
    from jsonb_to_recordset(${sanitizeJson(rows)}::jsonb) as e (id uuid, status text, reason jsonb)
    where r.tenant_id = ${getTenantId(tx)} and r.id = e.id and r.id = any(${ends.map(({ id }) => id)}::uuid[])
    returning r.lead_id as "leadId"`.execute(tx)
  await requestHeldUp(
    tx,
    ended.map(({ leadId }) => leadId),
  )
}

export interface SkippedSteps {
  id: string
  campaignId: string
  round: number
  steps: readonly number[]
}

export async function storeSkippedSteps(
  tx: Tx,
  skipped: readonly SkippedSteps[],
  reason: Reason,
): Promise<void> {
  const rows = skipped.flatMap(({ id, campaignId, round, steps }) =>
    steps.map(step => ({ id, campaign_id: campaignId, round, step })),
  )
  if (rows.length === 0) return
  await sql`
    insert into campaign_sends (tenant_id, recipient_id, round, step, campaign_id, reason, created_at)
    select ${getTenantId(tx)}::uuid, s.id, s.round, s.step, s.campaign_id, ${JSON.stringify(reason)}::jsonb, ${getNow(tx)}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (id uuid, campaign_id uuid, round int, step int)
    on conflict do nothing returning true`.execute(tx)
}
