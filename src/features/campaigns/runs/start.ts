/** Starts the run of a campaign that is due: an extraction at its portal. */
import { getNow } from '../../../kit/clock/clock.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { startCampaignExtraction } from '../../extractions/service.ts'
import type { Portals } from '../../platforms/service.ts'
import { lockCampaign } from '../campaigns/queries.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { findRunAfter, setNextRun } from '../campaigns/run-times.ts'
import type { PortalSegmentation } from '../campaigns/segmentation-schemas.ts'
import { needsBaseline } from '../searches/record.ts'
import { findRunAfterFailure } from './after-failure.ts'
import { findJoinedUntil } from './joined-until.ts'
import * as queries from './queries.ts'

/** The most leads of a run: the most that an extraction may have. */
const maxResults = 100_000
/** A year of hourly runs. */
const runsKept = 10_000

/**
 * Starts the run if it is due. There is one at a time: if the last one still runs, this one is left out. What refuses the
 * extraction, such as a quota, becomes the reason of the run.
 */
export async function startDueRun(tx: Tx, portals: Portals, campaignId: string): Promise<void> {
  const campaign = await lockCampaign(tx, campaignId)
  const now = getNow(tx)
  if (campaign?.status !== 'running' || !campaign.nextRunAt || campaign.nextRunAt > now) return
  const history = await queries.readHistory(tx, campaign)
  const next = findRunAfter(campaign, new Date(now.getTime() + 1), true)
  if (history.isRunning) {
    // A single run, for another search, waits for the end of this one.
    if (next) await setNextRun(tx, campaignId, next)
    return
  }
  const incremental = findJoinedUntil(campaign, history) !== null && !(await needsBaseline(tx, campaign))
  const runId = await queries.insertRun(tx, { campaignId, incremental })
  await queries.applyRunEffects(tx, campaignId, { ...campaign, allUrlsChecked: false })
  await queries.deleteOldRuns(tx, campaignId, runsKept)
  const started = await start(tx, portals, campaign, incremental)
  if (typeof started === 'string') {
    await queries.setExtraction(tx, runId, started)
    return setNextRun(tx, campaignId, next)
  }
  await queries.endRun(tx, runId, { status: 'failed', reason: started })
  await setNextRun(tx, campaignId, findRunAfterFailure(campaign, now, history.failures + 1))
}

/** Returns the id of the extraction, or why it can't be started. */
async function start(
  tx: Tx,
  portals: Portals,
  { id, platform, segmentation }: CampaignRow,
  incremental: boolean,
): Promise<string | queries.RunReason> {
  const filters = { ...(segmentation as PortalSegmentation).filters } as Record<string, unknown>
  await sql`savepoint before_run`.execute(tx)
  try {
    return await startCampaignExtraction(tx, portals, {
      campaignId: id,
      platform,
      filters,
      maxResults,
      incremental,
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await sql`rollback to savepoint before_run`.execute(tx)
    return { code: error.code, message: error.message }
  }
}
