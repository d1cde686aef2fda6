/**
 * All that we read and write of the tables of graphile-worker, which calls them private: a new version may change them.
 * `queue-tables.test.ts` says what we rely on, and fails when it does.
 */
import type { Job } from 'graphile-worker'
import type pg from 'pg'
import { type Database, sql } from '../db/index.ts'

/** A job that was taken and whose key then went to a newer one: it has had all its attempts. */
const isReplaced = 'updated_at > locked_at'

/** How many jobs are due and wait for a worker. */
export async function countWaitingJobs(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*) from graphile_worker._private_jobs where is_available and run_at <= now()',
  )
  return rows[0]?.count ?? 0
}

/** Whether one of these jobs has been due for longer than an idle worker would take to find it. */
export async function hasOverdueJobs(pool: pg.Pool, names: string[]): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from graphile_worker._private_jobs j
     where is_available and run_at < now() - interval '1 second'
       and task_id = any(array(select id from graphile_worker._private_tasks where identifier = any($1)))
       and not exists (
         select from graphile_worker._private_job_queues q where q.id = j.job_queue_id and not q.is_available)
     limit 1`,
    [names],
  )
  return rowCount === 1
}

/** Whether a worker pool holds jobs. */
export async function hasLockedJobs(pool: pg.Pool, workerPoolId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select from graphile_worker._private_jobs where locked_by = $1 limit 1',
    [workerPoolId],
  )
  return rowCount !== 0
}

/**
 * Puts back a job that this worker holds and that has not failed, as a new one, so that an attempt is spent on the job's own
 * failures alone: with its queue and its key, due at `runAt` or at once. Done twice it is done once; a job whose key has
 * meanwhile gone to a newer one is not put back.
 */
export async function requeueJob(database: Database, job: Job, runAt: Date | null): Promise<void> {
  await database.owner.transaction().execute(async tx => {
    const { rows } = await sql<{ key: string | null; queue: string | null }>`
      with taken as (
        delete from graphile_worker._private_jobs where id = ${job.id} and locked_by = ${job.locked_by}
        returning key, job_queue_id),
      freed as (
        update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
        from taken where q.id = taken.job_queue_id and q.locked_by = ${job.locked_by})
      select taken.key, q.queue_name as queue
      from taken left join graphile_worker._private_job_queues q on q.id = taken.job_queue_id`.execute(tx)
    const [held] = rows
    if (!held || held.key !== job.key) return
    await sql`
      select aldaba.enqueue(${job.task_identifier}, ${JSON.stringify(job.payload)}::json, ${runAt}::timestamptz,
        ${held.key}, ${held.queue}, ${job.max_attempts}::int)`.execute(tx)
  })
}

/** Which jobs: those that these pools took, but for or of those at hand. */
export interface HeldJobs {
  workerPoolIds: string[]
  /** Ids of jobs that are being done. */
  runningJobs: string[]
}

/** Frees jobs whose taking got lost on the way, after so many seconds. Their attempt never began: it is given back. */
export async function unlockStalledJobs(
  pool: pg.Pool,
  { workerPoolIds, runningJobs }: HeldJobs,
  afterSeconds: number,
): Promise<void> {
  await pool.query(
    `with lost as (
       update graphile_worker._private_jobs set locked_by = null, locked_at = null,
         attempts = case when ${isReplaced} then attempts else attempts - 1 end
       where locked_by = any($1) and locked_at < now() - make_interval(secs => $2) and not (id = any($3::bigint[]))
       returning job_queue_id)
     update graphile_worker._private_job_queues q set locked_by = null, locked_at = null from lost where q.id = lost.job_queue_id`,
    [workerPoolIds, afterSeconds, runningJobs],
  )
}

/** The library takes whatever has been locked for four hours from its worker, who may well be busy with it. */
export async function renewJobLocks(pool: pg.Pool, { workerPoolIds, runningJobs }: HeldJobs): Promise<void> {
  await pool.query(
    `with kept as (
       update graphile_worker._private_jobs set locked_at = now(), updated_at = updated_at + (now() - locked_at)
       where locked_by = any($1) and id = any($2::bigint[]) and locked_at < now() - interval '1 hour'
       returning job_queue_id)
     update graphile_worker._private_job_queues q set locked_at = now() from kept where q.id = kept.job_queue_id`,
    [workerPoolIds, runningJobs],
  )
}

/** The pools, these aside, that have held jobs for so many seconds and hold no lock of their own: see `startHeartbeat`. */
export async function listDeadWorkerPools(
  pool: pg.Pool,
  ownWorkerPoolIds: string[],
  afterSeconds: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ worker: string }>(
    `select distinct locked_by as worker from graphile_worker._private_jobs
     where locked_by is not null and locked_by <> all($2) and locked_at < now() - make_interval(secs => $1)
       and not exists (
         select from pg_locks l
         where l.locktype = 'advisory' and l.granted and l.objsubid = 1
           and l.database = (select oid from pg_database where datname = current_database())
           and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(locked_by, 1))`,
    [afterSeconds, ownWorkerPoolIds],
  )
  return rows.map(({ worker }) => worker)
}

/**
 * A job killed in its last attempt has not failed by itself, so it gets one more; only one, as it may be what kills its
 * workers. Returns the ids of those that get none.
 */
export async function grantExtraAttempt(pool: pg.Pool, workerPoolIds: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; isRetried: boolean }>(
    `update graphile_worker._private_jobs j
     set max_attempts = max_attempts + case when was.killed then 0 else 1 end, flags = coalesce(flags, '{}') || '{"killed": true}',
       last_error = 'its worker died'
     from (select id, coalesce(flags ? 'killed', false) as killed from graphile_worker._private_jobs where locked_by = any($1)) was
     where j.id = was.id and locked_by = any($1) and attempts >= max_attempts and not (${isReplaced})
     returning j.id::text, not was.killed as "isRetried"`,
    [workerPoolIds],
  )
  return rows.filter(({ isRetried }) => !isRetried).map(({ id }) => id)
}

/** Frees all that these pools hold. */
export async function unlockWorkerPools(pool: pg.Pool, workerPoolIds: string[]): Promise<void> {
  await pool.query('select graphile_worker.force_unlock_workers($1)', [workerPoolIds])
}
