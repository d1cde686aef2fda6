/**
 * Plans the messages of a campaign: which recipients get their next step, and when. It is the same function as in the preview
 * (decision 64), for a minute ahead.
 */
import { createPlanSends, type DueSteps, planAheadMs } from '../../../domain/sequence/plan-sends.ts'
import type { DueStep, Wait } from '../../../domain/sequence/types.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { previewContacts } from '../../privacy/service.ts'
import { completeCampaign } from '../campaigns/moves.ts'
import { lockCampaign } from '../campaigns/queries.ts'
import type { CampaignRow, StoredWait } from '../campaigns/row.ts'
import { findEnd } from '../campaigns/run-times.ts'
import { hasReplied } from '../recipients/reasons.ts'
import { createConflictCheck } from '../recipients/shared-identities.ts'
import { enqueuePlan } from '../request-plan.ts'
import { findBatchEnd, readBatch } from './batches.ts'
import { completeOrRest, hasPassedEnd } from './complete.ts'
import { decideStep, toDue, toSequence } from './decide-step.ts'
import type { EngineDependencies } from './dependencies.ts'
import { enqueueQueueing } from './enqueue.ts'
import { type PlanContext, readPlanContext } from './plan-context.ts'
import {
  findNextDue,
  hasActive,
  type LaterStep,
  lockDue,
  storeLater,
  storePlan,
  storePlanned,
} from './plan-queries.ts'
import type { RecipientRow } from './recipient-rows.ts'
import { preferOptOuts, type RecipientEnding, toReason, toRefusedEnd } from './refusals.ts'
import { storeEnds, storeSkippedSteps } from './store-ends.ts'

/** Recipients that are planned together, of each kind. */
const chunkMax = 500
/** Recipients that another transaction changes are planned then. */
const retryMs = 1000
/** A quota that is raised is noticed after so long. */
const quotaCheckMs = 10 * 60_000
/** Recipients who become due one by one are planned together. */
const plansApartMs = 1000

export interface PlanResult {
  /** Messages that are to be queued. */
  planned: number
  /** True: more is due, so plan again. */
  hasMore: boolean
}

const nothing: PlanResult = { planned: 0, hasMore: false }

/** Plans what is due of a running campaign, and requests its next plan. */
export async function planCampaign(
  tx: Tx,
  dependencies: EngineDependencies,
  campaignId: string,
): Promise<PlanResult> {
  const campaign = await lockCampaign(tx, campaignId)
  const now = getNow(tx)
  if (!campaign || campaign.planAt === null) return nothing
  if (campaign.planAt > now) {
    await enqueuePlan(tx, campaignId, campaign.planAt)
    return nothing
  }
  // One that is paused has no plan but that of its end.
  if (hasPassedEnd(tx, campaign)) {
    await completeCampaign(tx, campaignId)
    return nothing
  }
  if (campaign.status !== 'running') return nothing
  if (await rest(tx, campaign)) return nothing
  // A plan that begins a little late is that of its time, as in the preview.
  const nowMs =
    now.getTime() - campaign.planAt.getTime() < planAheadMs ? campaign.planAt.getTime() : now.getTime()
  const context = await readPlanContext(tx, dependencies, campaign, { nowMs })
  return 'wait' in context ? postpone(tx, campaign, context) : planDue(tx, campaign, context)
}

/** Returns true if no recipient is active: nothing is to be planned. */
async function rest(tx: Tx, campaign: CampaignRow): Promise<boolean> {
  if (await hasActive(tx, campaign.id)) return false
  const resting = await completeOrRest(tx, campaign)
  if (resting) await postpone(tx, campaign, { wait: resting.wait, planAt: resting.until })
  return true
}

/** Nothing can be planned before. */
async function postpone(
  tx: Tx,
  campaign: CampaignRow,
  { wait, planAt }: { wait: StoredWait | null; planAt: Date | null },
): Promise<PlanResult> {
  const nextAt = toEarliest(planAt, findEnd(campaign.settings))
  await storePlan(tx, campaign.id, { pace: null, planAt: nextAt, wait })
  if (nextAt) await enqueuePlan(tx, campaign.id, nextAt)
  return nothing
}

async function planDue(tx: Tx, campaign: CampaignRow, context: PlanContext): Promise<PlanResult> {
  const { nowMs, rules } = context
  const limit = Math.min(chunkMax, (rules.throttlePerMinute ?? chunkMax) + 1)
  // A late plan also takes what has become due meanwhile: the planner gives each its own time.
  const dueUntil = new Date(Math.max(nowMs, getNow(tx).getTime()))
  const found = { at: dueUntil, limit }
  const batch = await readBatch(tx, campaign, nowMs)
  const startsLimit = Math.min(limit, batch?.size ?? limit)
  const starts = await lockDue(tx, campaign.id, 'starts', { ...found, limit: startsLimit })
  const followUps = await lockDue(tx, campaign.id, 'followUps', found)
  const due: DueSteps = {
    starts: await keepSendable(tx, campaign, context, starts, dueUntil),
    followUps: await keepSendable(tx, campaign, context, followUps, dueUntil),
  }
  const { sends, pace, wait } = createPlanSends(rules)(context.pace, due, {
    nowMs,
    untilMs: nowMs + planAheadMs,
  })
  await storePlanned(tx, sends)
  const batchEnd = findBatchEnd(batch, sends, nowMs)
  const nextDue = await findNextDue(
    tx,
    campaign.id,
    wait?.reason === 'DAILY_START_LIMIT' || batchEnd ? ['followUps'] : ['starts', 'followUps'],
  )
  const hasProgress =
    sends.length > 0 || due.starts.length + due.followUps.length < starts.length + followUps.length
  const planAt = toEarliest(
    toNextPlan({
      wait,
      nextDue,
      nowMs,
      dueUntil,
      retryAt: hasProgress ? null : new Date(getNow(tx).getTime() + retryMs),
    }),
    toEarliest(batchEnd, findEnd(campaign.settings)),
  )
  await storePlan(tx, campaign.id, { pace, planAt, wait: toStoredWait(wait) })
  if (sends.length > 0) await enqueueQueueing(tx, campaign.id, sends.length)
  const hasMore = planAt !== null && planAt <= getNow(tx)
  if (planAt && !hasMore) await enqueuePlan(tx, campaign.id, planAt, plansApartMs)
  if (nextDue === null && sends.length === 0) await rest(tx, campaign)
  return { planned: sends.length, hasMore }
}

/** What was due and was not planned comes at once, if there was progress. */
function toNextPlan({
  wait,
  nextDue,
  nowMs,
  dueUntil,
  retryAt,
}: {
  wait: Wait | null
  nextDue: Date | null
  nowMs: number
  dueUntil: Date
  retryAt: Date | null
}): Date | null {
  const waitUntil = wait?.untilMs == null ? null : new Date(wait.untilMs)
  if (wait?.reason === 'QUOTA_EXCEEDED') return toEarliest(waitUntil, new Date(nowMs + quotaCheckMs))
  if (wait && wait.reason !== 'DAILY_START_LIMIT') return waitUntil
  const next =
    nextDue && nextDue <= dueUntil ? (retryAt ?? new Date(Math.max(nextDue.getTime(), nowMs))) : nextDue
  return toEarliest(waitUntil, next)
}

export const toStoredWait = (wait: Wait | null): StoredWait | null =>
  wait && {
    code: wait.reason,
    until: wait.untilMs === null ? null : new Date(wait.untilMs).toISOString(),
  }

/** Stores what becomes of the others, and returns those that get a message. */
async function keepSendable(
  tx: Tx,
  campaign: CampaignRow,
  { channel }: PlanContext,
  recipients: RecipientRow[],
  dueUntil: Date,
): Promise<DueStep[]> {
  const sequence = toSequence(campaign.settings)
  const decided = recipients.map(recipient => ({ recipient, decision: decideStep(sequence, recipient) }))
  await storeSkippedSteps(
    tx,
    decided.map(({ recipient, decision }) => ({ ...recipient, steps: decision.skipped })),
    hasReplied,
  )
  const ended: RecipientEnding[] = []
  const later: LaterStep[] = []
  const sendable: { recipient: RecipientRow; step: number; dueAt: Date }[] = []
  for (const { recipient, decision } of decided) {
    const { id, dueAt } = recipient
    if (decision.end) ended.push({ recipient, end: decision.end })
    else if (decision.dueAt > dueUntil) later.push({ id, ...decision })
    else sendable.push({ recipient, step: decision.step, dueAt: toDue(dueAt!, decision) })
  }
  const ends = await preferOptOuts(tx, async () => channel, ended)
  const contacts = await previewContacts(
    tx,
    channel,
    sendable.map(({ recipient: { leadId } }) => ({ leadId })),
  )
  const allowed = sendable.filter(({ recipient }, index) => {
    const contact = contacts[index]!
    if (contact instanceof Problem) ends.push(toRefusedEnd(recipient, toReason(contact)))
    return !(contact instanceof Problem)
  })
  const conflicts = await createConflictCheck(
    tx,
    campaign,
    channel,
  )(allowed.map(({ recipient }) => recipient))
  for (const { recipient } of allowed) {
    const reason = conflicts.get(recipient.id)
    if (reason) ends.push(toRefusedEnd(recipient, reason))
  }
  await storeEnds(tx, ends)
  await storeLater(tx, sequence, later)
  // Skipped steps change the order.
  return allowed
    .filter(({ recipient: { id } }) => !conflicts.has(id))
    .map(({ recipient: { id, lastSentAt }, step, dueAt }) => ({
      recipientId: id,
      step,
      dueAtMs: dueAt.getTime(),
      lastSentAtMs: lastSentAt?.getTime() ?? null,
    }))
    .sort((one, other) => one.dueAtMs - other.dueAtMs)
}

const toEarliest = (one: Date | null, other: Date | null): Date | null => {
  if (one === null || other === null) return one ?? other
  return one <= other ? one : other
}
