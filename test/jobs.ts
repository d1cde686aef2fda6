/** Waits for the queue, and makes delayed jobs due. */
import { listDueSubscriptions } from '../src/features/webhooks/sending/queries.ts'
import { type Database, sql } from '../src/kit/db/index.ts'
import { notifyOnCommit } from '../src/kit/db/notifications.ts'
import { eventually } from './harness.ts'

/**
 * Waits until all due jobs and webhooks of the tenant are done. What has not happened by then will not happen.
 */
export async function waitUntilIdle(database: Database, tenantId: string): Promise<void> {
  const countDue = async () => {
    // Jobs create deliveries and deliveries create jobs: all is done if there was no job before and after.
    const jobsBefore = await countJobs(database, tenantId)
    const due = await listDueSubscriptions(database.owner, tenantId)
    const deliveries = due.filter(({ dueAt }) => dueAt.getTime() <= Date.now() + 1000)
    return jobsBefore + deliveries.length + (await countJobs(database, tenantId))
  }
  await eventually(countDue, count => count === 0)
}

async function countJobs({ ownerPool }: Database, tenantId: string): Promise<number> {
  const { rows } = await ownerPool.query<{ count: number }>(
    // A job that is requeued has its next time before it is unlocked.
    `select count(*) from graphile_worker._private_jobs
     where (locked_at is not null or run_at <= clock_timestamp() + interval '1 second' and attempts < max_attempts)
       and payload->>'tenantId' = $1`,
    [tenantId],
  )
  return rows[0]!.count
}

/** Makes the tenant's delayed jobs due now. Returns their former delays in seconds, sorted. */
export async function makeJobsDue({ ownerPool }: Database, tenantId: string): Promise<number[]> {
  const { rows } = await ownerPool.query<{ seconds: number }>(
    `with waiting as (
       select id, run_at from graphile_worker._private_jobs
       where run_at > now() and locked_at is null and payload->>'tenantId' = $1 for update)
     update graphile_worker._private_jobs j set run_at = now() from waiting w where j.id = w.id
     returning extract(epoch from w.run_at - now())::float8 as seconds`,
    [tenantId],
  )
  await ownerPool.query(`notify "jobs:insert"`)
  return rows.map(row => row.seconds).sort((a, b) => a - b)
}

/** Makes the tenant's delayed webhook deliveries due now. Returns their former delays in seconds, sorted. */
export async function makeDeliveriesDue(database: Database, tenantId: string): Promise<number[]> {
  const { rows } = await database.withTenant({ tenantId }, async tx => {
    await sql`update webhook_subscriptions set paused_until = null`.execute(tx)
    await notifyOnCommit(tx, `webhook-deliveries ${tenantId}`)
    return sql<{ seconds: number }>`
      with waiting as (select id, next_attempt_at from webhook_deliveries where status = 'pending' and next_attempt_at > now() for update)
      update webhook_deliveries d set next_attempt_at = now() from waiting w where d.id = w.id
      returning extract(epoch from w.next_attempt_at - now())::float8 as seconds`.execute(tx)
  })
  return rows.map(row => row.seconds).sort((a, b) => a - b)
}
