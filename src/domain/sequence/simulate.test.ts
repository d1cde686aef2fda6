/** Invariants of whole campaigns, with rules and recipients at random. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planAheadMs } from './plan-sends.ts'
import { type SimulationInput, simulate } from './simulate.ts'
import type { DueStep, PlannedSend } from './types.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const timezones = [
  'Europe/Madrid',
  'Atlantic/Canary',
  'Europe/Lisbon',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
]
/** Around both clock changes of the year. */
const nows = ['2026-10-23T10:17Z', '2027-03-26T21:00Z', '2026-12-31T22:59Z'].map(Date.parse)

const toId = (index: number) => `00000000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`
const time = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

const inputs: fc.Arbitrary<SimulationInput> = fc
  .record({
    timezone: fc.constantFrom(...timezones),
    nowMs: fc.constantFrom(...nows),
    windowed: fc.boolean(),
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 2, maxLength: 7 }),
    hours: fc.tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 30, max: 600 })),
    closedDates: fc.uniqueArray(fc.constantFrom('2026-10-26', '2026-12-31', '2027-01-01', '2027-03-29')),
    throttlePerMinute: fc.option(fc.integer({ min: 1, max: 40 })),
    dailyStartLimit: fc.option(fc.integer({ min: 5, max: 60 })),
    dailyBudget: fc.option(fc.integer({ min: 10, max: 80 })),
    monthlyQuota: fc.option(fc.integer({ min: 30, max: 120 })),
    seed: fc.integer({ min: 0, max: 1000 }),
    delays: fc.array(fc.constantFrom(0, 10, 600, 1440, 4320), { minLength: 1, maxLength: 4 }),
    joined: fc.array(fc.integer({ min: -3 * 1440, max: 1440 }), { minLength: 1, maxLength: 60 }),
    underway: fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 20 }),
  })
  .map(({ timezone, nowMs, windowed, days, hours: [from, length], closedDates, delays, ...rest }) => {
    const due: DueStep[] = rest.joined.map((offsetMin, index) => ({
      recipientId: toId(index),
      step: 0,
      dueAtMs: nowMs + (offsetMin + delays[0]!) * minuteMs,
      lastSentAtMs: null,
    }))
    const second = delays[1]
    if (second !== undefined)
      for (const [index, agoMin] of rest.underway.entries()) {
        const lastSentAtMs = nowMs - agoMin * minuteMs
        due.push({
          recipientId: toId(1000 + index),
          step: 1,
          dueAtMs: lastSentAtMs + second * minuteMs,
          lastSentAtMs,
        })
      }
    const to = Math.min(1440, from + length)
    return {
      steps: delays.map(delayMin => ({ delayMin, onlyIfNoReply: false })),
      rules: {
        window: windowed ? { timezone, days, from: time(from), to: time(to), closedDates } : null,
        timezone,
        throttlePerMinute: rest.throttlePerMinute,
        dailyStartLimit: rest.dailyStartLimit,
        dailyBudget: rest.dailyBudget,
        monthlyQuota: rest.monthlyQuota,
        startAtMs: null,
        endAtMs: null,
        seed: rest.seed,
      },
      pace: { nextAtMs: 0, day: 0, started: 0, budgetUsed: 0, quotaUsed: 0 },
      due,
      nowMs,
      untilMs: nowMs + 400 * dayMs,
    }
  })

const toLocal = (timeMs: number, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(timeMs).toZonedDateTimeISO(timezone)
const countBy = <T>(list: T[], toKey: (item: T) => string): Map<string, T[]> => Map.groupBy(list, toKey)
const holds = (check: (input: SimulationInput, sends: PlannedSend[]) => void) =>
  fc.assert(
    fc.property(inputs, input => check(input, simulate(input).sends)),
    { numRuns: 300 },
  )

test('nothing is sent outside the window, before it is due, or before now', () => {
  holds(({ rules: { window }, nowMs }, sends) => {
    for (const { atMs, dueAtMs } of sends) {
      expect(atMs).toBeGreaterThanOrEqual(Math.max(dueAtMs, nowMs))
      if (!window) continue
      const local = toLocal(atMs, window.timezone)
      expect(window.days).toContain(local.dayOfWeek)
      expect(window.closedDates).not.toContain(local.toPlainDate().toString())
      const clock = local.toPlainTime().toString({ smallestUnit: 'millisecond' })
      expect(clock >= window.from && clock < window.to).toBe(true)
    }
  })
})

test('every recipient gets every step once, in order, after its delay', () => {
  holds(({ steps, due }, sends) => {
    const byRecipient = countBy(sends, ({ recipientId }) => recipientId)
    for (const { recipientId, step: first } of due) {
      const received = byRecipient.get(recipientId) ?? []
      expect(received.map(({ step }) => step)).toEqual(steps.map((_, step) => step).slice(first))
      for (const [index, { step, atMs }] of received.entries())
        if (index > 0)
          expect(atMs - received[index - 1]!.atMs).toBeGreaterThanOrEqual(steps[step]!.delayMin * minuteMs)
    }
    expect(sends).toHaveLength(due.reduce((count, { step }) => count + steps.length - step, 0))
  })
})

test('no minute has more messages than the throttle, and no day or month more than its limits', () => {
  holds(({ rules: { throttlePerMinute, dailyStartLimit, dailyBudget, monthlyQuota, timezone } }, sends) => {
    if (throttlePerMinute !== null)
      for (const [index, { atMs }] of sends.entries()) {
        const later = sends[index + throttlePerMinute]
        if (later) expect(later.atMs - atMs).toBeGreaterThanOrEqual(minuteMs)
      }
    const byDay = countBy(sends, ({ atMs }) => toLocal(atMs, timezone).toPlainDate().toString())
    for (const [day, sent] of byDay) {
      const started = sent.filter(({ lastSentAtMs }) => lastSentAtMs === null)
      if (dailyStartLimit !== null) expect(started.length).toBeLessThanOrEqual(dailyStartLimit)
      const people = sent.filter(
        ({ lastSentAtMs }) =>
          lastSentAtMs === null || toLocal(lastSentAtMs, timezone).toPlainDate().toString() !== day,
      )
      if (dailyBudget !== null) expect(people.length).toBeLessThanOrEqual(dailyBudget)
    }
    const byMonth = countBy(sends, ({ atMs }) =>
      toLocal(atMs, timezone).toPlainDate().toPlainYearMonth().toString(),
    )
    for (const sent of byMonth.values())
      if (monthlyQuota !== null) expect(sent.length).toBeLessThanOrEqual(monthlyQuota)
  })
})

test('messages are in the order of time, and those of a step in the order in which they became due', () => {
  holds((_, sends) => {
    for (const [index, { atMs }] of sends.entries())
      if (index > 0) expect(atMs).toBeGreaterThanOrEqual(sends[index - 1]!.atMs)
    // What becomes due while a plan is carried out waits for the next one.
    for (const [, sent] of countBy(sends, ({ step, lastSentAtMs }) => `${step} ${lastSentAtMs === null}`))
      for (const [index, { dueAtMs, atMs }] of sent.entries())
        if (index > 0 && dueAtMs < sent[index - 1]!.dueAtMs - planAheadMs)
          expect.fail(`the message due at ${dueAtMs} was sent at ${atMs}, after one that was due later`)
  })
})

test('the messages are the same if the run is cut in two at any time', () => {
  fc.assert(
    fc.property(inputs, fc.integer({ min: 0, max: 10 * 1440 }), (input, cutMin) => {
      const whole = simulate(input)
      const again = simulate(input)
      expect(again).toEqual(whole)
      const cutMs = input.nowMs + cutMin * minuteMs
      const first = simulate({ ...input, untilMs: cutMs })
      expect(first.sends).toEqual(whole.sends.filter(({ atMs }) => atMs <= cutMs))
    }),
    { numRuns: 200 },
  )
})
