/** The times of retries. */
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
])('after attempt %i the wait is about %i s, with jitter', (attempt, seconds) => {
  const waits = Array.from({ length: 200 }, () => waitSeconds(attempt - 1)!)
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(seconds * 0.9)
  expect(Math.max(...waits)).toBeLessThanOrEqual(seconds * 1.1 + 0.1)
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(seconds * 0.05)
})

test('there is no attempt after the last one', () => {
  expect(waitSeconds(2)).toBeNull()
  expect(waitSeconds(700)).toBeNull()
})

test('Retry-After may delay the next attempt, but never brings it forward', () => {
  expect(waitSeconds(0, 120_000)).toBeGreaterThanOrEqual(120)
  expect(waitSeconds(0, 120_000)).toBeLessThan(121)
  expect(waitSeconds(1, 1000)).toBeGreaterThan(250)
})
