/** Recipients that were skipped or have failed wait again. */
import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { requestHeldUp } from '../held-up.ts'
import { requestPlan } from '../request-plan.ts'
import { takenOut } from './reasons.ts'
import { recipientsOfPerson } from './same-person.ts'
import { isStarted, waitsInDraft, yieldRecipients } from './yield.ts'

/**
 * Their next step is due now. Those to whose person a campaign writes already, or who was taken out, stay as they are. The transaction holds the lock of
 * leads. Call it last. Returns the ids of those that wait.
 */
export async function reviveRecipients(
  tx: Tx,
  campaigns: readonly Pick<CampaignRow, 'id' | 'status'>[],
  recipients: readonly { id: string }[],
): Promise<Set<string>> {
  if (recipients.length === 0) return new Set()
  const tenantId = getTenantId(tx)
  const ids = recipients.map(({ id }) => id)
  const free = await findFree(tx, campaigns, ids)
  const yielded = await yieldRecipients(
    tx,
    free.flatMap(({ yieldingIds }) => yieldingIds),
  )
  const isYielded = ({ yieldingIds }: FreeRecipient) => yieldingIds.every(id => yielded.has(id))
  const { rows } = await sql<{ id: string; campaignId: string }>`
    update campaign_recipients r set status = 'waiting', reason = null, ended_at = null, due_at = ${getNow(tx)}, planned_at = null,
      message_id = null, updated_at = ${getNow(tx)}
    where r.tenant_id = ${tenantId} and r.id = any(${free.filter(isYielded).map(({ id }) => id)}::uuid[])
      and r.status in ('skipped', 'failed')
    returning r.id, r.campaign_id as "campaignId"`.execute(tx)
  await requestHeldUp(
    tx,
    free.flatMap(each => (isYielded(each) ? [] : each.leadId)),
  )
  const revived = new Set(rows.map(({ campaignId }) => campaignId))
  for (const { id } of campaigns.filter(({ id }) => revived.has(id))) await requestPlan(tx, id, getNow(tx))
  return new Set(rows.map(({ id }) => id))
}

interface FreeRecipient {
  id: string
  leadId: string
  /** Recipients of the person in drafts. */
  yieldingIds: string[]
}

/** Those to whose person no campaign writes: of several of a person the first. */
async function findFree(
  tx: Tx,
  campaigns: readonly Pick<CampaignRow, 'id' | 'status'>[],
  ids: readonly string[],
): Promise<FreeRecipient[]> {
  const tenantId = getTenantId(tx)
  const startedIds = campaigns.flatMap(campaign => (isStarted(campaign) ? campaign.id : []))
  const yields = sql`(c.campaign_id = any(${startedIds}::uuid[]) and ${waitsInDraft(tx, 'o')})`
  const { rows } = await sql<FreeRecipient>`
    select c.id, c.lead_id as "leadId", array(select o.id from (${recipientsOfPerson(tx, 'l')}) o where ${yields}) as "yieldingIds"
    from campaign_recipients c
    join leads l on l.tenant_id = ${tenantId} and l.id = c.lead_id
    where c.tenant_id = ${tenantId} and c.id = any(${ids}::uuid[]) and c.status in ('skipped', 'failed')
      and not exists (
        select from (${recipientsOfPerson(tx, 'l')}) o
        where (o.status in ('waiting', 'planned', 'queued') and not ${yields}
          or o.status in ('skipped', 'failed') and o.id < c.id and o.id = any(${ids}::uuid[])
          or o.campaign_id = c.campaign_id and o.lead_id <> c.lead_id
            and (o.last_sent_at is not null or o.reason ->> 'code' = ${takenOut.code})))`.execute(tx)
  return rows
}
