/** Recipients that were skipped or have failed wait again. */
import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { requestPlan } from '../request-plan.ts'

/**
 * Their next step is due now. Those whose lead a campaign writes to already stay as they are. The transaction holds the lock of
 * leads. Call it last. Returns the ids of those that wait.
 */
export async function reviveRecipients(
  tx: Tx,
  campaigns: readonly Pick<CampaignRow, 'id'>[],
  recipients: readonly { id: string }[],
): Promise<Set<string>> {
  if (recipients.length === 0) return new Set()
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ id: string; campaignId: string }>`
    update campaign_recipients r set status = 'waiting', reason = null, ended_at = null, due_at = ${getNow(tx)}, planned_at = null,
      message_id = null, updated_at = ${getNow(tx)}
    where r.tenant_id = ${tenantId} and r.id in (
        select distinct on (lead_id) id from campaign_recipients
        where tenant_id = ${tenantId} and id = any(${recipients.map(({ id }) => id)}::uuid[]) and status in ('skipped', 'failed')
        order by lead_id, id)
      and r.status in ('skipped', 'failed') and r.lead_id is not null
      and not exists (
        select from campaign_recipients o
        where o.tenant_id = ${tenantId} and o.lead_id = r.lead_id and o.status in ('waiting', 'planned', 'queued'))
    returning r.id, r.campaign_id as "campaignId"`.execute(tx)
  const revived = new Set(rows.map(({ campaignId }) => campaignId))
  for (const { id } of campaigns.filter(({ id }) => revived.has(id))) await requestPlan(tx, id, getNow(tx))
  return new Set(rows.map(({ id }) => id))
}
