/** Putting a job back that has not failed: as a new one, so that an attempt is spent on the job's own failures alone. */
import type { Job } from 'graphile-worker'
import { type Database, sql } from './db/index.ts'

/**
 * Puts back a job that this worker holds, with its queue and its key, due at `runAt` or at once. Done twice it is done
 * once; a job whose key has meanwhile gone to a newer one is not put back.
 */
export async function putBack(database: Database, job: Job, runAt: Date | null): Promise<void> {
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
    const [taken] = rows
    if (!taken || taken.key !== job.key) return
    await sql`
      select aldaba.enqueue(${job.task_identifier}, ${JSON.stringify(job.payload)}::json, ${runAt}::timestamptz,
        ${taken.key}, ${taken.queue}, ${job.max_attempts}::int)`.execute(tx)
  })
}
