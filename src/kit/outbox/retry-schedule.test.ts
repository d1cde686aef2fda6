/** When an attempt that failed is repeated, and when no more. */
import { expect, test } from 'vitest'
import { nextAttemptAt } from './retry-schedule.ts'

const schedule = [5000, 300_000]

/** Seconds until the next attempt; null: there is none. */
function waitSeconds(attemptsBefore: number, retryAfterMs = 0): number | null {
  const now = new Date()
  const next = nextAttemptAt(schedule, { attemptsBefore, retryAfterMs, now })
  return next && (next.getTime() - now.getTime()) / 1000
}

test.each([
  [1, 5],
  [2, 300],
])('after attempt %i about %i s, never the same for all', (attempt, seconds) => {
  const waits = Array.from({ length: 200 }, () => waitSeconds(attempt - 1)!)
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(seconds * 0.9)
  expect(Math.max(...waits)).toBeLessThanOrEqual(seconds * 1.1 + 0.1)
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(seconds * 0.05)
})

test('after the last attempt there is none', () => {
  expect(waitSeconds(2)).toBeNull()
  expect(waitSeconds(700)).toBeNull()
})

test('what the destination asked for puts the next attempt off, and never brings it nearer', () => {
  expect(waitSeconds(0, 120_000)).toBeGreaterThanOrEqual(120)
  expect(waitSeconds(0, 120_000)).toBeLessThan(121)
  expect(waitSeconds(1, 1000)).toBeGreaterThan(250)
})
