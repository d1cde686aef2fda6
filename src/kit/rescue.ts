/** How a job whose worker died, or whose taking got lost on the way, comes back to the queue within seconds. */
import type { EventEmitter } from 'node:events'
import type { Task, WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import type { Log } from './log.ts'

const rescueEveryMs = 1000
const notedWithinMs = 10_000
// A pool takes its lock within milliseconds of its birth; one without a lock after that is dead.
const rescueAfterSeconds = 3

/**
 * Holds a session-level advisory lock named after the worker pool. PostgreSQL drops it the moment the process dies,
 * which tells the others, with no clock to trust, that the pool's jobs are free.
 */
export function keepLifeSign(pool: pg.Pool, events: EventEmitter, log: Log) {
  let stopped = false
  let held: pg.PoolClient | null = null
  let poolId = ''
  const hold = async (): Promise<void> => {
    let client: pg.PoolClient | null = null
    try {
      client = await pool.connect()
      await client.query('select pg_advisory_lock(hashtextextended($1, 1))', [poolId])
      if (stopped) return client.release(true)
      held = client
      client.once('error', () => {
        held?.release(true)
        held = null
        if (!stopped) setTimeout(() => void hold(), 100)
      })
    } catch (error) {
      client?.release(true)
      log.warn({ err: error }, 'the life sign of this worker could not be given; trying again')
      if (!stopped) setTimeout(() => void hold(), 500)
    }
  }
  events.once('pool:create', ({ workerPool }: { workerPool: WorkerPool & { id: string } }) => {
    poolId = workerPool.id
    void hold()
  })
  return {
    poolId: () => poolId,
    stop() {
      stopped = true
      held?.release(true)
    },
  }
}

/** What this process is doing, so that a job taken in its name and never heard of can be told. */
export function createAtHand() {
  const ids = new Set<string>()
  return {
    list: () => [...ids],
    tracked:
      (task: Task): Task =>
      async (payload, helpers) => {
        ids.add(helpers.job.id)
        try {
          return await task(payload, helpers)
        } finally {
          // That it ended is noted a little later, much later while the database is away.
          setTimeout(() => ids.delete(helpers.job.id), notedWithinMs).unref()
        }
      },
  }
}

/** Frees the jobs of worker pools that no longer hold their lock, and those whose taking got lost on the way to us. */
export function startRescue(pool: pg.Pool, log: Log, own: { poolId: () => string; atHand: () => string[] }) {
  const rescue = async () => {
    await pool.query(
      `with lost as (
         update graphile_worker._private_jobs set locked_by = null, locked_at = null
         where locked_by = $1 and locked_at < now() - make_interval(secs => $2) and not (id = any($3::bigint[]))
         returning job_queue_id)
       update graphile_worker._private_job_queues q set locked_by = null, locked_at = null from lost where q.id = lost.job_queue_id`,
      [own.poolId(), rescueAfterSeconds, own.atHand()],
    )
    const { rows } = await pool.query<{ worker: string }>(
      `select distinct locked_by as worker from graphile_worker._private_jobs
       where locked_by is not null and locked_by <> $2 and locked_at < now() - make_interval(secs => $1)
         and not exists (
           select from pg_locks l
           where l.locktype = 'advisory' and l.granted and l.objsubid = 1
             and l.database = (select oid from pg_database where datname = current_database())
             and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(locked_by, 1))`,
      [rescueAfterSeconds, own.poolId()],
    )
    if (rows.length === 0) return
    await pool.query('select graphile_worker.force_unlock_workers($1)', [rows.map(row => row.worker)])
    log.warn({ workers: rows.length }, 'the jobs of a worker that died were put back')
  }
  const timer = setInterval(
    () => void rescue().catch(error => log.debug({ err: error }, 'no rescue this time')),
    rescueEveryMs,
  )
  return { stop: () => clearInterval(timer) }
}
