/** Recipients that were skipped or have failed wait again. */
import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { requestPlan } from '../request-plan.ts'
import { takenOut } from './reasons.ts'
import { recipientsOfPerson } from './same-person.ts'

/**
 * Their next step is due now. Those to whose person a campaign writes already, or who was taken out, stay as they are. The transaction holds the lock of
 * leads. Call it last. The array is computed once, whatever the planner knows of the table. Returns the ids of those that wait.
 */
export async function reviveRecipients(
  tx: Tx,
  campaigns: readonly Pick<CampaignRow, 'id'>[],
  recipients: readonly { id: string }[],
): Promise<Set<string>> {
  if (recipients.length === 0) return new Set()
  const tenantId = getTenantId(tx)
  const ids = recipients.map(({ id }) => id)
  const { rows } = await sql<{ id: string; campaignId: string }>`
    update campaign_recipients r set status = 'waiting', reason = null, ended_at = null, due_at = ${getNow(tx)}, planned_at = null,
      message_id = null, updated_at = ${getNow(tx)}
    where r.tenant_id = ${tenantId} and r.id = any(array(
        select c.id from campaign_recipients c
        join leads l on l.tenant_id = ${tenantId} and l.id = c.lead_id
        where c.tenant_id = ${tenantId} and c.id = any(${ids}::uuid[]) and c.status in ('skipped', 'failed')
          and not exists (
            select from (${recipientsOfPerson(tx, 'l')}) o
            where (o.status in ('waiting', 'planned', 'queued')
              or o.status in ('skipped', 'failed') and o.id < c.id and o.id = any(${ids}::uuid[])
              or o.campaign_id = c.campaign_id and o.lead_id <> c.lead_id
                and (o.last_sent_at is not null or o.reason ->> 'code' = ${takenOut.code})))))
      and r.status in ('skipped', 'failed')
    returning r.id, r.campaign_id as "campaignId"`.execute(tx)
  const revived = new Set(rows.map(({ campaignId }) => campaignId))
  for (const { id } of campaigns.filter(({ id }) => revived.has(id))) await requestPlan(tx, id, getNow(tx))
  return new Set(rows.map(({ id }) => id))
}
