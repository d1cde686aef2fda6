/** The SQL statements with which leads join a campaign. */
import { sql } from 'kysely'
import { createId, getNow, subtractDays } from '../../../kit/clock/clock.ts'
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
): Promise<JoinedRow[]> {
  const tenantId = getTenantId(tx)
  const now = getNow(tx)
  const joining = await findJoining(tx, leadIds, campaignId)
  if (joining.length === 0) return []
  const ids = joining.map(() => createId(tx)).sort()
  const records = joining.map(({ leadId, isConflict }, index) => ({
    id: ids[index]!,
    lead_id: leadId,
    status: isConflict ? 'skipped' : 'waiting',
    due_at: isConflict ? null : dueAt,
    reason: isConflict ? conflict : null,
    ended_at: isConflict ? now : null,
  }))
  const { rows: inserted } = await sql<JoinedRow>`
    insert into campaign_recipients
      (tenant_id, id, campaign_id, lead_id, status, due_at, reason, joined_at, ended_at, updated_at)
    select ${tenantId}::uuid, g.id, ${campaignId}::uuid, g.lead_id, g.status, g.due_at, g.reason, ${now}::timestamptz,
      g.ended_at, ${now}::timestamptz
    from ${toRecordset(records)}
    on conflict (tenant_id, campaign_id, lead_id) do nothing
    returning lead_id as "leadId", status`.execute(tx)
  const isNew = new Set(inserted.map(({ leadId }) => leadId))
  const known = records.filter(({ lead_id }) => !isNew.has(lead_id))
  if (known.length === 0) return inserted
  const reentryBefore = reentryAfterDays === null ? null : subtractDays(now, reentryAfterDays)
  const { rows: rejoined } = await sql<JoinedRow>`
    update campaign_recipients r set status = g.status, due_at = g.due_at, reason = g.reason, joined_at = ${now}::timestamptz,
      ended_at = g.ended_at, updated_at = ${now}::timestamptz, step = 0, last_step_at = null, last_sent_at = null, planned_at = null,
      message_id = null, round = r.round + case when r.reason ->> 'code' = ${conflict.code} then 0 else 1 end
    from ${toRecordset(known)}
    where r.tenant_id = ${tenantId} and r.campaign_id = ${campaignId} and r.lead_id = g.lead_id
      and r.status in ('completed', 'stopped', 'skipped', 'failed') and (
        r.ended_at <= ${reentryBefore}::timestamptz or r.status = 'skipped' and r.reason ->> 'code' = ${conflict.code})
    returning r.lead_id as "leadId", r.status`.execute(tx)
  return [...inserted, ...rejoined]
}

interface JoinedRow {
  leadId: string
  status: 'waiting' | 'skipped'
}

const toRecordset = (records: readonly object[]) => sql`jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
  as g (id uuid, lead_id uuid, status text, due_at timestamptz, reason jsonb, ended_at timestamptz)`

/** Those of these leads that exist, in this order; `isConflict`: another campaign writes to them. */
async function findJoining(
  tx: Tx,
  leadIds: readonly string[],
  campaignId: string,
): Promise<{ leadId: string; isConflict: boolean }[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ leadId: string; isConflict: boolean }>`
    select l.id as "leadId", exists (
      select from campaign_recipients o
      where o.tenant_id = ${tenantId} and o.lead_id = l.id and o.campaign_id <> ${campaignId}
        and o.status in ('waiting', 'planned', 'queued')) as "isConflict"
    from leads l where l.tenant_id = ${tenantId} and l.id = any(${leadIds}::uuid[])
    order by array_position(${leadIds}::uuid[], l.id)`.execute(tx)
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
