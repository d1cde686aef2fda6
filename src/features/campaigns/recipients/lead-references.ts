/** Keeps recipients in step with leads that are deleted, merged and unmerged. */
import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { requestHeldUp, requestHeldUpOfOthers } from '../held-up.ts'
import { requestPlan } from '../request-plan.ts'
import { keepProgress } from './keep-progress.ts'
import { alreadyJoined, inAnotherCampaign, leadDeleted, type Reason } from './reasons.ts'
import { findWaitingInDrafts, yieldRecipients } from './yield.ts'

interface Merge {
  leadId: string
  absorbedId: string
}

/** Handles `leadsDeleted`: keeps the recipients for the numbers of the campaign, without their lead and what is said of it. */
export async function detachRecipients(tx: Tx, leadIds: string[]): Promise<void> {
  await requestHeldUpOfOthers(tx, leadIds)
  const tenantId = getTenantId(tx)
  const now = getNow(tx)
  const withoutDetails = sql`reason || ${JSON.stringify({ message: leadDeleted.message })}::jsonb`
  await sql`
    update campaign_sends set basis = null, reason = ${withoutDetails}
    where tenant_id = ${tenantId} and recipient_id in (
      select id from campaign_recipients where tenant_id = ${tenantId} and lead_id = any(${leadIds}::uuid[]))`.execute(
    tx,
  )
  const isActive = sql`status in ('waiting', 'planned', 'queued')`
  await sql`
    update campaign_recipients set lead_id = null, updated_at = ${now}, due_at = null, planned_at = null,
      reason = case when ${isActive} then ${JSON.stringify(leadDeleted)}::jsonb else ${withoutDetails} end,
      ended_at = coalesce(ended_at, ${now}), status = case when ${isActive} then 'stopped' else status end
    where tenant_id = ${tenantId} and lead_id = any(${leadIds}::uuid[])`.execute(tx)
}

interface MovedRow {
  id: string
  campaignId: string
  leadId: string | null
  status: string
  dueAt: string | null
  plannedAt: string | null
  reason: Reason | null
  endedAt: string | null
}

const isActive = ({ status }: Pick<MovedRow, 'status'>) => ['waiting', 'planned', 'queued'].includes(status)

/**
 * Handles `leadsMerged`: the recipients move to the surviving lead. It is once in a campaign, so the recipient of the absorbed lead
 * ends if both were in it, and one campaign writes to it: drafts yield. The transaction holds the lock of leads.
 */
export async function moveRecipients(
  tx: Tx,
  { leadId, absorbedId }: Merge,
): Promise<Record<string, object[]>> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<MovedRow>`
    select id, campaign_id as "campaignId", lead_id as "leadId", status, aldaba.iso_time(due_at) as "dueAt",
      aldaba.iso_time(planned_at) as "plannedAt", reason, aldaba.iso_time(ended_at) as "endedAt"
    from campaign_recipients where tenant_id = ${tenantId} and lead_id in (${leadId}, ${absorbedId}) order by id for no key update`.execute(
    tx,
  )
  const kept = rows.filter(row => row.leadId === leadId)
  const absorbed = rows.filter(row => row.leadId === absorbedId)
  const isTwice = (row: MovedRow) => kept.some(({ campaignId }) => campaignId === row.campaignId)
  const inDraft = await findWaitingInDrafts(tx, rows)
  const isStarted = absorbed.some(row => isActive(row) && !isTwice(row) && !inDraft.has(row.id))
  const yielded = await yieldRecipients(
    tx,
    kept.flatMap(({ id }) => (isStarted && inDraft.has(id) ? id : [])),
  )
  const isWritten = kept.some(row => isActive(row) && !yielded.has(row.id))
  const goingOn = await keepProgress(tx, { leadId, absorbedId })
  await storeMoved(
    tx,
    absorbed.map(row => {
      if (isTwice(row)) return { ...row, ...(isActive(row) ? endWith(tx, alreadyJoined) : {}), leadId: null }
      if (!isActive(row) || !isWritten) return { ...row, leadId }
      // A person who waits in a draft has got nothing: they go on there when the other campaign has ended for them.
      const status = inDraft.has(row.id) ? 'skipped' : 'stopped'
      return { ...row, ...endWith(tx, inAnotherCampaign), status, leadId }
    }),
  )
  for (const campaignId of goingOn) await requestPlan(tx, campaignId, getNow(tx))
  if (absorbed.length > 0) await requestHeldUp(tx, [leadId])
  return { campaignRecipients: absorbed }
}

const endWith = (tx: Tx, reason: Reason) => ({
  status: 'stopped',
  dueAt: null,
  plannedAt: null,
  reason,
  endedAt: getNow(tx).toISOString(),
})

/** Handles `mergeUndone`: they move back. One that the merge ended goes on, unless its campaign has completed. */
export async function restoreRecipients(
  tx: Tx,
  { leadId, absorbedId, saved }: Merge & { saved: Partial<Record<string, object[]>> },
): Promise<void> {
  const before = (saved.campaignRecipients ?? []) as MovedRow[]
  if (before.length === 0) return
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ id: string; code: string | null }>`
    select r.id, r.reason ->> 'code' as code from campaign_recipients r
    join campaigns c on c.tenant_id = ${tenantId} and c.id = r.campaign_id and c.status <> 'completed'
    where r.tenant_id = ${tenantId} and r.id = any(${before.map(({ id }) => id)}::uuid[])
    order by r.id for no key update of r`.execute(tx)
  const codes = new Map(rows.map(({ id, code }) => [id, code]))
  const mergeReasons: (string | null | undefined)[] = [alreadyJoined.code, inAnotherCampaign.code]
  const wasEnded = (row: MovedRow) => isActive(row) && mergeReasons.includes(codes.get(row.id))
  const ended = before.filter(wasEnded)
  const others = before.filter(row => !wasEnded(row))
  // A message that was queued meanwhile was withdrawn: its step is planned again.
  await storeMoved(
    tx,
    ended.map(row => ({ ...row, leadId: absorbedId, status: 'waiting', plannedAt: null })),
  )
  await sql`
    update campaign_recipients set lead_id = ${absorbedId}
    where tenant_id = ${tenantId} and id = any(${others.map(({ id }) => id)}::uuid[])`.execute(tx)
  // A lead waits in one campaign at a time.
  for (const { campaignId, dueAt } of ended)
    await requestPlan(tx, campaignId, dueAt ? new Date(dueAt) : getNow(tx))
  await requestHeldUp(tx, [leadId, absorbedId])
}

async function storeMoved(tx: Tx, rows: MovedRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update campaign_recipients r set lead_id = m."leadId", status = m.status, due_at = m."dueAt", planned_at = m."plannedAt",
      reason = m.reason, ended_at = m."endedAt", updated_at = ${getNow(tx)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (id uuid, "leadId" uuid, status text, "dueAt" timestamptz,
      "plannedAt" timestamptz, reason jsonb, "endedAt" timestamptz)
    where r.tenant_id = ${getTenantId(tx)} and r.id = m.id`.execute(tx)
}
