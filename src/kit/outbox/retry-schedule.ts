/** Computes when a failed attempt is retried. */

/** The waits before the second attempt, the third, and so on, in milliseconds. */
export type RetrySchedule = readonly number[]

/** The time of the next attempt, with 10 % jitter and not before `retryAfterMs`. Null after the last attempt. */
export function nextAttemptAt(
  schedule: RetrySchedule,
  { attemptsBefore, retryAfterMs, now }: { attemptsBefore: number; retryAfterMs: number; now: Date },
): Date | null {
  const waitMs = schedule[attemptsBefore]
  if (waitMs === undefined) return null
  const jitteredMs = waitMs * (0.9 + Math.random() * 0.2)
  return new Date(now.getTime() + Math.max(jitteredMs, retryAfterMs))
}
