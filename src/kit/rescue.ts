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
      const client = held
      // An error of the connection that comes after this releases it no second time.
      held = null
      client?.release(true)
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

export interface OwnWork {
  /** The names under which this process takes jobs. */
  poolIds: () => string[]
  atHand: () => string[]
}

/** Frees the jobs of worker pools that no longer hold their lock, and those whose taking got lost on the way to us. */
export function startRescue(pool: pg.Pool, log: Log, own: OwnWork) {
  const rescue = async () => {
    await freeUnheard(pool, own)
    await keepLocked(pool, own)
    await freeOfDead(pool, log, own)
  }
  const timer = setInterval(
    () => void rescue().catch(error => log.debug({ err: error }, 'no rescue this time')),
    rescueEveryMs,
  )
  return { stop: () => clearInterval(timer) }
}

/** Their attempt never began: it is given back. */
async function freeUnheard(pool: pg.Pool, own: OwnWork): Promise<void> {
  await pool.query(
    `with lost as (
       update graphile_worker._private_jobs set locked_by = null, locked_at = null,
         attempts = case when ${wasReplaced} then attempts else attempts - 1 end
       where locked_by = any($1) and locked_at < now() - make_interval(secs => $2) and not (id = any($3::bigint[]))
       returning job_queue_id)
     update graphile_worker._private_job_queues q set locked_by = null, locked_at = null from lost where q.id = lost.job_queue_id`,
    [own.poolIds(), rescueAfterSeconds, own.atHand()],
  )
}

/** The library takes whatever has been locked for four hours from its worker, who may well be busy with it. */
async function keepLocked(pool: pg.Pool, own: OwnWork): Promise<void> {
  await pool.query(
    `with kept as (
       update graphile_worker._private_jobs set locked_at = now(), updated_at = updated_at + (now() - locked_at)
       where locked_by = any($1) and id = any($2::bigint[]) and locked_at < now() - interval '1 hour'
       returning job_queue_id)
     update graphile_worker._private_job_queues q set locked_at = now() from kept where q.id = kept.job_queue_id`,
    [own.poolIds(), own.atHand()],
  )
}

/** A job that was taken and whose key then went to a newer one: it has had all its attempts. */
const wasReplaced = 'updated_at > locked_at'

async function freeOfDead(pool: pg.Pool, log: Log, own: OwnWork): Promise<void> {
  const { rows } = await pool.query<{ worker: string }>(
    `select distinct locked_by as worker from graphile_worker._private_jobs
     where locked_by is not null and locked_by <> all($2) and locked_at < now() - make_interval(secs => $1)
       and not exists (
         select from pg_locks l
         where l.locktype = 'advisory' and l.granted and l.objsubid = 1
           and l.database = (select oid from pg_database where datname = current_database())
           and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(locked_by, 1))`,
    [rescueAfterSeconds, own.poolIds()],
  )
  if (rows.length === 0) return
  const workers = rows.map(row => row.worker)
  await giveOneMoreAttempt(pool, log, workers)
  await pool.query('select graphile_worker.force_unlock_workers($1)', [workers])
  log.warn({ workers: rows.length }, 'the jobs of a worker that died were put back')
}

/**
 * A job killed in its last attempt has not failed by itself, so it gets one more; only one, as it may be what kills its
 * workers. What it dies of then is the end of it, and the log says so.
 */
async function giveOneMoreAttempt(pool: pg.Pool, log: Log, workers: string[]): Promise<void> {
  const { rows } = await pool.query<{ id: string; again: boolean }>(
    `update graphile_worker._private_jobs j
     set max_attempts = max_attempts + case when was.killed then 0 else 1 end, flags = coalesce(flags, '{}') || '{"killed": true}',
       last_error = 'its worker died'
     from (select id, coalesce(flags ? 'killed', false) as killed from graphile_worker._private_jobs where locked_by = any($1)) was
     where j.id = was.id and locked_by = any($1) and attempts >= max_attempts and not (${wasReplaced})
     returning j.id::text, not was.killed as again`,
    [workers],
  )
  for (const { id, again } of rows)
    if (!again) log.error({ jobId: id }, 'the workers of a job died twice; it is not tried again')
}
