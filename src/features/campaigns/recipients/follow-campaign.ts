/** Recipients follow what is changed of their campaign: its delays, its lawful basis, and its deletion. */
import { sql } from 'kysely'
import { getNow, sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { findCampaign } from '../campaigns/queries.ts'
import { requestHeldUp } from '../held-up.ts'
import { applyBasisName, applyDelaysName, applyStartName } from '../recipient-jobs.ts'
import { requestPlan } from '../request-plan.ts'
import { batchJob } from './batch-job.ts'
import { lockBatch, type Position } from './batches.ts'
import { recordCampaignBasis, removeCampaignBasis } from './campaign-basis.ts'
import { lockForJoining } from './join.ts'
import { basisCodes, joinConflicts, noLawfulBasis } from './reasons.ts'
import { reviveRecipients } from './revive.ts'

const active = ['waiting', 'planned', 'queued'] as const

/** Recipients of a transaction. */
const delaysBatch = 1000
/** Each lead that gets a basis emits an event. */
const basisBatch = 500

/** The delay of a step counts from when the recipient joined or got the last step. A step that no longer exists is due at once. */
export async function applyDelays(tx: Tx, campaignId: string, from: Position): Promise<Position | null> {
  const { recipients, next } = await lockBatch(tx, campaignId, from, { statuses: active, limit: delaysBatch })
  // After the recipients were locked: one that advances meanwhile was waited for, and has its new step.
  const campaign = await findCampaign(tx, campaignId)
  if (!campaign || campaign.settings.steps.length === 0) return null
  const { rows } = await sql<{ at: Date | null }>`
    with changed as (
      -- Citus allows no sum of a time and an interval within coalesce.
      update campaign_recipients r set due_at = coalesce(r.last_step_at, r.joined_at) + coalesce(
          (${campaign.settings.steps.map(({ delayMinutes }) => delayMinutes)}::int[])[r.step + 1] * interval '1 minute',
          ${sqlNow(tx)} - coalesce(r.last_step_at, r.joined_at)),
        updated_at = ${getNow(tx)}
      where r.tenant_id = ${getTenantId(tx)} and r.id = any(${recipients.map(({ id }) => id)}::uuid[])
        and r.status in ('waiting', 'planned', 'queued')
      returning due_at)
    select min(due_at) as at from changed`.execute(tx)
  const dueAt = rows[0]!.at
  if (dueAt) await requestPlan(tx, campaignId, dueAt)
  return next
}

const basisStatuses = [...active, 'skipped', 'failed'] as const
const allStatuses = [...basisStatuses, 'completed', 'stopped'] as const

/**
 * Those who lacked a lawful basis and have one now go on: a basis that was withdrawn stays so. Where it replaces one that the campaign
 * attested before, the event of the lead lets them go on; where the campaign attests none any more, it ends their sequence.
 */
export async function applyBasis(tx: Tx, campaignId: string, from: Position): Promise<Position | null> {
  const campaign = await lockForJoining(tx, campaignId)
  if (!campaign || campaign.status === 'completed') return null
  if (campaign.settings.lawfulBasis === null) {
    const { recipients, next } = await lockBatch(tx, campaignId, from, {
      statuses: allStatuses,
      limit: basisBatch,
    })
    const leadIds = recipients.flatMap(({ leadId }) => leadId ?? [])
    await removeCampaignBasis(tx, campaignId, leadIds)
    return next
  }
  const isEnded = !(active as readonly string[]).includes(from.status)
  const { recipients, next } = await lockBatch(tx, campaignId, from, {
    statuses: basisStatuses,
    limit: basisBatch,
    ...(isEnded ? { condition: sql`reason ->> 'code' = any(${[...basisCodes]}::text[])` } : {}),
  })
  const leadIds = recipients.flatMap(({ leadId }) => leadId ?? [])
  await recordCampaignBasis(tx, campaign, leadIds)
  if (!isEnded || leadIds.length === 0) return next
  const { rows } = await sql<{ id: string }>`
    select id from leads
    where tenant_id = ${getTenantId(tx)} and id = any(${leadIds}::uuid[]) and lawful_basis is not null`.execute(
    tx,
  )
  const allowed = new Set(rows.map(({ id }) => id))
  await reviveRecipients(
    tx,
    [campaign],
    recipients.filter(({ leadId, code }) => code === noLawfulBasis && leadId !== null && allowed.has(leadId)),
  )
  return next
}

/** Those whom another draft held up: it yields now. */
async function applyStart(tx: Tx, campaignId: string, from: Position): Promise<Position | null> {
  const { recipients, next } = await lockBatch(tx, campaignId, from, {
    statuses: ['skipped'],
    limit: basisBatch,
    condition: sql`reason ->> 'code' = any(${[...joinConflicts]}::text[])`,
  })
  await requestHeldUp(
    tx,
    recipients.map(({ leadId }) => leadId),
  )
  return next
}

const first: Position = { status: 'waiting', after: null }

export const followJobs = [
  batchJob(applyDelaysName, first, applyDelays),
  batchJob(applyBasisName, first, applyBasis),
  batchJob(applyStartName, { status: 'skipped', after: null }, applyStart),
]
