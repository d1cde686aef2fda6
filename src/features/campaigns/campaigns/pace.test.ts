/** The pace of a campaign as the planner reads it: holidays of regions, the days of limits, and the beginning. */
import { expect, test } from 'vitest'
import { completeSettings } from './complete-settings.ts'
import { findStart, toPace, toPaceRules } from './pace.ts'
import type { CampaignRow } from './row.ts'
import type { Segmentation } from './segmentation-schemas.ts'
import type { CampaignSettingsInput } from './settings-schemas.ts'

const timezone = 'Europe/Madrid'
const now = new Date('2026-11-27T10:00:00Z')
const complete = (input: CampaignSettingsInput) => completeSettings(input, { timezone, now })

test('rules have the limits, the end and the seed; regions become dates', async () => {
  const settings = complete({
    dailyLeadLimit: 3,
    throttlePerMinute: 2,
    schedule: { endAt: '2026-12-31T23:00:00+01:00' },
    sendWindow: { days: [5, 1], from: '10:00', holidays: ['2026-12-24', 'ES-CT'] },
  })
  const { window, ...rules } = await toPaceRules(
    { settings, segmentation: {} as Segmentation, seed: 5 },
    { nowMs: now.getTime(), timezone, dailyBudget: 20, monthlyQuota: 900 },
  )
  expect(rules).toEqual({
    timezone,
    throttlePerMinute: 2,
    dailyStartLimit: 3,
    dailyBudget: 20,
    monthlyQuota: 900,
    startAtMs: null,
    endAtMs: Date.parse('2026-12-31T22:00:00Z'),
    seed: 5,
  })
  expect(window).toMatchObject({ timezone, days: [1, 5], from: '10:00', to: '20:00' })
  // St Stephen's Day and the national day of Catalonia are holidays of the region, the Constitution one of the country.
  for (const date of ['2026-12-24', '2026-12-26', '2027-09-11', '2026-12-08'])
    expect(window!.closedDates).toContain(date)
  expect(window!.closedDates).not.toContain('2026-11-30')
})

test('the pace goes on from the last message', () => {
  const used = { started: 9, budgetUsed: 4, quotaUsed: 0 }
  const day = Date.UTC(2026, 10, 27) / 86_400_000
  const context = { today: '2026-11-27', ...used }
  expect(toPace({ nextSendAt: now }, context)).toEqual({ nextAtMs: now.getTime(), day, ...used })
  expect(toPace({ nextSendAt: null }, context)).toEqual({ nextAtMs: 0, day, ...used })
})

test('nothing is sent before the campaign begins, nor before messages restart', () => {
  const settings = complete({ schedule: { startAt: '2026-12-01T09:00:00Z' } })
  const toSearch = (messageRestartDate: string): Segmentation => ({
    filters: null,
    expectedResults: null,
    totalResults: null,
    messageRestartDate,
  })
  const none = { settings: complete({}), segmentation: {} as Segmentation }
  const find = (changes: Partial<CampaignRow>) =>
    findStart({ ...none, ...changes }, timezone)?.toISOString() ?? null
  expect(find({})).toBeNull()
  expect(find({ settings })).toBe('2026-12-01T09:00:00.000Z')
  expect(find({ settings, segmentation: toSearch('2026-12-05') })).toBe('2026-12-04T23:00:00.000Z')
})
