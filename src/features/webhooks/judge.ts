/** What an attempt at a delivery came to, and when the next one is due. */
import { HttpFailure, type HttpReply, retryAfterMs } from '../../kit/http/client.ts'
import type { AttemptResult } from './queries.ts'

/** Waits before the second attempt, the third, and so on: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
const waitsMs = [5, 300, 1800, 7200, 18_000, 36_000, 36_000].map(seconds => seconds * 1000)
const askedMaxMs = 24 * 3600 * 1000

/** Only 2xx is a delivery, however long the reply. 410 and the last attempt have no next one. */
export function judge(reply: HttpReply | HttpFailure, attemptsBefore: number): AttemptResult {
  const responseStatus = reply.status
  if (responseStatus !== null && responseStatus >= 200 && responseStatus < 300) {
    return { delivered: true, responseStatus, error: null, nextAttemptAt: null }
  }
  const error = reply instanceof HttpFailure ? reply.message : `the receiver answered ${reply.status}`
  const failed = { delivered: false, responseStatus, error }
  const waitMs = waitsMs[attemptsBefore]
  if (waitMs === undefined || responseStatus === 410) return { ...failed, nextAttemptAt: null }
  const jitteredMs = waitMs * (0.9 + Math.random() * 0.2)
  const askedMs = Math.min(askedMaxMs, reply instanceof HttpFailure ? 0 : retryAfterMs(reply))
  return { ...failed, nextAttemptAt: new Date(Date.now() + Math.max(jitteredMs, askedMs)) }
}
