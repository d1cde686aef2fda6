/** The SQL statements with which leads join a campaign. */
import { sql } from 'kysely'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { Reason } from './reasons.ts'

interface Joining {
  campaignId: string
  dueAt: Date
  /** Days after its end that a lead may join again; null: never. */
  reentryAfterDays: number | null
  /** The reason of those that another campaign writes to. */
  conflict: Reason
}

/**
 * Adds leads that exist. Returns those that are new, join again, or are skipped because another campaign writes to them. The
 * transaction holds the lock of leads.
 */
export async function insertRecipients(
  tx: Tx,
  leadIds: readonly string[],
  { campaignId, dueAt, reentryAfterDays, conflict }: Joining,
): Promise<{ leadId: string; status: 'waiting' | 'skipped' }[]> {
  const tenantId = getTenantId(tx)
  const now = getNow(tx)
  const ids = leadIds.map(() => createId(tx)).sort()
  const { rows } = await sql<{ leadId: string; status: 'waiting' | 'skipped' }>`
    insert into campaign_recipients as r
      (tenant_id, id, campaign_id, lead_id, status, due_at, reason, joined_at, ended_at, updated_at)
    select ${tenantId}::uuid, g.id, ${campaignId}::uuid, g.lead_id,
      case when other.is_active then 'skipped' else 'waiting' end,
      case when other.is_active then null else ${dueAt}::timestamptz end,
      case when other.is_active then ${JSON.stringify(conflict)}::jsonb end, ${now}::timestamptz,
      case when other.is_active then ${now}::timestamptz end, ${now}::timestamptz
    from unnest(${ids}::uuid[], ${leadIds}::uuid[]) as g (id, lead_id)
    join leads l on l.tenant_id = ${tenantId} and l.id = g.lead_id
    left join lateral (
      select true as is_active from campaign_recipients o
      where o.tenant_id = ${tenantId} and o.lead_id = g.lead_id and o.campaign_id <> ${campaignId}
        and o.status in ('waiting', 'planned', 'queued') limit 1) other on true
    on conflict (tenant_id, campaign_id, lead_id) do update set status = excluded.status, due_at = excluded.due_at,
      reason = excluded.reason, joined_at = excluded.joined_at, ended_at = excluded.ended_at, updated_at = excluded.updated_at,
      step = 0, last_step_at = null, last_sent_at = null, planned_at = null, message_id = null,
      round = r.round + case when r.reason ->> 'code' = ${conflict.code} then 0 else 1 end
    where r.status in ('completed', 'stopped', 'skipped', 'failed') and (
      r.ended_at <= ${now}::timestamptz - make_interval(days => ${reentryAfterDays}::int)
      or r.status = 'skipped' and r.reason ->> 'code' = ${conflict.code})
    returning r.lead_id as "leadId", r.status`.execute(tx)
  return rows
}

/** Those of these leads that are or were in the campaign. */
export async function findRecipientsOf(
  tx: Tx,
  campaignId: string,
  leadIds: readonly string[],
): Promise<Set<string>> {
  if (leadIds.length === 0) return new Set()
  const { rows } = await sql<{ leadId: string }>`
    select lead_id as "leadId" from campaign_recipients
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and lead_id = any(${leadIds}::uuid[])`.execute(
    tx,
  )
  return new Set(rows.map(({ leadId }) => leadId))
}
