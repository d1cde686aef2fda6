/** Why a campaign does nothing: its last run failed or found nothing, it sends no messages, or the next run is later. */
import type { CampaignRow } from './row.ts'
import type { CampaignRun } from './run-schemas.ts'
import type { Campaign, CampaignStats } from './schemas.ts'
import { formatTime, toWait } from './wait.ts'

interface RunFacts {
  run: CampaignRun | undefined
  stats: CampaignStats
  now: Date
  /** That of the workspace. */
  timezone: string
}

type RunCampaign = Pick<CampaignRow, 'status' | 'mode' | 'nextRunAt' | 'settings'>

/** Why a campaign does nothing, the most urgent reason first. Null: it does something, or does not run. */
export const toCampaignWait = (
  campaign: RunCampaign & Parameters<typeof toWait>[0],
  facts: RunFacts,
): Campaign['wait'] => toRunFailure(campaign, facts) ?? toWait(campaign, facts) ?? toRunWait(campaign, facts)

/** It reads its portal, or has something to send. */
const isBusy = ({ status, mode }: RunCampaign, { run, stats }: RunFacts): boolean =>
  status !== 'running' ||
  run?.status === 'running' ||
  stats.queued > 0 ||
  (stats.waiting > 0 && mode === 'extract_and_contact')

const formatNextRun = ({ nextRunAt, settings }: RunCampaign, { now, timezone }: RunFacts): string | null =>
  nextRunAt && formatTime(nextRunAt, now, settings.schedule?.timezone ?? timezone)

function toRunFailure(campaign: RunCampaign, facts: RunFacts): Campaign['wait'] {
  const failure = facts.run && explainRun(facts.run)
  if (!failure || isBusy(campaign, facts)) return null
  const nextTime = formatNextRun(campaign, facts)
  const next = nextTime
    ? `The next one begins ${nextTime}.`
    : 'There is no further one: change the search or the schedule to read it again.'
  return {
    code: failure.code,
    message: `${failure.message} ${next}`,
    until: campaign.nextRunAt?.toISOString() ?? null,
  }
}

function toRunWait(campaign: RunCampaign, facts: RunFacts): Campaign['wait'] {
  const { mode, nextRunAt, settings } = campaign
  const { stats, now } = facts
  if (isBusy(campaign, facts)) return null
  if (mode === 'extract_only' && settings.steps.length + stats.waiting > 0)
    return {
      code: 'EXTRACT_ONLY',
      message: `It finds leads and sends nothing: ${settings.steps.length > 0 ? '' : 'add steps and '}set mode to extract_and_contact to send its steps.`,
      until: null,
    }
  const message = `The portal is read next ${formatNextRun(campaign, facts)}.`
  return nextRunAt && nextRunAt > now ? { code: 'NEXT_RUN', message, until: nextRunAt.toISOString() } : null
}

/** An incremental run that finds nothing new is usual. */
function explainRun({ status, reason, portalTotal }: CampaignRun): { code: string; message: string } | null {
  if (status === 'failed' && reason)
    return { code: 'RUN_FAILED', message: `The last run at the portal failed: ${reason.message}` }
  if (status === 'completed' && portalTotal === 0)
    return { code: 'NOTHING_FOUND', message: 'The search found no listings at its last run.' }
  return null
}
