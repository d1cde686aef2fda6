/** Reads what a preview depends on: the recipients, the pace, and who may not be contacted. */

import { sql } from 'kysely'
import { reasonCodes } from '../../../domain/contactability/reasons.ts'
import { planAheadMs } from '../../../domain/sequence/plan-sends.ts'
import type { DueStep, PlannedSend } from '../../../domain/sequence/types.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { previewContacts } from '../../privacy/service.ts'
import { getCampaign } from '../campaigns/queries.ts'
import { readStats } from '../campaigns/read-stats.ts'
import type { CampaignRow, StoredWait } from '../campaigns/row.ts'
import { decideStep, toDue, toSequence } from '../engine/decide-step.ts'
import type { EngineDependencies } from '../engine/dependencies.ts'
import { type PlanContext, readPlanContext } from '../engine/plan-context.ts'
import { type RecipientRow, selectRecipients } from '../engine/recipient-rows.ts'
import { preferOptOuts, type RecipientEnding, toReason } from '../engine/refusals.ts'
import type { Reason } from '../recipients/reasons.ts'
import { type CheckedRecipient, createConflictCheck } from '../recipients/shared-identities.ts'
import { recipientsMax } from './schemas.ts'
import { leadsMax, type SkippedLeads } from './skipped-leads.ts'

export interface PreviewState {
  campaign: CampaignRow
  now: Date
  /** `wait`: nothing can be planned. */
  context: PlanContext | { wait: StoredWait | null }
  /** Messages that are planned already. */
  queued: PlannedSend[]
  due: DueStep[]
  /** The leads of recipients, by their ids. */
  leadIds: Map<string, string>
  /** Recipients who have replied, and go on. */
  repliedIds: Set<string>
  skipped: SkippedLeads[]
  /** All who wait or are about to get a message, also those who are not looked at. */
  recipients: number
  isPartial: boolean
}

/** Recipients whose contactability one statement reads. */
const batchSize = 500

/** Throws 404. */
export async function readState(
  tx: Tx,
  dependencies: EngineDependencies,
  campaignId: string,
): Promise<PreviewState> {
  const campaign = await getCampaign(tx, campaignId)
  const now = getNow(tx)
  const context = await readPlanContext(tx, dependencies, campaign, {
    nowMs: toPlanMs(campaign, now),
    isPreview: true,
  })
  const active = await selectRecipients(
    tx,
    sql`r.campaign_id = ${campaignId} and r.status in ('waiting', 'planned', 'queued')`,
    sql`order by r.due_at, r.id limit ${recipientsMax}`,
  )
  const { waiting: waitingCount, queued } = (await readStats(tx, [campaignId])).get(campaignId)!
  const recipients = waitingCount + queued
  const state: PreviewState = {
    campaign,
    now,
    context,
    queued: [],
    due: [],
    leadIds: new Map(active.flatMap(({ id, leadId }) => (leadId ? [[id, leadId]] : []))),
    repliedIds: new Set(active.flatMap(({ id, repliedAt }) => (repliedAt ? id : []))),
    skipped: await countSkipped(tx, campaignId),
    recipients,
    isPartial: recipients > recipientsMax,
  }
  if ('wait' in context) return state
  const waiting: RecipientRow[] = []
  for (const recipient of active)
    if (recipient.status === 'waiting') waiting.push(recipient)
    else addQueued(state, recipient)
  const findConflicts = createConflictCheck(tx, campaign, context.channel)
  for (let start = 0; start < waiting.length; start += batchSize)
    await addWaiting(tx, state, {
      context,
      findConflicts,
      recipients: waiting.slice(start, start + batchSize),
    })
  return state
}

/** Those that were skipped already. The words of contact reasons may name one person: their common ones replace them. */
async function countSkipped(tx: Tx, campaignId: string): Promise<SkippedLeads[]> {
  const { rows } = await sql<SkippedLeads>`
    select json_build_object('code', reason ->> 'code', 'message', min(reason ->> 'message')) as reason, count(*)::int as count,
      coalesce((array_agg(lead_id order by id) filter (where lead_id is not null))[:${leadsMax}::int], '{}') as "leadIds"
    from campaign_recipients
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and status = 'skipped' and reason is not null
    group by reason ->> 'code', case when reason ->> 'code' = any(${[...reasonCodes]}::text[]) then null else reason ->> 'message' end`.execute(
    tx,
  )
  return rows
}

/** When the engine plans next, if it runs; else it would start now. */
function toPlanMs({ status, planAt }: CampaignRow, now: Date): number {
  if (status !== 'running' || planAt === null) return now.getTime()
  return now.getTime() - planAt.getTime() < planAheadMs ? planAt.getTime() : now.getTime()
}

function addQueued(
  { campaign, queued, due }: PreviewState,
  { id, step, plannedAt, dueAt, lastSentAt }: RecipientRow,
): void {
  const atMs = plannedAt!.getTime()
  queued.push({
    recipientId: id,
    step,
    atMs,
    dueAtMs: dueAt?.getTime() ?? atMs,
    lastSentAtMs: lastSentAt?.getTime() ?? null,
  })
  const next = campaign.settings.steps[step + 1]
  if (next)
    due.push({
      recipientId: id,
      step: step + 1,
      dueAtMs: atMs + next.delayMinutes * 60_000,
      lastSentAtMs: atMs,
    })
}

/** Leaves out who may not be contacted, as the plan does. */
async function addWaiting(
  tx: Tx,
  { campaign, due, skipped }: PreviewState,
  {
    context: { channel },
    findConflicts,
    recipients,
  }: {
    context: PlanContext
    findConflicts: (recipients: CheckedRecipient[]) => Promise<Map<string, Reason>>
    recipients: RecipientRow[]
  },
): Promise<void> {
  const sequence = toSequence(campaign.settings)
  const ended: RecipientEnding[] = []
  const decided = recipients.flatMap(recipient => {
    const decision = decideStep(sequence, recipient)
    if (!decision.end) return { recipient, decision }
    ended.push({ recipient, end: decision.end })
    return []
  })
  for (const [index, { reason }] of (await preferOptOuts(tx, async () => channel, ended)).entries()) {
    const { leadId } = ended[index]!.recipient
    if (reason && leadId) skipped.push({ reason, count: 1, leadIds: [leadId] })
  }
  const contacts = await previewContacts(
    tx,
    channel,
    decided.map(({ recipient: { leadId } }) => ({ leadId })),
  )
  const allowed = decided.filter(({ recipient }, index) => {
    const contact = contacts[index]!
    if (contact instanceof Problem)
      skipped.push({ reason: toReason(contact), count: 1, leadIds: [recipient.leadId!] })
    return !(contact instanceof Problem)
  })
  const conflicts = await findConflicts(allowed.map(({ recipient }) => recipient))
  for (const { recipient, decision } of allowed) {
    const reason = conflicts.get(recipient.id)
    if (reason) {
      skipped.push({ reason, count: 1, leadIds: [recipient.leadId!] })
      continue
    }
    due.push({
      recipientId: recipient.id,
      step: decision.step,
      dueAtMs: toDue(recipient.dueAt!, decision).getTime(),
      lastSentAtMs: recipient.lastSentAt?.getTime() ?? null,
    })
  }
}
