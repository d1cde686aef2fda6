/** The moves of a campaign between its statuses. */
import { healthReasons } from '../../../domain/campaigns/health.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emit } from '../../../kit/events/emit.ts'
import { Problem } from '../../../kit/problem.ts'
import { requestStart, requestWithdrawal } from '../recipient-jobs.ts'
import { enqueuePlan, requestPlan } from '../request-plan.ts'
import { closeRun } from './close-run.ts'
import { resumeDigest } from './digest-times.ts'
import { campaignCompleted, campaignPaused, campaignStarted } from './events.ts'
import { lockCampaign, updateCampaign } from './queries.ts'
import type { CampaignRow, PauseReason } from './row.ts'
import { findEnd, planRuns, setNextRun } from './run-times.ts'
import type { CampaignStatus } from './schemas.ts'

/** What users may request, by the present status. The program also completes what runs or is paused. */
const allowedMoves: Record<CampaignStatus, CampaignStatus[]> = {
  draft: ['running'],
  running: ['paused'],
  paused: ['running'],
  completed: [],
}

/** Throws 409 INVALID_TRANSITION, which names the moves allowed. */
export function assertMove({ status }: Pick<CampaignRow, 'status'>, to: CampaignStatus): void {
  const allowed = allowedMoves[status]
  if (allowed.includes(to)) return
  const hint =
    allowed.length === 0 ? 'It has ended: create a new one.' : `It may only become ${allowed.join(' or ')}.`
  const subject =
    to === status
      ? `The campaign is ${status} already.`
      : `A campaign that is ${status} can't become ${to}${to === 'running' || to === 'paused' ? '' : ', which only the program sets'}.`
  throw new Problem('INVALID_TRANSITION', `${subject} ${hint}`, { details: { allowedStatuses: allowed } })
}

/** Starts or resumes a locked campaign, which is ready. */
export async function startCampaign(tx: Tx, campaign: CampaignRow): Promise<void> {
  const now = getNow(tx)
  const { id, status, startedAt } = campaign
  await updateCampaign(tx, id, {
    status: 'running',
    pauseReason: null,
    startedAt: startedAt ?? now,
    ...(isJudgedAnew(campaign) ? { healthSince: now } : {}),
  })
  await planRuns(tx, { ...campaign, startedAt: startedAt ?? now })
  await resumeDigest(tx, id)
  await requestPlan(tx, id, now)
  if (startedAt === null) await requestStart(tx, id)
  await emit(tx, campaignStarted, { campaignId: id, status: 'running', previousStatus: status })
}

/** A pause of a user is no new beginning. */
const isJudgedAnew = ({ startedAt, pauseReason }: Pick<CampaignRow, 'startedAt' | 'pauseReason'>): boolean =>
  startedAt === null || healthReasons.some(code => code === pauseReason?.code)

/**
 * Pauses a campaign that runs. A run that is going on ends, and is due again when the campaign resumes. `reason` null: a user pauses
 * it. Returns false if it does not run.
 */
export async function pauseCampaign(
  tx: Tx,
  campaignId: string,
  reason: PauseReason | null,
): Promise<boolean> {
  const campaign = await lockCampaign(tx, campaignId)
  if (campaign?.status !== 'running') return false
  const planAt = findEnd(campaign.settings)
  await updateCampaign(tx, campaignId, { status: 'paused', pauseReason: reason, planAt })
  if (planAt) await enqueuePlan(tx, campaignId, planAt)
  await requestWithdrawal(tx, campaignId)
  // Before the event: whoever works on the run locks it before its own events.
  if (await closeRun(tx, campaignId)) await setNextRun(tx, campaignId, getNow(tx))
  await emit(tx, campaignPaused, {
    campaignId,
    status: 'paused',
    previousStatus: 'running',
    reason: reason?.code ?? null,
  })
  return true
}

/** Completes a campaign that runs or is paused. Returns false for any other one. */
export async function completeCampaign(tx: Tx, campaignId: string): Promise<boolean> {
  const campaign = await lockCampaign(tx, campaignId)
  if (campaign?.status !== 'running' && campaign?.status !== 'paused') return false
  await updateCampaign(tx, campaignId, { status: 'completed', completedAt: getNow(tx), planAt: null })
  await requestWithdrawal(tx, campaignId)
  await closeRun(tx, campaignId)
  await emit(tx, campaignCompleted, { campaignId, status: 'completed', previousStatus: campaign.status })
  return true
}
