/** A retry of the extraction of a run: a run of its own, so that its leads join. */
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { lockCampaign } from '../campaigns/queries.ts'
import { isOfFormerSearch } from './finish.ts'
import * as queries from './queries.ts'

/** Handles `campaignExtractionRetried`. Throws 409 INVALID_TRANSITION. */
export async function retryRun(
  tx: Tx,
  {
    campaignId,
    extractionId,
    resumedFrom,
  }: { campaignId: string; extractionId: string; resumedFrom: string },
): Promise<void> {
  const campaign = await lockCampaign(tx, campaignId)
  const run = await queries.findRunWith(tx, resumedFrom)
  if (!campaign || !run) return
  if (campaign.status === 'completed')
    throw new Problem(
      'INVALID_TRANSITION',
      'The campaign of this extraction has ended. Start an extraction of your own.',
    )
  if ((await queries.readHistory(tx, campaign)).isRunning)
    throw new Problem('INVALID_TRANSITION', 'The campaign has a run that is going on. Wait for its end.')
  if (isOfFormerSearch(campaign, run))
    throw new Problem(
      'INVALID_TRANSITION',
      'The search of the campaign was changed since. Its next run reads the new search.',
    )
  const runId = await queries.insertRun(tx, { campaignId, incremental: run.incremental })
  await queries.setExtraction(tx, runId, extractionId)
  await queries.applyRunEffects(tx, campaignId, { ...campaign, allUrlsChecked: false })
}
