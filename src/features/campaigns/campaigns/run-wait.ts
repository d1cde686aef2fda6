/** Why a campaign does nothing: its last run failed or found nothing, it sends no messages, or the next run is later. */
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
  campaign: Pick<CampaignRow, 'status' | 'mode' | 'nextRunAt' | 'settings'>,
  { run, stats, now, timezone }: RunFacts,
): Campaign['wait'] {
  const { status, mode, nextRunAt, settings } = campaign
  const isSending = stats.queued > 0 || (stats.waiting > 0 && mode === 'extract_and_contact')
  if (status !== 'running' || run?.status === 'running' || isSending) return null
  const nextTime = nextRunAt && formatTime(nextRunAt, now, settings.schedule?.timezone ?? timezone)
  const until = nextRunAt?.toISOString() ?? null
  const failure = run && explainRun(run)
  if (failure) {
    const next = nextTime
      ? `The next one begins ${nextTime}.`
      : 'There is no further one: change the search or the schedule to read it again.'
    return { code: failure.code, message: `${failure.message} ${next}`, until }
  }
  if (mode === 'extract_only' && settings.steps.length + stats.waiting > 0)
    return {
      code: 'EXTRACT_ONLY',
      message: `It finds leads and sends nothing: ${settings.steps.length > 0 ? '' : 'add steps and '}set mode to extract_and_contact to send its steps.`,
      until: null,
    }
  return nextRunAt && nextRunAt > now
    ? { code: 'NEXT_RUN', message: `The portal is read next ${nextTime}.`, until }
    : null
}

/** An incremental run that finds nothing new is usual. */
function explainRun({ status, reason, portalTotal }: CampaignRun): { code: string; message: string } | null {
  if (status === 'failed' && reason)
    return { code: 'RUN_FAILED', message: `The last run at the portal failed: ${reason.message}` }
  if (status === 'completed' && portalTotal === 0)
    return { code: 'NOTHING_FOUND', message: 'The search found no listings at its last run.' }
  return null
}
