/** Throttles requests to a portal as its definition and its robots.txt require. */
import { machineNow } from '../kit/clock/clock.ts'
import type { Database } from '../kit/db/index.ts'
import { RequeueJob } from '../kit/jobs/job.ts'
import { createThrottle, type Throttle } from '../kit/throttle/throttle.ts'
import type { PortalDefinition } from '../plugins/portal.ts'
import { CrawlFailure } from './failure.ts'
import type { ResolvedPortal } from './resolved-portal.ts'

export interface PortalThrottleOptions {
  database: Database
  /** The portal's origin, which identifies its throttle. */
  origin: string
  politeness: PortalDefinition['politeness']
  /** The minimum interval between two requests, in milliseconds, whatever the definition says. */
  intervalMinMs: number
  /** How long one request may take. After that an unreleased lease expires. */
  requestMaxMs: number
  signal: AbortSignal
  /** If the portal accepts no requests until after this time, the run fails. Milliseconds since 1970. */
  deadlineMs?: number
}

export const hourMs = 3_600_000

/** The throttle for local portals, which may be read as fast as they reply. */
export const noThrottle: Throttle = { runThrottled: request => request(), slowDown: async () => {} }
/** Measured: a higher concurrency is not faster, and a concurrency of six is a sixth slower. */
export const unthrottledConcurrency = 32

/** How many requests one run may send at once. */
export function getConcurrency({ isLocal, definition }: ResolvedPortal): number {
  return isLocal ? unthrottledConcurrency : definition.politeness.concurrency
}

/** Creates a portal's throttle, shared by all processes. A request that has to wait beyond the deadline fails with CrawlFailure. */
export function createPortalThrottle({
  database,
  origin,
  politeness,
  intervalMinMs,
  requestMaxMs,
  signal,
  deadlineMs = Number.POSITIVE_INFINITY,
}: PortalThrottleOptions): Throttle {
  const throttle = createThrottle({
    database,
    key: origin,
    intervalMs: Math.max(1000 / politeness.requestsPerSecond, intervalMinMs),
    concurrency: politeness.concurrency,
    perHour: politeness.requestsPerHour,
    leaseMs: requestMaxMs,
    signal,
    // Waits for the hourly quota last at most an hour, so they never count as a failure.
    createWaitError: availableAt =>
      availableAt.getTime() > Math.max(deadlineMs, machineNow() + hourMs)
        ? new CrawlFailure(
            'PORTAL_UNAVAILABLE',
            `The portal accepts no requests until ${availableAt.toISOString()}.`,
          )
        : new RequeueJob({ runAt: availableAt }),
  })
  return {
    runThrottled: throttle.runThrottled,
    // A run that fails at its deadline must not make other runs wait for longer than that.
    slowDown: waitMs => throttle.slowDown(Math.min(waitMs, Math.max(0, deadlineMs - machineNow()))),
  }
}
