/** The pace of a portal: what its definition and its robots.txt allow. */
import { machineNow } from '../kit/clock/clock.ts'
import type { Database } from '../kit/db/index.ts'
import { RequeueJob } from '../kit/jobs/job.ts'
import { createThrottle, type Throttle } from '../kit/throttle/throttle.ts'
import type { PortalDefinition } from '../plugins/portal.ts'
import { CrawlFailure } from './failure.ts'
import type { OpenPortal } from './open-portal.ts'

export interface PortalThrottleOptions {
  database: Database
  /** Which portal: the origin of its address. */
  origin: string
  politeness: PortalDefinition['politeness']
  /** Milliseconds between two requests at least, whatever the definition says. */
  intervalMinMs: number
  /** How long one request may take: after that a turn that was not given back lapses. */
  requestMaxMs: number
  signal: AbortSignal
  /** A portal that asks us to stay away until later than this can't be read. Milliseconds since 1970. */
  deadlineMs?: number
}

export const hourMs = 3_600_000

/** The pace of a portal that is nobody's: it is read as fast as it answers. */
export const noThrottle: Throttle = { runThrottled: ask => ask(), slowDown: async () => {} }
/** Measured: more requests at once than these gain nothing, and with six it is a sixth slower. */
export const unthrottledConcurrency = 32

/** How many requests may be under way in one run. */
export function getConcurrency({ isLocal, definition }: OpenPortal): number {
  return isLocal ? unthrottledConcurrency : definition.politeness.concurrency
}

/** The pace of a portal, the same for every process. A wait that is too long for this run is a CrawlFailure. */
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
    // A quota by the hour makes nobody wait for longer than one: such a wait ends by itself, whenever it began.
    createWaitError: availableAt =>
      availableAt.getTime() > Math.max(deadlineMs, machineNow() + hourMs)
        ? new CrawlFailure(
            'PORTAL_UNAVAILABLE',
            `The portal asks us to stay away until ${availableAt.toISOString()}.`,
          )
        : new RequeueJob({ runAt: availableAt }),
  })
  return {
    runThrottled: throttle.runThrottled,
    // Who gives up before that must not bind the others to it.
    slowDown: waitMs => throttle.slowDown(Math.min(waitMs, Math.max(0, deadlineMs - machineNow()))),
  }
}
