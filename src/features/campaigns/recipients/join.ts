/** Leads join a campaign as its recipients. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { lockCampaign } from '../campaigns/queries.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { requestPlan } from '../request-plan.ts'
import { recordCampaignBasis } from './campaign-basis.ts'
import { findRecipientsOf, insertRecipients } from './join-queries.ts'
import {
  alreadyJoined,
  campaignDeleted,
  campaignEnded,
  inAnotherCampaign,
  type Reason,
  unknownLead,
} from './reasons.ts'
import { isStarted } from './yield.ts'

export interface JoinResult {
  joined: number
  skipped: { leadId: string; reason: Reason }[]
  /** The changes of leads on which the lawful basis of the campaign was recorded, by lead id. */
  recorded: Map<string, object>
}

/** Leads that join with one statement. */
const batchSize = 500

/**
 * Adds leads to a campaign. One that is in it stays as it is, unless it may join again. One to whose person a campaign writes already
 * is `skipped` in the ledger. The campaign's lawful basis is recorded on those without one. Takes the lock of leads, then that of the
 * campaign, whose settings it reads: a transaction that emits events before has to take both first (`lockForJoining`). `importId`: the file by
 * which they join.
 */
export async function joinRecipients(
  tx: Tx,
  { id }: Pick<CampaignRow, 'id'>,
  leadIds: readonly string[],
  { importId = null }: { importId?: string | null } = {},
): Promise<JoinResult> {
  const ids = [...new Set(leadIds)]
  const result: JoinResult = { joined: 0, skipped: [], recorded: new Map() }
  if (ids.length === 0) return result
  const campaign = await lockForJoining(tx, id)
  if (!campaign || campaign.status === 'completed') {
    const reason = campaign ? campaignEnded : campaignDeleted
    return { ...result, skipped: ids.map(leadId => ({ leadId, reason })) }
  }
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = await joinBatch(tx, campaign, ids.slice(start, start + batchSize), importId)
    result.joined += batch.joined
    result.skipped.push(...batch.skipped)
    for (const [leadId, changes] of batch.recorded) result.recorded.set(leadId, changes)
  }
  if (result.joined > 0) await requestPlan(tx, campaign.id, toFirstDue(campaign, getNow(tx)))
  // It says that it does nothing.
  else if (result.skipped.some(({ reason }) => reason.code === inAnotherCampaign.code))
    await requestPlan(tx, campaign.id, getNow(tx))
  return result
}

/**
 * Takes the locks of joining, in the order of all transactions that take several: of leads, so that a lead joins one campaign at a
 * time, of the campaign, and at last of the tenant's events. Returns undefined for a campaign that was deleted.
 */
export async function lockForJoining(tx: Tx, campaignId: string): Promise<CampaignRow | undefined> {
  await lockLeadWrites(tx)
  return lockCampaign(tx, campaignId)
}

const toFirstDue = ({ settings: { steps } }: CampaignRow, now: Date): Date =>
  new Date(now.getTime() + (steps[0]?.delayMinutes ?? 0) * 60_000)

async function joinBatch(
  tx: Tx,
  campaign: CampaignRow,
  leadIds: string[],
  importId: string | null,
): Promise<JoinResult> {
  const joining = await insertRecipients(tx, leadIds, {
    campaignId: campaign.id,
    dueAt: toFirstDue(campaign, getNow(tx)),
    reentryAfterDays: campaign.settings.reentryAfterDays,
    importId,
    isStarted: isStarted(campaign),
  })
  const joinedIds = joining.flatMap(({ leadId, status }) => (status === 'waiting' ? leadId : []))
  const recorded = await recordCampaignBasis(tx, campaign, joinedIds)
  const isJoined = new Set(joinedIds)
  const rest = leadIds.filter(id => !isJoined.has(id))
  const conflicts = new Map(joining.map(({ leadId, reason }) => [leadId, reason]))
  const known = await findRecipientsOf(tx, campaign.id, rest)
  return {
    joined: joinedIds.length,
    recorded,
    skipped: rest.map(leadId => ({
      leadId,
      reason: conflicts.get(leadId) ?? (known.has(leadId) ? alreadyJoined : unknownLead),
    })),
  }
}
