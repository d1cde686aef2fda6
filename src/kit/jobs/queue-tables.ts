/**
 * All queries on the private tables of graphile-worker, which a new version may change. `queue-tables.test.ts` fails if
 * it changes anything on which we rely.
 */
import type { Job } from 'graphile-worker'
import type pg from 'pg'
import { type Database, sql } from '../db/index.ts'

/** SQL: a newer job with the same key replaced this one after a worker had taken it. It gets no further attempt. */
const isReplaced = 'updated_at > locked_at'

/** Counts the jobs that are due and wait for a worker. */
export async function countWaitingJobs(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*) from graphile_worker._private_jobs where is_available and run_at <= now()',
  )
  return rows[0]?.count ?? 0
}

/** True if one of these jobs has been due for longer than an idle worker would need to find it. */
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

/** True if a worker pool holds jobs. */
export async function hasLockedJobs(pool: pg.Pool, workerPoolId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select from graphile_worker._private_jobs where locked_by = $1 limit 1',
    [workerPoolId],
  )
  return rowCount !== 0
}

/**
 * Replaces a job that this worker holds by a new one with the same queue and key, due at `runAt` or at once. So
 * attempts are spent only on failures of the job itself. Idempotent. A job whose key a newer job has taken meanwhile is
 * not enqueued again.
 */
export async function requeueJob(database: Database, job: Job, runAt: Date | null): Promise<void> {
  await database.owner.transaction().execute(async tx => {
    const { rows } = await sql<{ key: string | null; queue: string | null }>`
      with deleted_job as (
        delete from graphile_worker._private_jobs where id = ${job.id} and locked_by = ${job.locked_by}
        returning key, job_queue_id),
      unlocked_queue as (
        update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
        from deleted_job where q.id = deleted_job.job_queue_id and q.locked_by = ${job.locked_by})
      select deleted_job.key, q.queue_name as queue
      from deleted_job left join graphile_worker._private_job_queues q on q.id = deleted_job.job_queue_id`.execute(
      tx,
    )
    const [held] = rows
    if (!held || held.key !== job.key) return
    await sql`
      select aldaba.enqueue(${job.task_identifier}, ${JSON.stringify(job.payload)}::json, ${runAt}::timestamptz,
        ${held.key}, ${held.queue}, ${job.max_attempts}::int)`.execute(tx)
  })
}

/** The worker pools of this process, and the jobs that they are running. */
export interface HeldJobs {
  workerPoolIds: string[]
  /** Ids of the jobs that are running. */
  runningJobs: string[]
}

/**
 * Unlocks jobs that were assigned to this process but are not running after `afterSeconds`, because the reply got lost.
 * Their attempt never began, so it does not count.
 */
export async function unlockStalledJobs(
  pool: pg.Pool,
  { workerPoolIds, runningJobs }: HeldJobs,
  afterSeconds: number,
): Promise<void> {
  await pool.query(
    `with stalled as (
       update graphile_worker._private_jobs set locked_by = null, locked_at = null,
         attempts = case when ${isReplaced} then attempts else attempts - 1 end
       where locked_by = any($1) and locked_at < now() - make_interval(secs => $2) and not (id = any($3::bigint[]))
       returning job_queue_id)
     update graphile_worker._private_job_queues q set locked_by = null, locked_at = null from stalled where q.id = stalled.job_queue_id`,
    [workerPoolIds, afterSeconds, runningJobs],
  )
}

/**
 * Renews the locks of running jobs, because the library frees locks after four hours even if the worker is still busy.
 */
export async function renewJobLocks(pool: pg.Pool, { workerPoolIds, runningJobs }: HeldJobs): Promise<void> {
  await pool.query(
    `with renewed as (
       update graphile_worker._private_jobs set locked_at = now(), updated_at = updated_at + (now() - locked_at)
       where locked_by = any($1) and id = any($2::bigint[]) and locked_at < now() - interval '1 hour'
       returning job_queue_id)
     update graphile_worker._private_job_queues q set locked_at = now() from renewed where q.id = renewed.job_queue_id`,
    [workerPoolIds, runningJobs],
  )
}

/**
 * Lists other processes' pools that have held jobs for `afterSeconds` without a heartbeat lock: see `startHeartbeat`.
 */
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
 * Grants one extra attempt to jobs whose worker died in their last one, because the job itself did not fail. Only one,
 * as the job may be what kills the workers. Returns the ids of the jobs that get none.
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

/** Unlocks all jobs that these pools hold. */
export async function unlockWorkerPools(pool: pg.Pool, workerPoolIds: string[]): Promise<void> {
  await pool.query('select graphile_worker.force_unlock_workers($1)', [workerPoolIds])
}
