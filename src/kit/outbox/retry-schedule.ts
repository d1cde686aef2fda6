/** When an attempt that failed is repeated. */

/** The waits before the second attempt, the third, and so on, in milliseconds. */
export type RetrySchedule = readonly number[]

/** Null: never, after the last attempt. With jitter of 10 %, and never sooner than the destination asked for. */
export function nextAttemptAt(
  schedule: RetrySchedule,
  { attemptsBefore, retryAfterMs, now }: { attemptsBefore: number; retryAfterMs: number; now: Date },
): Date | null {
  const waitMs = schedule[attemptsBefore]
  if (waitMs === undefined) return null
  const jitteredMs = waitMs * (0.9 + Math.random() * 0.2)
  return new Date(now.getTime() + Math.max(jitteredMs, retryAfterMs))
}
