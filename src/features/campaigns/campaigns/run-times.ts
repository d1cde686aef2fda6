/** When the portal of a campaign is read next. */
import { findNextRun, isRepeating } from '../../../domain/run-schedule.ts'
import { getNow, machineNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { isPortal } from './platforms.ts'
import type { CampaignRow } from './row.ts'

export const startRunName = 'start-campaign-run'

/** When the campaign completes at the latest; null: it has no end. */
export const findEnd = ({ schedule }: CampaignRow['settings']): Date | null =>
  schedule?.endAt ? new Date(schedule.endAt) : null

type ScheduledCampaign = Pick<CampaignRow, 'id' | 'platform' | 'settings' | 'startedAt'>

/**
 * Sets the time of the next run, and enqueues it. Call it when a campaign starts or resumes, which keeps the time that is known: a
 * run that was missed during a pause happens once. With `anew`, because the schedule or the search has changed.
 */
export async function planRuns(tx: Tx, campaign: ScheduledCampaign, { anew = false } = {}): Promise<void> {
  if (!isPortal(campaign.platform)) return setNextRun(tx, campaign.id, null)
  const { rows } = await sql<{ nextRunAt: Date | null; hasRun: boolean }>`
    select next_run_at as "nextRunAt", exists (
      select from campaign_runs r where r.tenant_id = ${getTenantId(tx)} and r.campaign_id = c.id
        and r.started_at >= coalesce(greatest(c.search_changed_at, c.contact_from), '-infinity')) as "hasRun"
    from campaigns c where c.tenant_id = ${getTenantId(tx)} and c.id = ${campaign.id}`.execute(tx)
  const { nextRunAt, hasRun } = rows[0]!
  const now = getNow(tx)
  const isKept = nextRunAt !== null && (!anew || nextRunAt <= now)
  await setNextRun(tx, campaign.id, isKept ? nextRunAt : findRunAfter(campaign, now, hasRun))
}

/** The first run at `from` or later. Without an interval or a cron line there is one run, at `startAt` or at once. */
export function findRunAfter(
  { settings: { schedule }, startedAt }: ScheduledCampaign,
  from: Date,
  hasRun: boolean,
): Date | null {
  if (isRepeating(schedule)) return findNextRun(schedule!, from, startedAt ?? from)
  if (hasRun) return null
  const startAt = schedule?.startAt ? new Date(schedule.startAt) : from
  return startAt > from ? startAt : from
}

export async function setNextRun(tx: Tx, campaignId: string, at: Date | null): Promise<void> {
  await sql`
    update campaigns set next_run_at = ${at} where tenant_id = ${getTenantId(tx)} and id = ${campaignId}`.execute(
    tx,
  )
  if (!at) return
  // Jobs run by the machine's clock. A clock that is moved starts the run earlier.
  const delayMs = at.getTime() - getNow(tx).getTime()
  await enqueue(
    tx,
    startRunName,
    { campaignId },
    {
      jobKey: `${startRunName} ${campaignId}`,
      ...(delayMs > 0 ? { runAt: new Date(machineNow() + delayMs) } : {}),
    },
  )
}
