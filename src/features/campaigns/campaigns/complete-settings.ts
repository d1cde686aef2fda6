/** Completes the settings of campaigns: omitted fields have their default, or keep their value. */
import { toTimezone } from '../../../kit/time-zone.ts'
import { completeNotifications } from './complete-notifications.ts'
import type { CampaignSettings, CampaignSettingsInput } from './settings-schemas.ts'

const defaultSettings: CampaignSettings = {
  schedule: null,
  dailyLeadLimit: null,
  sendWindow: null,
  throttlePerMinute: null,
  steps: [],
  stopOnReply: true,
  reentryAfterDays: null,
  lawfulBasis: null,
  health: { maxFailureRate: 0.3, maxOptOutRate: 0.1, maxBlockRate: 0.05, minSends: 20 },
  ai: {
    enabled: false,
    mode: 'draft',
    instructions: '',
    model: null,
    maxTurns: 6,
    handoffKeywords: [],
    faq: [],
    questions: [],
    eventTypeId: null,
  },
  notifications: null,
}

const defaultSchedule = { everyMinutes: null, cron: null, startAt: null, endAt: null }
const defaultWindow = { days: [1, 2, 3, 4, 5], from: '09:00', to: '20:00', holidays: [] }

interface Defaults {
  /** That of the workspace. */
  timezone: string
  /** When a basis without a time was attested. */
  now: Date
  /** By whom, if nobody is named. */
  attestedBy?: string | null
}

/** `base`: the stored settings, which omitted fields keep; by default, the default ones. */
export function completeSettings(
  input: CampaignSettingsInput,
  { timezone, ...attested }: Defaults,
  base: CampaignSettings = defaultSettings,
): CampaignSettings {
  const { schedule, sendWindow, steps, lawfulBasis, health, ai, notifications, ...limits } = input
  return {
    ...base,
    ...limits,
    schedule: schedule
      ? toSchedule({ timezone, ...defaultSchedule, ...base.schedule, ...withoutOther(schedule) })
      : schedule === undefined
        ? base.schedule
        : null,
    sendWindow: sendWindow
      ? toWindow({ timezone, ...defaultWindow, ...base.sendWindow, ...sendWindow })
      : sendWindow === undefined
        ? base.sendWindow
        : null,
    steps: steps?.map(toStep) ?? base.steps,
    lawfulBasis: lawfulBasis
      ? toBasis(lawfulBasis, attested)
      : lawfulBasis === undefined
        ? base.lawfulBasis
        : null,
    health: { ...base.health, ...health },
    ai: completeAi(ai, base.ai),
    notifications: completeNotifications(notifications, timezone, base.notifications),
  }
}

function completeAi(
  { questions, ...input }: NonNullable<CampaignSettingsInput['ai']> = {},
  base: CampaignSettings['ai'],
): CampaignSettings['ai'] {
  return {
    ...base,
    ...input,
    questions:
      questions?.map(question => ({ options: [], min: null, max: null, ...question })) ?? base.questions,
  }
}

/** Runs are every so many minutes, or by `cron`: one that is sent replaces the other. */
function withoutOther({ everyMinutes, cron, ...rest }: Partial<Schedule>): Partial<Schedule> {
  if (everyMinutes != null && cron === undefined) return { ...rest, everyMinutes, cron: null }
  if (cron != null && everyMinutes === undefined) return { ...rest, cron, everyMinutes: null }
  return {
    ...rest,
    ...(everyMinutes === undefined ? {} : { everyMinutes }),
    ...(cron === undefined ? {} : { cron }),
  }
}

type Schedule = NonNullable<CampaignSettings['schedule']>
type Window = NonNullable<CampaignSettings['sendWindow']>
type Basis = NonNullable<CampaignSettings['lawfulBasis']>

/** Unknown time zones are refused before. */
const toKnownTimezone = (name: string): string => toTimezone(name) ?? name

const toUtc = (time: string | null): string | null => time && new Date(time).toISOString()

const toSchedule = (schedule: Schedule): Schedule => ({
  ...schedule,
  timezone: toKnownTimezone(schedule.timezone),
  startAt: toUtc(schedule.startAt),
  endAt: toUtc(schedule.endAt),
})

const toWindow = (window: Window): Window => ({
  ...window,
  timezone: toKnownTimezone(window.timezone),
  days: window.days.toSorted(),
})

const toStep = ({
  templateId,
  delayMinutes = 0,
  onlyIfNoReply = false,
  variants = [],
}: NonNullable<CampaignSettingsInput['steps']>[number]): CampaignSettings['steps'][number] => ({
  templateId: templateId.toLowerCase(),
  delayMinutes,
  onlyIfNoReply,
  variants: variants.map(variant => ({ templateId: variant.templateId.toLowerCase() })),
})

/** A clock that runs ahead by some seconds is no error. */
function toBasis(
  {
    kind,
    attestedBy,
    attestedAt,
    note = null,
    channels = null,
  }: NonNullable<CampaignSettingsInput['lawfulBasis']>,
  defaults: Omit<Defaults, 'timezone'>,
): Basis {
  const { now } = defaults
  const at = attestedAt === undefined ? now : new Date(Math.min(Date.parse(attestedAt), now.getTime()))
  return {
    kind,
    attestedBy: attestedBy ?? defaults.attestedBy ?? null,
    attestedAt: at.toISOString(),
    note,
    channels,
  }
}
