/** When due messages are sent, case by case. */
import { expect, test } from 'vitest'
import { createPlanSends, planAheadMs } from './plan-sends.ts'
import { simulate } from './simulate.ts'
import type { DueStep, Pace, PaceRules, SendWindow } from './types.ts'

const timezone = 'Europe/Madrid'
const officeHours: SendWindow = {
  timezone,
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  to: '18:00',
  closedDates: [],
}
const freeRules: PaceRules = {
  window: null,
  timezone,
  throttlePerMinute: null,
  dailyStartLimit: null,
  dailyBudget: null,
  monthlyQuota: null,
  startAtMs: null,
  endAtMs: null,
  seed: 7,
}
const newPace: Pace = { nextAtMs: 0, day: 0, started: 0, budgetUsed: 0, quotaUsed: 0 }
const at = (local: string) => Temporal.ZonedDateTime.from(`${local}[${timezone}]`).epochMilliseconds
const format = (timeMs: number | null) =>
  timeMs === null
    ? null
    : Temporal.Instant.fromEpochMilliseconds(timeMs)
        .toZonedDateTimeISO(timezone)
        .toPlainDateTime()
        .toString({ smallestUnit: 'minute' })
const toId = (index: number) => `00000000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`
const start = (index: number, dueAtMs: number): DueStep => ({
  recipientId: toId(index),
  step: 0,
  dueAtMs,
  lastSentAtMs: null,
})
const followUp = (index: number, dueAtMs: number): DueStep => ({
  recipientId: toId(index),
  step: 1,
  dueAtMs,
  lastSentAtMs: dueAtMs - 3 * 86_400_000,
})
const starts = (count: number, dueAtMs: number) =>
  Array.from({ length: count }, (_, index) => start(index, dueAtMs))

function plan(rules: Partial<PaceRules>, due: DueStep[], now: string, pace = newPace) {
  const nowMs = at(now)
  const isStart = ({ step }: DueStep) => step === 0
  return createPlanSends({ ...freeRules, ...rules })(
    pace,
    { starts: due.filter(isStart), followUps: due.filter(each => !isStart(each)) },
    { nowMs, untilMs: nowMs + planAheadMs },
  )
}

test('without rules everything that is due is sent now, in the order in which it became due', () => {
  const now = '2026-11-27T23:00'
  const due = [start(1, at(now) - 2), start(2, at(now)), followUp(3, at(now) - 1)]
  const { sends, wait } = plan({}, due, now)
  expect(sends.map(({ recipientId }) => recipientId)).toEqual([toId(1), toId(3), toId(2)])
  expect(new Set(sends.map(({ atMs }) => atMs))).toEqual(new Set([at(now)]))
  expect(wait).toBeNull()
})

test.each([
  ['before it opens', '2026-11-27T08:59:00', '2026-11-27T09:00'],
  ['at its end', '2026-11-26T18:00', '2026-11-27T09:00'],
  ['over the weekend', '2026-11-27T18:00', '2026-11-30T09:00'],
  ['on a holiday', '2026-12-07T19:00', '2026-12-09T09:00'],
  ['on the day on which clocks go back', '2026-10-24T12:00', '2026-10-26T09:00'],
  ['on the day on which clocks go forward', '2027-03-27T12:00', '2027-03-29T09:00'],
])('a closed window waits: %s', (_, now, opening) => {
  const { sends, wait } = plan(
    { window: { ...officeHours, closedDates: ['2026-12-08'] } },
    [start(1, at(now))],
    now,
  )
  if (sends.length > 0) expect(format(sends[0]!.atMs)).toBe(opening)
  else expect([wait!.reason, format(wait!.untilMs)]).toEqual(['WINDOW', opening])
})

test.each([
  ['2026-10-25', 4],
  ['2027-03-28', 2],
])('a window over the night of a clock change is as long as the night: %s', (date, hours) => {
  const window = { timezone, days: [7], from: '00:00', to: '03:00', closedDates: [] }
  const nowMs = at(`${date}T00:00`)
  const { sends } = simulate({
    steps: [{ delayMin: 0, onlyIfNoReply: false }],
    rules: { ...freeRules, window, throttlePerMinute: 1 },
    pace: newPace,
    due: starts(500, nowMs),
    nowMs,
    untilMs: nowMs + 86_400_000,
  })
  const last = sends.at(-1)!.atMs
  expect(last - nowMs).toBeLessThan(hours * 3_600_000)
  expect(last - nowMs).toBeGreaterThan(hours * 3_600_000 - 100_000)
})

test('a window without days never opens', () => {
  const { sends, wait } = plan({ window: { ...officeHours, days: [] } }, [start(1, 0)], '2026-11-27T10:00')
  expect([sends, wait]).toEqual([[], { reason: 'NO_WINDOW', untilMs: null }])
})

test('nothing is sent from the end of the campaign on', () => {
  const now = '2026-11-27T10:00'
  expect(plan({ endAtMs: at(now) }, [start(1, 0)], now).wait).toEqual({ reason: 'ENDED', untilMs: null })
  expect(plan({ endAtMs: at(now) + 1 }, [start(1, 0)], now).sends).toHaveLength(1)
})

test('what became overdue in an outage is spread at the pace of the throttle, with uneven gaps', () => {
  const now = '2026-11-27T10:00'
  const { sends, wait } = plan({ throttlePerMinute: 6 }, starts(50, at('2026-11-01T10:00')), now)
  const gaps = sends.slice(1).map(({ atMs }, index) => atMs - sends[index]!.atMs)
  expect(sends.length).toBeGreaterThanOrEqual(4)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10_000)
  expect(Math.max(...gaps)).toBeLessThanOrEqual(16_000)
  expect(new Set(gaps).size).toBe(gaps.length)
  expect(wait!.reason).toBe('PACE')
})

test('the limit of first messages holds back no follow-ups', () => {
  const now = '2026-11-27T10:00'
  const due = [...starts(5, 0), followUp(9, at(now))]
  const { sends, pace, wait } = plan({ dailyStartLimit: 2 }, due, now)
  expect(sends.map(({ recipientId }) => recipientId)).toEqual([toId(0), toId(1), toId(9)])
  expect(pace.started).toBe(2)
  expect([wait!.reason, format(wait!.untilMs)]).toEqual(['DAILY_START_LIMIT', '2026-11-28T00:00'])
})

test('a campaign that begins later says so', () => {
  const startAtMs = at('2026-11-30T07:00')
  const rules = { startAtMs, window: officeHours, throttlePerMinute: 2 }
  expect(plan(rules, starts(2, 0), '2026-11-27T10:00').wait).toEqual({
    reason: 'NOT_BEGUN',
    untilMs: startAtMs,
  })
  const { wait } = plan(rules, starts(2, 0), '2026-11-30T07:00')
  expect([wait!.reason, format(wait!.untilMs)]).toEqual(['WINDOW', '2026-11-30T09:00'])
})

test('a quota that is used up says so, not the pace, and is renewed with the month', () => {
  const now = '2026-11-27T10:00'
  const pace = { ...newPace, day: Math.floor(at('2026-11-27T12:00') / 86_400_000), quotaUsed: 8 }
  const { sends, wait } = plan({ monthlyQuota: 10, throttlePerMinute: 2 }, starts(5, 0), now, pace)
  expect(sends).toHaveLength(2)
  expect([wait!.reason, format(wait!.untilMs)]).toEqual(['QUOTA_EXCEEDED', '2026-12-01T00:00'])
  expect(plan({ monthlyQuota: 10 }, starts(5, 0), '2026-12-01T00:00', pace).sends).toHaveLength(5)
})

test('the budget of the account counts each person once a day, and waits for the window of the next day', () => {
  const now = '2026-11-27T10:00'
  const again = { ...followUp(9, at(now) - 1), lastSentAtMs: at('2026-11-27T09:30') }
  const { sends, wait } = plan({ dailyBudget: 3, window: officeHours }, [...starts(5, at(now)), again], now, {
    ...newPace,
    day: (at(now) / 86_400_000) | 0,
    budgetUsed: 1,
  })
  expect(sends.map(({ recipientId }) => recipientId)).toEqual([toId(9), toId(0), toId(1)])
  expect([wait!.reason, format(wait!.untilMs)]).toEqual(['DAILY_BUDGET', '2026-11-30T09:00'])
})
