/**
 * A rate limiter for outgoing requests, shared by all processes. It limits the interval between requests, the requests
 * per hour and their concurrency, and slows down if the other side requires it. For portals, chat accounts, mailboxes.
 */
import { machineNow } from '../clock/clock.ts'
import { type Database, sql } from '../db/index.ts'
import { newId } from '../id.ts'
import { RequeueJob } from '../jobs/job.ts'
import { pause } from '../jobs/pause.ts'

export interface Throttle {
  /**
   * Waits for a lease, runs `work`, and releases the lease. Throws the error of `createWaitError` if the wait would be
   * too long, and RequeueJob if the process stops.
   */
  runThrottled<T>(work: () => Promise<T>): Promise<T>
  /**
   * Halves the rate in all processes, and pauses for `waitMs`. The rate recovers: the slowdown halves every five
   * minutes.
   */
  slowDown(waitMs: number): Promise<void>
}

export interface ThrottleOptions {
  database: Database
  /** Unique in the deployment, such as the origin of a URL. */
  key: string
  /** The shortest interval between the starts of two requests. */
  intervalMs: number
  /** The largest number of concurrent requests. */
  concurrency: number
  /** The largest number of requests per hour. Default: unlimited. */
  perHour?: number | undefined
  /** A lease that was not released expires after this time. */
  leaseMs: number
  signal: AbortSignal
  /** Creates the error for a wait that is too long. Default: RequeueJob until `availableAt`. */
  createWaitError?: (availableAt: Date) => Error
}

/** For longer waits, the job is requeued. */
export const requeueAfterMs = 60_000
const slowFactorMax = 64
/** Concurrent requests are often refused together. Within this time they slow down the rate only once. */
const slowDownIntervalSeconds = 5

export function createThrottle({
  database,
  key,
  intervalMs,
  concurrency,
  perHour,
  leaseMs,
  signal,
  createWaitError = availableAt => new RequeueJob({ runAt: availableAt }),
}: ThrottleOptions): Throttle {
  // If the interval itself is longer, a requeued job would have to wait just as long again.
  const longestWaitMs = Math.max(requeueAfterMs, intervalMs)
  const acquire = async (leaseId: string): Promise<void> => {
    for (;;) {
      const { rows } = await sql<{ granted: boolean; waitMs: number }>`
        select granted, wait_ms as "waitMs" from acquire_throttle(${key}, ${leaseId}, ${intervalMs}, ${concurrency},
          ${perHour ?? null}::int, ${leaseMs}::int)`.execute(database.unscoped)
      const { granted, waitMs } = rows[0]!
      if (waitMs > longestWaitMs) throw createWaitError(new Date(machineNow() + waitMs))
      await pause(waitMs, signal)
      if (granted) return
    }
  }
  const release = (leaseId: string) =>
    sql`delete from throttle_leases where key = ${key} and id = ${leaseId}`.execute(database.unscoped)
  return {
    async runThrottled(work) {
      const leaseId = newId()
      try {
        await acquire(leaseId)
        return await work()
      } finally {
        await release(leaseId)
      }
    },
    async slowDown(waitMs) {
      await sql`
        insert into throttles as t (key, next_at, slow_factor, slowed_at)
        values (${key}, clock_timestamp() + make_interval(secs => ${waitMs / 1000}), 2, clock_timestamp())
        on conflict (key) do update set next_at = greatest(t.next_at, excluded.next_at),
          (slow_factor, slowed_at) = (
            select case when is_again then t.slow_factor else least(${slowFactorMax}, 2 * current_slow_factor(t.slow_factor, t.slowed_at)) end,
              case when is_again then t.slowed_at else clock_timestamp() end
            from (select coalesce(t.slowed_at > clock_timestamp() - make_interval(secs => ${slowDownIntervalSeconds}), false)) as a (is_again))`.execute(
        database.unscoped,
      )
    },
  }
}
