/** Why a running campaign does nothing now, in words. */
import { findStart } from './pace.ts'
import { csvImport, socialAds } from './platforms.ts'
import type { CampaignRow, StoredWait } from './row.ts'
import { findEnd } from './run-times.ts'
import type { Campaign, CampaignStats } from './schemas.ts'

interface Facts {
  stats: CampaignStats
  now: Date
  /** That of the workspace. */
  timezone: string
}

/** `{until}` is replaced by the time, if there is one. */
const sentences: Record<StoredWait['code'], string> = {
  NOT_BEGUN: 'Waiting for the beginning of the campaign, {until}.',
  WINDOW: 'Waiting for the send window, which opens {until}.',
  PACE: 'Messages are sent one after the other; the next one {until}.',
  DAILY_START_LIMIT:
    'As many people as allowed have got their first message today; the next ones get it {until}.',
  QUOTA_EXCEEDED: 'The quota of messages of this month is used up; it is renewed {until}.',
  DAILY_BUDGET:
    'The account has written to as many people today as its `dailyBudget` allows; it goes on {until}.',
  NO_WINDOW: 'The send window does not open within a year. Change its days or holidays.',
  ENDED: 'The campaign ends before its messages may be sent. Choose a later end date.',
  NO_ACCOUNT: 'There is no account, or more than one, that could send. Set `accountId`.',
  ACCOUNT_NOT_SENDING: 'The account is paused, or does not send for now. Its record says why.',
  LEFT_OUT: 'The campaign completes {until}.',
}

/** Where the people of a campaign without a portal come from. */
const sources: Partial<Record<string, string>> = {
  [csvImport]: 'send rows or leads to its recipients',
  widget: 'nobody has sent its form yet',
  [socialAds]: 'nobody has sent one of its forms yet',
}

/** Null: it does not run, or does not wait. */
export function toWait(
  campaign: Pick<
    CampaignRow,
    'status' | 'platform' | 'mode' | 'contactMode' | 'settings' | 'segmentation' | 'wait' | 'planAt'
  >,
  { stats, now, timezone }: Facts,
): Campaign['wait'] {
  if (campaign.status !== 'running') return null
  const zone = toZone(campaign.settings, timezone)
  const start = findStart(campaign, timezone)
  if (start && start > now) return formatWait({ code: 'NOT_BEGUN', until: start.toISOString() }, now, zone)
  if (campaign.wait) {
    const { until } = campaign.wait
    return until !== null && new Date(until) <= now ? null : formatWait(campaign.wait, now, zone)
  }
  if (campaign.contactMode === 'chat-no-api' && stats.queued > 0)
    return {
      code: 'TASKS',
      message: `Messages wait until a person sends them: ${stats.queued} as tasks.`,
      until: null,
    }
  // What is queued is being sent.
  if (stats.waiting > 0 && stats.queued === 0 && campaign.planAt && campaign.planAt > now)
    return explainNextPlan(campaign.planAt, findEnd(campaign.settings), { now, zone })
  const source = sources[campaign.platform]
  if (source && campaign.mode === 'extract_and_contact' && stats.recipients === 0)
    return { code: 'NO_RECIPIENTS', message: `Waiting for recipients: ${source}.`, until: null }
  return null
}

/** What is planned at the end is the completion: no message is due before. */
function explainNextPlan(at: Date, end: Date | null, { now, zone }: { now: Date; zone: string }) {
  if (end && at >= end) return formatWait({ code: 'ENDED', until: null }, now, zone)
  return {
    code: 'NOT_DUE',
    message: `The next message is due ${formatTime(at, now, zone)}.`,
    until: at.toISOString(),
  }
}

/** In which times are written. `timezone`: that of the workspace. */
export const toZone = (
  { sendWindow, schedule }: Pick<CampaignRow['settings'], 'sendWindow' | 'schedule'>,
  timezone: string,
): string => sendWindow?.timezone ?? schedule?.timezone ?? timezone

export const formatWait = ({ code, until, message }: StoredWait, now: Date, timeZone: string) => {
  const sentence = sentences[code].replace(
    '{until}',
    until === null ? '' : formatTime(new Date(until), now, timeZone),
  )
  return {
    code,
    message: [message, message && until === null ? null : sentence].filter(Boolean).join(' '),
    until,
  }
}

const dayMs = 86_400_000

/** `Mon 09:00`; with the date if it is later than in six days. */
export function formatTime(time: Date, now: Date, timeZone: string): string {
  const isFar = time.getTime() - now.getTime() > 6 * dayMs
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(isFar ? { day: 'numeric', month: 'short', year: 'numeric' } : {}),
  }).formatToParts(time)
  const get = (type: Intl.DateTimeFormatPartTypes) => parts.find(part => part.type === type)?.value
  const date = isFar ? ` ${get('day')} ${get('month')} ${get('year')}` : ''
  return `${get('weekday')}${date} ${get('hour')}:${get('minute')}`
}
