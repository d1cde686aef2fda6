/** Rate limits of API keys: a token bucket per key and process. Approximate, because it only protects the service. */

export const windowSeconds = 60
const bucketsMax = 50_000
/** The largest rounding error of a sum of fractional tokens. */
const roundingMax = 1e-6

interface Bucket {
  tokens: number
  atMs: number
}

export interface RateDecision {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds until the bucket is full again. */
  resetSeconds: number
  /** Seconds until one request would be allowed; 0 if this one was. */
  retryAfterSeconds: number
}

/** `cost`: the number of requests to count; 0 only checks whether one is allowed. */
export type RateLimiter = (
  keyId: string,
  requestsPerMinute: number,
  nowMs?: number,
  cost?: 0 | 1,
) => RateDecision

/** Creates a limiter whose buckets hold the requests of one minute and refill steadily. */
export function createRateLimiter(): RateLimiter {
  const buckets = new Map<string, Bucket>()
  return (keyId, limit, nowMs = performance.now(), cost = 1) => {
    const perMs = limit / (windowSeconds * 1000)
    const bucket = buckets.get(keyId) ?? newBucket(buckets, keyId, limit, nowMs)
    bucket.tokens = Math.min(limit, bucket.tokens + (nowMs - bucket.atMs) * perMs)
    bucket.atMs = nowMs
    const allowed = bucket.tokens + roundingMax >= 1
    if (allowed) bucket.tokens = Math.max(0, bucket.tokens - cost)
    return {
      allowed,
      limit,
      remaining: Math.floor(bucket.tokens + roundingMax),
      resetSeconds: Math.ceil((limit - bucket.tokens) / perMs / 1000),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000)),
    }
  }
}

function newBucket(buckets: Map<string, Bucket>, keyId: string, limit: number, nowMs: number): Bucket {
  // A Map keeps insertion order, so this deletes the oldest bucket. At worst its key gets a full bucket early.
  if (buckets.size >= bucketsMax) buckets.delete(buckets.keys().next().value!)
  const bucket = { tokens: limit, atMs: nowMs }
  buckets.set(keyId, bucket)
  return bucket
}

/** Returns the headers of replies: those of draft-ietf-httpapi-ratelimit-headers, and the older `X-RateLimit-*`. */
export function rateHeaders(rate: RateDecision): Record<string, string | number> {
  return {
    'RateLimit-Policy': `"default";q=${rate.limit};w=${windowSeconds}`,
    RateLimit: `"default";r=${rate.remaining};t=${rate.resetSeconds}`,
    'X-RateLimit-Limit': rate.limit,
    'X-RateLimit-Remaining': rate.remaining,
    'X-RateLimit-Reset': rate.resetSeconds,
  }
}
