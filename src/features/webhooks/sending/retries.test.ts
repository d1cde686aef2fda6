/** When a delivery that failed is tried again, and when it is given up. */
import { describe, expect, test } from 'vitest'
import { nextAttemptAt } from './retries.ts'

/** Seconds until the next attempt; null: there is none. */
function waitSeconds(attemptsBefore: number, { status = 500, retryAfterMs = 0 } = {}): number | null {
  const now = Date.now()
  const next = nextAttemptAt({ responseStatus: status, retryAfterMs }, attemptsBefore)
  return next && (next.getTime() - now) / 1000
}

describe('waits', () => {
  test.each([5, 300, 1800, 7200, 18_000, 36_000, 36_000].map((seconds, at) => [at + 1, seconds]))(
    'after attempt %i about %i s, never the same for all',
    (attempt, seconds) => {
      const waits = Array.from({ length: 200 }, () => waitSeconds(attempt - 1)!)
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(seconds * 0.9)
      expect(Math.max(...waits)).toBeLessThanOrEqual(seconds * 1.1 + 0.1)
      expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(seconds * 0.05)
    },
  )

  test('after the eighth attempt there is none', () => {
    expect(waitSeconds(7)).toBeNull()
    expect(waitSeconds(700)).toBeNull()
  })
})

test('410 is not tried again', () => {
  expect(waitSeconds(0, { status: 410 })).toBeNull()
})

test('what the receiver asked for puts the next attempt off, and never brings it nearer', () => {
  expect(waitSeconds(0, { retryAfterMs: 120_000 })).toBeGreaterThanOrEqual(120)
  expect(waitSeconds(0, { retryAfterMs: 120_000 })).toBeLessThan(121)
  expect(waitSeconds(1, { retryAfterMs: 1000 })).toBeGreaterThan(250)
})
