/** Advances recipients when their messages end: to the next step, back to the plan, or to their end. */
import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { readLocalDay } from '../../accounts/service.ts'
import type { CampaignMessageEnd } from '../../messaging/service.ts'
import { findCampaigns } from '../campaigns/queries.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import {
  budgetExhausted,
  ended as campaignEnd,
  closed,
  hasReplied,
  isPlannedAgain,
  isRefusal,
  type Reason,
} from '../recipients/reasons.ts'
import { requestPlan } from '../request-plan.ts'
import {
  type Advance,
  failLater,
  storeAdvances,
  storeDue,
  storePlannedAgain,
  storeSent,
} from './advance-queries.ts'
import { decideStep, type StepDecision, toSequence } from './decide-step.ts'
import type { EngineDependencies } from './dependencies.ts'
import { toDayStart } from './plan-context.ts'
import { hasActive } from './plan-queries.ts'
import { type RecipientRow, type RecipientStatus, selectRecipients } from './recipient-rows.ts'
import { findChannel, preferOptOuts, type RecipientEnding, toRefusedEnd } from './refusals.ts'
import { type RecipientEnd, type SkippedSteps, storeEnds, storeSkippedSteps } from './store-ends.ts'

/** A message that is sent so soon after its time counts as sent at it, as in the preview. */
const onTimeMs = 60_000

interface Ended {
  recipient: RecipientRow
  campaign: CampaignRow
  end: CampaignMessageEnd
}

/** Handles `campaignMessagesEnded`. A message that may have been sent counts as sent, so that none is sent twice. */
export async function advanceRecipients(
  tx: Tx,
  dependencies: EngineDependencies,
  ends: CampaignMessageEnd[],
): Promise<void> {
  const first = new Map(ends.filter(({ previous }) => previous === 'queued').map(end => [end.messageId, end]))
  await failLater(
    tx,
    ends.flatMap(({ messageId, status, previous, failure }) =>
      status === 'failed' && previous !== 'queued' ? { messageId, reason: toReason(failure) } : [],
    ),
  )
  if (first.size === 0) return
  // Always in the same order, so that two transactions cannot deadlock.
  const recipients = await selectRecipients(
    tx,
    sql`r.message_id = any(${[...first.keys()]}::uuid[])`,
    sql`order by r.id for no key update of r`,
  )
  const campaigns = await findCampaigns(tx, [...new Set(recipients.map(({ campaignId }) => campaignId))])
  const campaignById = new Map(campaigns.map(campaign => [campaign.id, campaign]))
  // The recipients of a deleted campaign are deleted in batches: some may be left.
  const ended = recipients.flatMap(recipient => {
    const campaign = campaignById.get(recipient.campaignId)
    return campaign ? { recipient, campaign, end: first.get(recipient.messageId!)! } : []
  })
  await advance(tx, dependencies, ended)
  for (const campaign of campaigns.sort((one, other) => (one.id < other.id ? -1 : 1)))
    await wakePlan(tx, campaign, ended)
}

async function advance(tx: Tx, dependencies: EngineDependencies, ended: Ended[]): Promise<void> {
  // One that has ended meanwhile stays so.
  const isActive = ({ recipient }: Ended) => recipient.status === 'queued'
  const active = ended.filter(isActive)
  const late = ended.filter(each => !isActive(each) && each.end.status !== 'failed')
  await storeSent(
    tx,
    late.map(({ recipient, end: { at } }) => ({ id: recipient.id, at, status: toLateStatus(recipient, at) })),
  )
  const advances: Advance[] = []
  const skipped: SkippedSteps[] = []
  const failed: Ending[] = []
  const done: Ending[] = []
  for (const { recipient, campaign, end } of active) {
    const { id } = recipient
    if (end.status === 'failed') {
      const reason = toReason(end.failure)
      if (!isPlannedAgain(reason.code))
        failed.push({ recipient, campaign, end: toFailedEnd(recipient, reason, end) })
      continue
    }
    const lastStepAt = toStepTime(recipient, end.at)
    const advanced = { ...recipient, step: recipient.step + 1, lastStepAt, lastSentAt: end.at }
    const decision = decideNext(campaign, advanced)
    skipped.push({ ...recipient, steps: decision.skipped })
    const next = decision.end ? { step: advanced.step, dueAt: null } : decision
    if (decision.end) done.push({ recipient: advanced, campaign, end: decision.end })
    advances.push({ id, sentAt: end.at, lastStepAt, step: next.step, dueAt: next.dueAt, end: null })
  }
  const ends = await toEnds(tx, dependencies, [...failed, ...done])
  await storeAdvances(
    tx,
    advances.map(each => ({ ...each, end: ends.get(each.id) ?? null })),
  )
  await storeSkippedSteps(tx, skipped, hasReplied)
  await storeEnds(
    tx,
    failed.map(({ recipient: { id } }) => ends.get(id)!),
  )
  const again = active.filter(
    ({ end }) => end.status === 'failed' && isPlannedAgain(toReason(end.failure).code),
  )
  await storePlannedAgain(
    tx,
    again.map(({ recipient: { id } }) => id),
  )
  await waitForNextDay(
    tx,
    again.flatMap(({ recipient, end }) => (end.failure?.code === budgetExhausted ? recipient : [])),
  )
}

/** Somebody who was skipped while their first message was being sent has got it. */
function toLateStatus(recipient: RecipientRow, sentAt: Date): RecipientStatus {
  const { id, status, reason } = recipient
  if (status !== 'skipped' || reason === null) return status
  return reason.code === closed.code ? 'stopped' : toRefusedEnd({ id, lastSentAt: sentAt }, reason).status
}

interface Ending extends RecipientEnding {
  campaign: CampaignRow
}

/** By recipient. */
async function toEnds(
  tx: Tx,
  dependencies: EngineDependencies,
  endings: Ending[],
): Promise<Map<string, RecipientEnd>> {
  const ends: RecipientEnd[] = []
  for (const [campaign, own] of Map.groupBy(endings, ending => ending.campaign))
    ends.push(...(await preferOptOuts(tx, () => findChannel(tx, dependencies, campaign), own)))
  return new Map(ends.map(end => [end.id, end]))
}

/**
 * The plan takes those who got a message today as counted by the budget. If the message answered them, or another account sent it, it
 * is not: they would be planned again at once.
 */
async function waitForNextDay(tx: Tx, recipients: RecipientRow[]): Promise<void> {
  if (recipients.every(({ lastSentAt }) => lastSentAt === null)) return
  const today = await readLocalDay(tx)
  const dayStartsAt = toDayStart(today)
  const ids = recipients.flatMap(({ id, lastSentAt }) => (lastSentAt && lastSentAt >= dayStartsAt ? id : []))
  await storeDue(tx, ids, today.endsAt)
}

/** A message that was being sent, or a task that was open, when the campaign completed is the last one. */
function decideNext({ status, settings }: CampaignRow, done: RecipientRow): StepDecision {
  const decision = decideStep(toSequence(settings), done)
  if (decision.end || status !== 'completed') return decision
  return { end: { status: 'stopped', reason: campaignEnd }, skipped: [] }
}

function toStepTime({ plannedAt }: RecipientRow, at: Date): Date {
  return plannedAt && Math.abs(at.getTime() - plannedAt.getTime()) < onTimeMs ? plannedAt : at
}

const toReason = (failure: CampaignMessageEnd['failure']): Reason =>
  failure
    ? { code: failure.code, message: failure.message }
    : { code: 'MESSAGE_REJECTED', message: 'The message failed.' }

/** What the campaign or a person withdrew ends the sequence; a refusal before the message reached the provider can change. */
function toFailedEnd(recipient: RecipientRow, reason: Reason, { failure }: CampaignMessageEnd): RecipientEnd {
  if (failure?.isWithdrawn) return { id: recipient.id, status: 'stopped', reason }
  if (isRefusal(reason.code)) return toRefusedEnd(recipient, reason)
  return { id: recipient.id, status: 'failed', reason }
}

/** Plans the next steps, and completes a campaign whose last recipient has ended. */
async function wakePlan(tx: Tx, { id }: CampaignRow, ended: Ended[]): Promise<void> {
  const recipients = ended.flatMap(({ campaign, recipient }) => (campaign.id === id ? recipient.id : []))
  const { rows } = await sql<{ at: Date | null }>`
    select min(due_at) as at from campaign_recipients
    where tenant_id = ${getTenantId(tx)} and id = any(${recipients}::uuid[]) and status = 'waiting'`.execute(
    tx,
  )
  const nextAt = rows[0]!.at
  if (nextAt) await requestPlan(tx, id, nextAt)
  else if (!(await hasActive(tx, id))) await requestPlan(tx, id, getNow(tx))
}
