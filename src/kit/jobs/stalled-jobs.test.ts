/** Attempts of jobs whose worker died, and of jobs that run for hours. */
import { expect, it, type TestContext } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { openDatabase } from '../db/index.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { type EnqueueOptions, enqueue } from './enqueue.ts'
import { type JobContext, type JobDefinition, job } from './job.ts'
import { startQueue } from './queue.ts'

/** A queue with its own database, so that the tests can wait concurrently. */
async function makeQueue({ onTestFinished }: TestContext) {
  const database = openDatabase(await makeDatabase(), { onError: () => {} })
  onTestFinished(() => database.close())
  const tenantId = (await makeWorkspace(database)).testTenantId
  return {
    database,

    enqueueJob: (options: EnqueueOptions = {}) =>
      database.withTenant({ tenantId }, tx => enqueue(tx, 'work', {}, options)),

    /** Simulates that a worker took the jobs an hour ago and died. */
    simulateWorkerDeath: (where = 'true') =>
      database.ownerPool.query(`
        update graphile_worker._private_jobs set attempts = attempts + 1, locked_by = 'a worker that died',
          updated_at = now() - interval '2 hours', locked_at = now() - interval '1 hour' where ${where}`),

    async listJobs() {
      const { rows } = await database.ownerPool.query<{
        attempts: number
        max: number
        locked: boolean
        lastError: string | null
      }>(
        `select attempts::int, max_attempts::int as max, locked_by is not null as locked, last_error as "lastError"
         from graphile_worker._private_jobs order by id`,
      )
      return rows
    },

    async startWorker(run: (context: JobContext) => Promise<void>) {
      const work = job({ name: 'work', run: (_data, context) => run(context) }) as JobDefinition<never>
      const metrics = createMetrics(async () => 0)
      const queue = await startQueue({ jobs: [work], database, log: createLog('silent'), metrics })
      onTestFinished(() => queue.stop())
    },
  }
}

it.concurrent('a job killed in its last attempt gets one more', async context => {
  const { enqueueJob, simulateWorkerDeath, listJobs, startWorker } = await makeQueue(context)
  await enqueueJob({ maxAttempts: 1 })
  await simulateWorkerDeath()
  const runs: [number, boolean][] = []
  await startWorker(async ({ attempt, isLastAttempt }) => void runs.push([attempt, isLastAttempt]))
  await eventually(listJobs, jobs => jobs.length === 0)
  expect(runs).toEqual([[2, true]])
})

it.concurrent('a job killed again in its extra attempt stays in the table, because it may be what kills the workers', async context => {
  const { database, enqueueJob, simulateWorkerDeath, listJobs, startWorker } = await makeQueue(context)
  await enqueueJob({ maxAttempts: 1, runAt: new Date(Date.now() + 3_600_000) })
  let runs = 0
  await startWorker(async () => void runs++)
  for (const lastAttempts of [1, 2]) {
    await simulateWorkerDeath()
    await eventually(listJobs, ([stored]) => stored?.locked === false)
    expect(await listJobs()).toMatchObject([{ attempts: lastAttempts, max: 2, lastError: 'its worker died' }])
  }
  await database.ownerPool.query('update graphile_worker._private_jobs set run_at = now()')
  await enqueueJob()
  await eventually(
    async () => runs,
    count => count === 1,
  )
  expect(await eventually(listJobs, jobs => jobs.length === 1)).toMatchObject([{ attempts: 2, max: 2 }])
})

it.concurrent('a job killed after a newer one took its key does not run again', async context => {
  const { database, enqueueJob, simulateWorkerDeath, listJobs, startWorker } = await makeQueue(context)
  const runs: number[] = []
  const later = new Date(Date.now() + 3_600_000)
  await enqueueJob({ jobKey: 'k', runAt: later })
  await simulateWorkerDeath()
  await enqueueJob({ jobKey: 'k', runAt: later })
  await startWorker(async ({ attempt }) => void runs.push(attempt))
  await eventually(listJobs, jobs => jobs.every(({ locked }) => !locked))
  await database.ownerPool.query('update graphile_worker._private_jobs set run_at = now()')
  await eventually(
    async () => runs,
    ([first]) => first !== undefined,
  )
  expect(await eventually(listJobs, jobs => jobs.length === 1)).toMatchObject([{ attempts: 25, max: 25 }])
  expect(runs).toEqual([1])
})

it.concurrent('a job that failed by itself in its last attempt gets no further attempt', async context => {
  const { enqueueJob, simulateWorkerDeath, listJobs, startWorker } = await makeQueue(context)
  let runs = 0
  await startWorker(async () => {
    runs++
    throw new Error('no luck')
  })
  await enqueueJob({ maxAttempts: 1 })
  await eventually(listJobs, ([stored]) => stored?.locked === false && stored.attempts === 1)
  // The death of another job's worker ensures that a check runs.
  await enqueueJob({ maxAttempts: 9, runAt: new Date(Date.now() + 3_600_000) })
  await simulateWorkerDeath('max_attempts = 9')
  await eventually(listJobs, jobs => jobs.every(({ locked }) => !locked))
  expect(await listJobs()).toMatchObject([{ attempts: 1, max: 1, lastError: 'no luck' }, { max: 9 }])
  expect(runs).toBe(1)
})

it.concurrent('a job that was assigned to a worker without reaching it loses no attempt', async context => {
  const { database, enqueueJob, listJobs, startWorker } = await makeQueue(context)
  const attempts: number[] = []
  let worker: unknown
  await startWorker(async ({ attempt }) => {
    attempts.push(attempt)
    const { rows } = await database.ownerPool.query('select locked_by from graphile_worker._private_jobs')
    worker = rows[0].locked_by
  })
  await enqueueJob()
  await eventually(listJobs, jobs => jobs.length === 0)
  await enqueueJob({ maxAttempts: 1, runAt: new Date(Date.now() + 3_600_000) })
  // Assigned to a live worker that never received it.
  await database.ownerPool.query(
    `update graphile_worker._private_jobs set attempts = 1, run_at = now(), locked_by = $1,
       updated_at = now() - interval '2 hours', locked_at = now() - interval '1 hour'`,
    [worker],
  )
  await eventually(listJobs, jobs => jobs.length === 0)
  expect(attempts).toEqual([1, 1])
})

it.concurrent('a job that lasts for hours stays with its worker', async context => {
  const { database, enqueueJob, listJobs, startWorker } = await makeQueue(context)
  const canEnd = Promise.withResolvers<void>()
  let runs = 0
  await startWorker(async () => {
    runs++
    await canEnd.promise
  })
  await enqueueJob({ queueName: 'q' })
  await eventually(
    async () => runs,
    count => count === 1,
  )
  await database.ownerPool.query(
    `update graphile_worker._private_jobs set locked_at = now() - interval '3 hours', updated_at = now() - interval '4 hours'`,
  )
  await database.ownerPool.query(
    `update graphile_worker._private_job_queues set locked_at = now() - interval '3 hours' where locked_at is not null`,
  )
  const readLockAges = async () =>
    (
      await database.ownerPool.query<{ job: number; queue: number; isReplaced: boolean }>(
        `select extract(epoch from now() - j.locked_at)::int as job, extract(epoch from now() - q.locked_at)::int as queue,
           j.updated_at > j.locked_at as "isReplaced"
         from graphile_worker._private_jobs j join graphile_worker._private_job_queues q on q.id = j.job_queue_id`,
      )
    ).rows[0]!
  expect(await eventually(readLockAges, age => age.job < 60)).toMatchObject({ isReplaced: false })
  expect((await readLockAges()).queue).toBeLessThan(60)
  canEnd.resolve()
  await eventually(listJobs, jobs => jobs.length === 0)
  expect(runs).toBe(1)
})
