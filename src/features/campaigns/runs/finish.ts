/** Finishes a run whose extraction has ended: its leads join the campaign, batch by batch. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { listChain, listSearchLeads } from '../../extractions/service.ts'
import type { Portals } from '../../platforms/service.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { setNextRun } from '../campaigns/run-times.ts'
import type { PortalSegmentation } from '../campaigns/segmentation-schemas.ts'
import { joinRecipients, lockForJoining } from '../recipients/join.ts'
import { beforeRestart } from '../recipients/reasons.ts'
import { skipLeads } from '../recipients/skip.ts'
import { requestPlan } from '../request-plan.ts'
import { dropChanges, finishSearch, recordChanges } from '../searches/record.ts'
import { findRunAfterFailure } from './after-failure.ts'
import { findJoinedUntil } from './joined-until.ts'
import * as queries from './queries.ts'

const searchChanged = {
  code: 'SEARCH_CHANGED',
  message:
    'The search of the campaign was changed during the run. Its leads did not join; the next run reads the new search.',
}

const campaignPaused = {
  code: 'CAMPAIGN_PAUSED',
  message:
    'The campaign was paused during the run. The leads found so far have joined; a new run begins when it resumes.',
}

/** Leads that join in one transaction. */
const batchSize = 500

/**
 * Lets the next batch of leads join, records the next batch of changes, and ends the run after the last one. Returns false if
 * nothing is left to do. A run that is interrupted continues with the batch that was not stored.
 */
export async function finishRun(tx: Tx, portals: Portals, runId: string): Promise<boolean> {
  // Before the run: whoever deletes the campaign locks it first.
  const campaignId = await queries.findCampaignOf(tx, runId)
  const campaign = campaignId === null ? undefined : await lockForJoining(tx, campaignId)
  if (!campaign) return false
  const run = await queries.lockRun(tx, runId)
  if (run?.status !== 'running' || run.extractionStatus === 'QUEUED' || run.extractionStatus === 'RUNNING')
    return false
  if (await joinNext(tx, campaign, run)) return true
  if (
    findFailure(campaign, run) === null &&
    (await recordChanges(tx, await toRecording(tx, campaign, run, portals)))
  )
    return true
  await end(tx, portals, campaign, run)
  return false
}

/** Returns false if no leads are left. */
async function joinNext(tx: Tx, campaign: CampaignRow, run: queries.RunRow): Promise<boolean> {
  if (campaign.mode === 'extract_only' || campaign.status === 'completed') return false
  if (isOfFormerSearch(campaign, run)) return false
  const since = findJoinedUntil(campaign, await queries.readHistory(tx, campaign, run.id))
  const found = await listSearchLeads(tx, {
    extractionId: run.extractionId,
    since,
    after: run.position,
    limit: batchSize,
  })
  const last = found.at(-1)
  if (!last) return false
  const leadIds = [...new Set(found.map(({ leadId }) => leadId))]
  const { messageRestartDate } = campaign.segmentation as PortalSegmentation
  const early = new Set(
    messageRestartDate ? await queries.findLeadsBefore(tx, leadIds, messageRestartDate) : [],
  )
  await skipLeads(tx, campaign.id, [...early], beforeRestart)
  const joining = leadIds.filter(leadId => !early.has(leadId))
  const { joined } = await joinRecipients(tx, campaign, joining)
  await queries.recordJoined(tx, { id: run.id, joined, position: last.position })
  return true
}

/** What is compared with the search as it was known. */
const toRecording = async (tx: Tx, campaign: CampaignRow, run: queries.RunRow, portals: Portals) => ({
  campaign,
  run: {
    ...run,
    platform: campaign.platform,
    chain: await listChain(tx, run.extractionId),
  },
  since: (await queries.readHistory(tx, campaign, run.id)).completedStartedAt,
  portals,
})

async function end(tx: Tx, portals: Portals, campaign: CampaignRow, run: queries.RunRow): Promise<void> {
  const failure = findFailure(campaign, run)
  const status = failure ? 'failed' : 'completed'
  await queries.endRun(tx, run.id, { status, reason: failure ?? explainOverQuota(run) ?? explainUnread(run) })
  if (failure) await dropChanges(tx, run)
  else await finishSearch(tx, await toRecording(tx, campaign, run, portals))
  await queries.applyRunEffects(tx, campaign.id, {
    allUrlsChecked: failure === null,
    segmentation: isOfFormerSearch(campaign, run) ? campaign.segmentation : withTotal(campaign, run),
  })
  const now = getNow(tx)
  // It may have been the last one.
  await requestPlan(tx, campaign.id, now)
  if (campaign.nextRunAt && campaign.nextRunAt <= now) return setNextRun(tx, campaign.id, campaign.nextRunAt)
  if (run.extractionStatus !== 'FAILED' || isOfFormerSearch(campaign, run)) return
  const { failures } = await queries.readHistory(tx, campaign)
  await setNextRun(tx, campaign.id, findRunAfterFailure(campaign, now, failures))
}

/** The segmentation with the portal's own count of the search. */
function withTotal({ segmentation }: CampaignRow, { portalTotal }: queries.RunRow): PortalSegmentation {
  const search = segmentation as PortalSegmentation
  return portalTotal === null ? search : { ...search, totalResults: portalTotal }
}

export const isOfFormerSearch = (
  { searchChangedAt }: CampaignRow,
  { startedAt }: Pick<queries.RunRow, 'startedAt'>,
): boolean => searchChangedAt !== null && searchChangedAt > startedAt

/** A later run finds these listings again. */
const explainOverQuota = ({ overQuota }: queries.RunRow): queries.RunReason | null =>
  overQuota === 0
    ? null
    : {
        code: 'LEADS_NOT_STORED',
        message: `${overQuota} listings became no leads: the quota maxLeadsPerMonth was used up.`,
      }

/** What a completed run did not see; a cancelled one was ended by the user. */
function explainUnread({ extractionStatus, ...run }: queries.RunRow): queries.RunReason | null {
  if (extractionStatus !== 'COMPLETED' || !run.isPartial) return null
  const { portalTotal, listingsRead, unreadable } = run
  const message =
    unreadable > 0
      ? `${unreadable} listings could not be read.`
      : `${listingsRead} of the ${portalTotal ?? 'unknown number of'} listings of the search were read: the portal shows no more of them. Narrow the filters to find the others.`
  return { code: 'LISTINGS_NOT_READ', message }
}

/** Why the run failed; null: it completed. */
function findFailure(campaign: CampaignRow, run: queries.RunRow): queries.RunReason | null {
  if (isOfFormerSearch(campaign, run)) return searchChanged
  if (run.extractionStatus === 'FAILED') return run.error
  if (run.extractionStatus === 'COMPLETED' || campaign.allUrlsChecked) return null
  if (campaign.status === 'paused') return campaignPaused
  return {
    code: 'EXTRACTION_CANCELLED',
    message: 'The extraction of the run was cancelled. The leads that it had found have joined.',
  }
}
