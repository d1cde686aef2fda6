/** When a delivery that failed is tried again. */

/** Waits before the second attempt, the third, and so on: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
const waitsMs = [5, 300, 1800, 7200, 18_000, 36_000, 36_000].map(seconds => seconds * 1000)

export interface Failure {
  responseStatus: number | null
  /** What the receiver asked for; 0: nothing. */
  retryAfterMs: number
}

/** Null: never; after 410, and after the last attempt. Never sooner than the receiver asked for. */
export function nextAttemptAt(
  { responseStatus, retryAfterMs }: Failure,
  attemptsBefore: number,
): Date | null {
  const waitMs = waitsMs[attemptsBefore]
  if (waitMs === undefined || responseStatus === 410) return null
  const jitteredMs = waitMs * (0.9 + Math.random() * 0.2)
  return new Date(Date.now() + Math.max(jitteredMs, retryAfterMs))
}
