/** Recipients who were skipped or have failed because another recipient of the person, or of a shared identity, came first. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { requestHeldUp } from '../recipient-jobs.ts'
import { joinConflicts } from './reasons.ts'

export interface HeldUpRecipient {
  id: string
  campaignId: string
  leadId: string
  lastSentAt: Date | null
}

/** The recipients that are found in a campaign for one identity: the end of one lets the next one go on. */
const sharingMax = 5

/** Those of these leads, and of leads that share an identity with them. The first joined come first. Each lead is looked up by the index. */
export async function findHeldUp(tx: Tx, leadIds: readonly string[]): Promise<HeldUpRecipient[]> {
  if (leadIds.length === 0) return []
  const tenantId = getTenantId(tx)
  const { rows } = await sql<HeldUpRecipient>`
    select distinct found.id, found.campaign_id as "campaignId", found.lead_id as "leadId", found.last_sent_at as "lastSentAt"
    from unnest(${leadIds}::uuid[]) as g (lead_id)
    cross join lateral (
      select null as value
      union all
      select i.value from lead_identifiers i where i.tenant_id = ${tenantId} and i.lead_id = g.lead_id) own
    cross join lateral (
      select r.id, r.campaign_id, r.lead_id, r.last_sent_at, row_number() over (partition by r.campaign_id order by r.id) as position
      from (
        select g.lead_id where own.value is null
        union
        select i.lead_id from lead_identifiers i
        where i.tenant_id = ${tenantId} and i.value = any(array[own.value, regexp_replace(own.value, '^\\+', 'whatsapp:'),
          regexp_replace(own.value, '^whatsapp:', '+')])) sharing
      cross join lateral (
        select * from campaign_recipients r where r.tenant_id = ${tenantId} and r.lead_id = sharing.lead_id offset 0) r
      where r.status in ('skipped', 'failed') and r.reason ->> 'code' = any(${joinConflicts}::text[])) found
    where found.position <= ${sharingMax}
    order by found.id`.execute(tx)
  return rows
}

/** Handles the end of leads that are deleted: other leads share their identities, which are known only now. */
export async function requestHeldUpOfOthers(tx: Tx, leadIds: readonly string[]): Promise<void> {
  const ending = new Set(leadIds)
  const others = (await findHeldUp(tx, leadIds)).flatMap(({ leadId }) => (ending.has(leadId) ? [] : leadId))
  await requestHeldUp(tx, others)
}
