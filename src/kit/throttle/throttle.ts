/**
 * A rate limiter for outgoing requests, shared by all processes. It limits the interval between requests, the requests
 * per hour and their concurrency, and slows down if the other side requires it. For portals, chat accounts, mailboxes.
 */
import { batchCalls } from '../batch-calls.ts'
import { machineNow } from '../clock/clock.ts'
import { type Database, sql } from '../db/index.ts'
import { newId } from '../id.ts'
import { RequeueJob } from '../jobs/job.ts'
import { pause } from '../jobs/pause.ts'
import { createHolder, type Holder, releaseDeadLeases } from './holder.ts'

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
  /** A lease that was not released expires after this time, if its process lives. */
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
  const leases = getLeases(database)
  const acquire = async (leaseId: string): Promise<void> => {
    for (;;) {
      const { granted, waitMs } = await leases.acquire({
        key,
        leaseId,
        intervalMs,
        concurrency,
        perHour: perHour ?? null,
        leaseMs,
      })
      if (waitMs > longestWaitMs) throw createWaitError(new Date(machineNow() + waitMs))
      await pause(waitMs, signal)
      if (granted) return
    }
  }
  return {
    async runThrottled(work) {
      const leaseId = newId()
      try {
        await acquire(leaseId)
        return await work()
      } finally {
        await leases.release({ key, leaseId })
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

interface Lease {
  key: string
  leaseId: string
}

interface LeaseRequest extends Lease {
  intervalMs: number
  concurrency: number
  perHour: number | null
  leaseMs: number
}

interface Leases {
  acquire(request: LeaseRequest): Promise<{ granted: boolean; waitMs: number }>
  release(lease: Lease): Promise<Lease>
}

/** How often a process that waits for leases looks for those of processes that died. */
const checkIntervalMs = 1000

const leasesByDatabase = new WeakMap<Database, Leases>()

/** The leases of this process: those that are requested, or released, at the same time share a statement. */
function getLeases(database: Database): Leases {
  const existing = leasesByDatabase.get(database)
  if (existing) return existing
  const options = { size: 100, waitingMax: Infinity }
  const holder = createHolder(database.direct)
  let checkedMs = -checkIntervalMs
  const acquire = async (requests: LeaseRequest[]) => {
    await holder.hold()
    const replies = await acquireLeases(database, holder, requests)
    if (replies.some(({ granted }) => !granted) && performance.now() - checkedMs >= checkIntervalMs) {
      checkedMs = performance.now()
      await releaseDeadLeases(database)
    }
    return replies
  }
  const leases: Leases = {
    acquire: batchCalls(acquire, options),
    release: batchCalls(released => releaseLeases(database, released), options),
  }
  leasesByDatabase.set(database, leases)
  return leases
}

/** SQL: nothing is lost if PostgreSQL forgets the last leases in a crash, so nobody waits for the disk. */
const withoutSync = sql`set_config('synchronous_commit', 'off', true)`

async function acquireLeases(
  { unscoped }: Database,
  { id: holderId }: Holder,
  requests: LeaseRequest[],
): Promise<{ granted: boolean; waitMs: number }[]> {
  // Always in the same order, so that two processes cannot deadlock.
  const sorted = requests.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const { rows } = await sql<{ id: string; granted: boolean; waitMs: number }>`
    select r.id, a.granted, a.wait_ms as "waitMs", ${withoutSync}
    from unnest(${sorted.map(({ key }) => key)}::text[], ${sorted.map(({ leaseId }) => leaseId)}::uuid[],
        ${sorted.map(({ intervalMs }) => intervalMs)}::float8[], ${sorted.map(each => each.concurrency)}::integer[],
        ${sorted.map(({ perHour }) => perHour)}::integer[], ${sorted.map(({ leaseMs }) => leaseMs)}::integer[])
        as r (key, id, interval_ms, concurrency, per_hour, lease_ms)
      cross join lateral acquire_throttle(r.key, r.id, ${holderId}, r.interval_ms, r.concurrency, r.per_hour, r.lease_ms) a`.execute(
    unscoped,
  )
  const byId = new Map(rows.map(row => [row.id, row]))
  return requests.map(({ leaseId }) => byId.get(leaseId)!)
}

async function releaseLeases({ unscoped }: Database, leases: Lease[]): Promise<Lease[]> {
  // An expired lease may be being deleted by another process: waiting for it could be a deadlock.
  await sql`
    with released as (
      select l.key, l.id from throttle_leases l
      join unnest(${leases.map(({ key }) => key)}::text[], ${leases.map(({ leaseId }) => leaseId)}::uuid[]) as r (key, id)
        on l.key = r.key and l.id = r.id
      for update of l skip locked)
    delete from throttle_leases l using released r where l.key = r.key and l.id = r.id returning ${withoutSync}`.execute(
    unscoped,
  )
  return leases
}
