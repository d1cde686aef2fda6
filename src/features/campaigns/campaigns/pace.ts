/** The pace of a campaign, as the planner reads it. */
import type { Pace, PaceRules, SendWindow } from '../../../domain/sequence/types.ts'
import { listHolidays } from '../../scheduling/service.ts'
import type { CampaignRow } from './row.ts'
import type { CampaignSettings } from './settings-schemas.ts'

const dayMs = 86_400_000
/** A window is searched for an opening within a year, and plans are made some weeks ahead. */
const holidaysAheadDays = 500

interface PaceContext {
  nowMs: number
  /** That of the workspace: its days are those of the limits. */
  timezone: string
  /** People to whom the account may write first on a day; null: no limit. */
  dailyBudget: number | null
  /** Messages of the workspace in a month; null: no limit. */
  monthlyQuota: number | null
}

/** Loads the holidays of its regions. */
export async function toPaceRules(
  campaign: Pick<CampaignRow, 'settings' | 'segmentation' | 'seed'>,
  { nowMs, timezone, dailyBudget, monthlyQuota }: PaceContext,
): Promise<PaceRules> {
  const { sendWindow, throttlePerMinute, dailyLeadLimit, schedule } = campaign.settings
  return {
    window: sendWindow && (await toSendWindow(sendWindow, nowMs)),
    timezone,
    throttlePerMinute,
    dailyStartLimit: dailyLeadLimit,
    dailyBudget,
    monthlyQuota,
    startAtMs: findStart(campaign, timezone)?.getTime() ?? null,
    endAtMs: schedule?.endAt ? Date.parse(schedule.endAt) : null,
    seed: campaign.seed,
  }
}

/** Its holidays as dates. */
export async function toSendWindow(
  { holidays, ...window }: NonNullable<CampaignSettings['sendWindow']>,
  nowMs: number,
): Promise<SendWindow> {
  const range = { startMs: nowMs, endMs: nowMs + holidaysAheadDays * dayMs }
  const closed = holidays.map(async holiday => {
    const region = toRegion(holiday)
    return region ? listHolidays(region, range) : [holiday]
  })
  return { ...window, closedDates: [...new Set((await Promise.all(closed)).flat())] }
}

/** The region of a holiday such as `ES-CT`; null: it is a date. */
export function toRegion(holiday: string): { country: string; region: string | null } | null {
  if (/^\d/.test(holiday)) return null
  const [country, region = null] = holiday.split('-') as [string, string?]
  return { country, region }
}

/** How far a campaign has come. `today`: the local date of the workspace. */
export function toPace(
  { nextSendAt }: Pick<CampaignRow, 'nextSendAt'>,
  { today, ...used }: { today: string } & Omit<Pace, 'nextAtMs' | 'day'>,
): Pace {
  return { nextAtMs: nextSendAt?.getTime() ?? 0, day: Date.parse(`${today}T00:00Z`) / dayMs, ...used }
}

/** When its messages begin: `startAt`, or `messageRestartDate` in the time zone of the workspace. Null: at once. */
export function findStart(
  { settings, segmentation }: Pick<CampaignRow, 'settings' | 'segmentation'>,
  timezone: string,
): Date | null {
  const startAt = settings.schedule?.startAt ?? null
  const restart = 'messageRestartDate' in segmentation ? segmentation.messageRestartDate : null
  const times = [
    ...(startAt === null ? [] : [Date.parse(startAt)]),
    ...(restart === null
      ? []
      : [Temporal.PlainDate.from(restart).toZonedDateTime(timezone).epochMilliseconds]),
  ]
  return times.length === 0 ? null : new Date(Math.max(...times))
}
