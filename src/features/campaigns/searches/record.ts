/** Records at the end of a run what has changed in the search of its campaign. */
import { getNow, subtractDays } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emit } from '../../../kit/events/emit.ts'
import type { Portals } from '../../platforms/service.ts'
import { requestDigest } from '../campaigns/digest-times.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { readCoverage } from './coverage.ts'
import { searchChanged } from './events.ts'
import { toGoneChange, toShownChange } from './find-changes.ts'
import { readRunChanges } from './list-changes.ts'
import * as queries from './queries.ts'

/** Listings that are compared in one transaction. */
const batchSize = 2000
/** Runs that completed and were not cut, but could not prove that they had read everything: so many are the baseline. */
const baselineRunsMax = 3
const changesKept = 10_000
const returnMaxDays = 180

interface Recording {
  campaign: CampaignRow
  run: queries.SearchRun & { incremental: boolean }
  /** When the last completed run of the search began; null: none has completed. */
  since: Date | null
  portals: Portals
}

/** The next run reads the whole search, because the listings that it shows are not known yet. */
export const needsBaseline = async (tx: Tx, { id, settings }: CampaignRow): Promise<boolean> =>
  settings.notifications !== null && !(await queries.hasBaseline(tx, id))

/**
 * Compares the next batch of a completed run with what is known of its search, and stores the changes. Returns false if nothing is
 * left to do. A batch that is done again finds nothing.
 */
export async function recordChanges(tx: Tx, recording: Recording): Promise<boolean> {
  const { campaign, run, since, portals } = recording
  if (campaign.settings.notifications === null) return false
  const isBaseline = (await queries.lockState(tx, campaign.id)).baselineAt === null
  // It began before the notifications were switched on, and has read only what changed.
  if (isBaseline && run.incremental) return false
  const { isComplete } = await readCoverage(tx, portals, run)
  const shown = await queries.listShown(tx, run, {
    since: isBaseline || isComplete ? null : since,
    isBaseline,
    limit: batchSize,
  })
  if (shown.length > 0) {
    await queries.storeShown(tx, campaign.id, shown)
    if (!isBaseline)
      await queries.insertChanges(
        tx,
        run,
        shown.map(toShownChange).filter(change => change !== null),
      )
    return true
  }
  if (isBaseline) return false
  const gone = await queries.listGone(tx, run, { isComplete, limit: batchSize })
  if (gone.length === 0) return false
  await queries.markGone(
    tx,
    campaign.id,
    gone.map(({ listingId }) => listingId),
  )
  await queries.insertChanges(
    tx,
    run,
    gone.map(toGoneChange).filter(change => change !== null),
  )
  return true
}

/** Ends a completed run whose changes are recorded: emits one event if it has found any. */
export async function finishSearch(tx: Tx, { campaign, run, portals }: Recording): Promise<void> {
  const { notifications } = campaign.settings
  if (notifications === null) return
  const { baselineAt, baselineRuns } = await queries.lockState(tx, campaign.id)
  if (baselineAt === null) {
    if (run.incremental) return
    const { isComplete, isCut } = await readCoverage(tx, portals, run)
    const isLast = isComplete || (!isCut && baselineRuns + 1 >= baselineRunsMax)
    return queries.recordBaselineRun(tx, campaign.id, isLast)
  }
  const found = await readRunChanges(tx, run, notifications.changes)
  if (found.new + found.cheaper + found.gone > 0) {
    await requestDigest(tx, campaign.id, notifications)
    await emit(tx, searchChanged, {
      campaignId: campaign.id,
      runId: run.id,
      platform: run.platform,
      ...found,
    })
  }
  await queries.deleteOldChanges(tx, campaign.id, changesKept)
  await queries.forgetGone(tx, campaign.id, subtractDays(getNow(tx), returnMaxDays))
}

/** A run that failed after it had found changes, because its search was changed meanwhile, reports none. */
export const dropChanges = queries.deleteChangesOfRun
