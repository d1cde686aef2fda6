/**
 * A pace for any key, kept by all processes together: so many requests a second and an hour, so many at once, and slower for
 * whoever asks for it. For portals, chat accounts, mailboxes.
 */
import { machineNow } from '../clock/clock.ts'
import { type Database, sql } from '../db/index.ts'
import { newId } from '../id.ts'
import { RequeueJob } from '../jobs/job.ts'
import { pause } from '../jobs/pause.ts'

export interface Throttle {
  /**
   * Waits for a free turn and takes it, runs `work`, gives the turn back. Throws what `createWaitError` returns if the wait is longer than
   * is waited for, and RequeueJob if the process stops.
   */
  runThrottled<T>(work: () => Promise<T>): Promise<T>
  /** From now on every process goes half as fast, and not at all for `waitMs`. It recovers: half of it every five minutes. */
  slowDown(waitMs: number): Promise<void>
}

export interface ThrottleOptions {
  database: Database
  /** Unique in the deployment, such as the origin of an address. */
  key: string
  /** Milliseconds between the starts of two turns, at least. */
  intervalMs: number
  /** Turns that are taken at one moment, at most. */
  concurrency: number
  /** Turns in an hour, at most; unlimited unless given. */
  perHour?: number | undefined
  /** A turn that was not given back lapses after so long. */
  leaseMs: number
  signal: AbortSignal
  /** What is thrown if the next turn is later than is waited for; RequeueJob until then unless given. */
  createWaitError?: (availableAt: Date) => Error
}

/** Longer waits are not sat out: the job goes back to the queue and comes again then. */
export const requeueAfterMs = 60_000
const slowFactorMax = 64
/** Several requests that were under way are refused at one moment: that is one wish to be left alone. */
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
  // Between any two turns it is as long: who came back then would only find it as long again.
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
