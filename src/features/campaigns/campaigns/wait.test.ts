/** Why a running campaign does nothing, in words, in its own time zone. */
import { expect, test } from 'vitest'
import { completeSettings } from './complete-settings.ts'
import type { StoredWait } from './row.ts'
import { type CampaignRun, runExample } from './run-schemas.ts'
import { toCampaignWait } from './run-wait.ts'
import type { CampaignStats } from './schemas.ts'
import type { Segmentation } from './segmentation-schemas.ts'
import type { CampaignSettingsInput } from './settings-schemas.ts'

/** A Friday. */
const now = new Date('2026-11-27T20:00:00Z')
const timezone = 'Europe/Madrid'
const stats = { recipients: 5, waiting: 5, queued: 0, completed: 0, stopped: 0, skipped: 0, failed: 0 }

interface Case {
  settings?: CampaignSettingsInput
  wait?: StoredWait | null
  platform?: string
  status?: 'running' | 'paused'
  segmentation?: Segmentation
  recipients?: number
  stats?: Partial<CampaignStats>
  mode?: 'extract_only'
  contactMode?: 'chat' | 'chat-no-api'
  planAt?: Date | null
  run?: CampaignRun
}

const explain = ({ settings = {}, wait = null, platform = 'csv_import', run, ...rest }: Case) =>
  toCampaignWait(
    {
      nextRunAt: null,
      status: rest.status ?? 'running',
      platform,
      mode: rest.mode ?? 'extract_and_contact',
      wait,
      contactMode: rest.contactMode ?? 'chat',
      planAt: rest.planAt ?? null,
      segmentation: rest.segmentation ?? { batchSize: 5 },
      settings: completeSettings(settings, { timezone, now }),
    },
    { run, stats: { ...stats, recipients: rest.recipients ?? 5, ...rest.stats }, now, timezone },
  )

test.each<[string, Case, string | null]>([
  [
    'the window',
    { wait: { code: 'WINDOW', until: '2026-11-30T08:00:00.000Z' } },
    'Waiting for the send window, which opens Mon 09:00.',
  ],
  [
    'the window of another zone',
    {
      wait: { code: 'WINDOW', until: '2026-11-30T08:00:00.000Z' },
      settings: { sendWindow: { timezone: 'Atlantic/Canary' } },
    },
    'Waiting for the send window, which opens Mon 08:00.',
  ],
  [
    'a window that opens late',
    { wait: { code: 'WINDOW', until: '2026-12-09T08:00:00.000Z' } },
    'Waiting for the send window, which opens Wed 9 Dec 2026 09:00.',
  ],
  ['a wait that is over', { wait: { code: 'WINDOW', until: '2026-11-27T19:59:00.000Z' } }, null],
  [
    'a wait without an end',
    { wait: { code: 'NO_WINDOW', until: null } },
    'The send window does not open within a year. Change its days or holidays.',
  ],
  [
    'the beginning',
    { settings: { schedule: { startAt: '2026-12-01T07:30:00Z' } } },
    'Waiting for the beginning of the campaign, Tue 08:30.',
  ],
  [
    'messages that restart',
    {
      platform: 'portal_a',
      segmentation: {
        filters: {},
        expectedResults: null,
        totalResults: null,
        messageRestartDate: '2026-11-29',
      },
    },
    'Waiting for the beginning of the campaign, Sun 00:00.',
  ],
  [
    'nothing if it only extracts',
    { mode: 'extract_only', platform: 'social_ads', recipients: 0, stats: { waiting: 0 } },
    null,
  ],
  ['recipients', { recipients: 0 }, 'Waiting for recipients: send rows or leads to its recipients.'],
  [
    'a step that is due later',
    { planAt: new Date('2026-11-28T07:15:00Z') },
    'The next message is due Sat 08:15.',
  ],
  [
    'a step that is due after the end',
    { planAt: new Date('2026-11-28T07:15:00Z'), settings: { schedule: { endAt: '2026-11-28T07:15:00Z' } } },
    'The campaign ends before its messages may be sent. Choose a later end date.',
  ],
  [
    'nothing while messages are sent',
    { planAt: new Date('2026-11-28T07:15:00Z'), stats: { queued: 1 } },
    null,
  ],
  [
    'tasks',
    { contactMode: 'chat-no-api', stats: { queued: 3 } },
    'Messages wait until a person sends them: 3 as tasks.',
  ],
  [
    'a quota',
    { wait: { code: 'QUOTA_EXCEEDED', until: '2026-11-30T23:00:00.000Z' } },
    'The quota of messages of this month is used up; it is renewed Tue 00:00.',
  ],
  [
    'people who were left out',
    { wait: { code: 'LEFT_OUT', until: '2026-12-01T09:00:00.000Z', message: '2 recipients were left out.' } },
    '2 recipients were left out. The campaign completes Tue 10:00.',
  ],
  [
    'everybody was left out',
    { wait: { code: 'LEFT_OUT', until: null, message: 'All 2 recipients were left out.' } },
    'All 2 recipients were left out.',
  ],
  [
    'a run that failed, before the people who were left out',
    {
      wait: { code: 'LEFT_OUT', until: null, message: '2 recipients were left out.' },
      stats: { waiting: 0, skipped: 2 },
      run: {
        ...runExample,
        status: 'failed',
        reason: { code: 'BLOCKED', message: 'The portal refuses us.' },
      },
    },
    'The last run at the portal failed: The portal refuses us. There is no further one: change the search or the schedule to read it again.',
  ],
  ['nothing', {}, null],
  ['nothing while it is paused', { status: 'paused', recipients: 0 }, null],
])('%s', (_name, facts, message) => expect(explain(facts)?.message ?? null).toBe(message))
