/** Why a campaign of a portal does nothing: its last run failed or found nothing, or the next one is later. */
import type { CampaignRow } from './row.ts'
import type { CampaignRun } from './run-schemas.ts'
import type { Campaign, CampaignStats } from './schemas.ts'
import { formatTime } from './wait.ts'

interface RunFacts {
  run: CampaignRun | undefined
  stats: CampaignStats
  now: Date
  /** That of the workspace. */
  timezone: string
}

/** Null: it reads its portal, or has something to send. */
export function toRunWait(
  { status, nextRunAt, settings: { schedule } }: Pick<CampaignRow, 'status' | 'nextRunAt' | 'settings'>,
  { run, stats, now, timezone }: RunFacts,
): Campaign['wait'] {
  if (status !== 'running' || !run || run.status === 'running' || stats.waiting + stats.queued > 0)
    return null
  const nextTime = nextRunAt && formatTime(nextRunAt, now, schedule?.timezone ?? timezone)
  const next = nextTime
    ? `The next one begins ${nextTime}.`
    : 'There is no further one: change the search or the schedule to read it again.'
  const until = nextRunAt?.toISOString() ?? null
  if (run.status === 'failed' && run.reason)
    return {
      code: 'RUN_FAILED',
      message: `The last run at the portal failed: ${run.reason.message} ${next}`,
      until,
    }
  // An incremental run that finds nothing new is usual.
  if (run.status === 'completed' && run.portalTotal === 0)
    return {
      code: 'NOTHING_FOUND',
      message: `The search found no listings at its last run. ${next}`,
      until,
    }
  return nextRunAt && nextRunAt > now
    ? { code: 'NEXT_RUN', message: `The portal is read next ${nextTime}.`, until }
    : null
}
