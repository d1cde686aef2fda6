/** Recipients who were skipped or have failed because another recipient of the person, or of a shared identity, came first. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { fixedPlan } from '../../kit/db/plans.ts'
import { enqueue } from '../../kit/jobs/enqueue.ts'
import { tryShareLeads } from '../../kit/writer.ts'
import { joinConflicts } from './recipients/reasons.ts'

export const reviveHeldUpName = 'revive-held-up-recipients'

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

/** Leads of a job. */
const leadsMax = 500

/**
 * The recipients of these leads have ended: those whom they held up go on, in this campaign and in others. Most have held up nobody, and
 * then nothing is done. Who is joining at this moment does not see the end yet: then a job finds them when they have joined.
 */
export async function requestHeldUp(tx: Tx, leadIds: readonly (string | null)[]): Promise<void> {
  const ids = [...new Set(leadIds.flatMap(id => id ?? []))]
  if (ids.length === 0) return
  if ((await tryShareLeads(tx)) && !(await isAnybodyHeldUp(tx))) return
  await requestRevival(tx, ids)
}

/** A job looks for those of these leads, or of people who share an identity with them, whom nobody holds up any more. */
export async function requestRevival(tx: Tx, ids: readonly string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += leadsMax)
    await enqueue(tx, reviveHeldUpName, { leadIds: ids.slice(start, start + leadsMax) })
}

/** The index `campaign_recipients_held_up` has only them. */
async function isAnybodyHeldUp(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ isAnybody: boolean }>`
    ${fixedPlan} select exists (
      select from campaign_recipients
      where tenant_id = ${getTenantId(tx)} and status in ('skipped', 'failed') and reason ->> 'code' in (${sql.join(joinConflicts.map(code => sql.lit(code)))})
    ) as "isAnybody"`.execute(tx)
  return rows[0]!.isAnybody
}

/** Handles the end of leads that are deleted: other leads share their identities, which are known only now. */
export async function requestHeldUpOfOthers(tx: Tx, leadIds: readonly string[]): Promise<void> {
  const ending = new Set(leadIds)
  const others = (await findHeldUp(tx, leadIds)).flatMap(({ leadId }) => (ending.has(leadId) ? [] : leadId))
  await requestHeldUp(tx, others)
}
