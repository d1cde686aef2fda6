/** The queue: jobs start when their transaction commits, survive the death of their worker, and know their tenant. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { getTenantId } from '../db/context.ts'
import { type Database, openDatabase } from '../db/index.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { type EnqueueOptions, enqueue } from './enqueue.ts'
import {
  type DeploymentContext,
  deploymentJob,
  type JobContext,
  type JobDefinition,
  job,
  RequeueJob,
} from './job.ts'
import { type Queue, type QueueOptions, startQueue } from './queue.ts'
import { countWaitingJobs } from './queue-tables.ts'

interface Run extends JobContext {
  data: unknown
}

let url: string
let database: Database
let tenantId: string
let otherTenantId: string
const started: Queue[] = []

beforeAll(async () => {
  url = await makeDatabase()
  database = openDatabase(url, { onError: () => {} })
  const workspace = await makeWorkspace(database)
  tenantId = workspace.testTenantId
  otherTenantId = workspace.liveTenantId
})
afterAll(() => database.close())
beforeEach(() => database.ownerPool.query('delete from graphile_worker._private_jobs'))
afterEach(async () => {
  await Promise.all(started.splice(0).map(queue => queue.stop()))
})

async function start(jobs: JobDefinition<never>[], options: Partial<QueueOptions> = {}): Promise<void> {
  const metrics = createMetrics(async () => 0)
  started.push(await startQueue({ jobs, database, log: createLog('silent'), metrics, ...options }))
}

/** A job that records its runs. */
function recordingJob(
  name: string,
  run: (run: Run) => Promise<void> = async () => {},
  overrides: Partial<JobDefinition<unknown>> = {},
) {
  const runs: Run[] = []
  const definition = job<unknown>({
    name,
    ...overrides,
    async run(data, context) {
      runs.push({ data, ...context })
      await run(runs.at(-1)!)
    },
  }) as JobDefinition<never>
  return { definition, runs }
}

const enqueueJob = (name: string, data: object = {}, options: EnqueueOptions = {}, tenant = tenantId) =>
  database.withTenant({ tenantId: tenant }, tx => enqueue(tx, name, data, options))

interface StoredJob {
  name: string
  attempts: number
  locked: boolean
}
const listJobs = async () =>
  (
    await database.ownerPool.query<StoredJob>(
      `select task_identifier as name, attempts::int, locked_by is not null as locked from graphile_worker.jobs order by id`,
    )
  ).rows
const waitForCount = (runs: unknown[], count: number) =>
  eventually(
    async () => runs.length,
    length => length >= count,
  )
const waitUntilEmpty = () => eventually(listJobs, jobs => jobs.length === 0)

describe('a job', () => {
  it('runs once its transaction commits, with its data, in its tenant', async () => {
    const { definition, runs } = recordingJob('greet', async ({ database, tenantId }) => {
      await database.withTenant({ tenantId }, tx =>
        tx
          .insertInto('quota_limits')
          .values({ tenant_id: getTenantId(tx), name: 'greeted', monthly_limit: 1 })
          .execute(),
      )
    })
    await start([definition])
    await enqueueJob('greet', { name: 'Marta "ñ" \u2028' })
    await waitUntilEmpty()
    expect(runs).toMatchObject([
      { data: { name: 'Marta "ñ" \u2028' }, tenantId, attempt: 1, isLastAttempt: false },
    ])
    const listGreeted = (tenant: string) =>
      database.withTenant({ tenantId: tenant }, tx =>
        tx.selectFrom('quota_limits').select('name').where('name', '=', 'greeted').execute(),
      )
    expect(await listGreeted(tenantId)).toHaveLength(1)
    expect(await listGreeted(otherTenantId)).toHaveLength(0)
  })

  it('never runs if its transaction fails, and not before the transaction ends', async () => {
    const { definition, runs } = recordingJob('greet')
    await start([definition])
    const failing = database.withTenant({ tenantId }, async tx => {
      await enqueue(tx, 'greet', { n: 1 })
      throw new Error('changed its mind')
    })
    await expect(failing).rejects.toThrow()
    await database.withTenant({ tenantId }, async tx => {
      await enqueue(tx, 'greet', { n: 2 })
      // A job enqueued later, whose transaction has committed, overtakes it.
      await enqueueJob('greet', { n: 3 })
      await waitForCount(runs, 1)
    })
    await waitUntilEmpty()
    expect(runs.map(run => run.data)).toEqual([{ n: 3 }, { n: 2 }])
  })

  it('is retried when it fails, knows its attempt number, and is not retried after the last one', async () => {
    const { definition, runs } = recordingJob('fail', async () => {
      throw new Error('no luck')
    })
    await start([definition, recordingJob('nudge').definition])
    await enqueueJob('fail', {}, { maxAttempts: 3 })
    for (let attempts = 1; attempts <= 3; attempts++) {
      await eventually(listJobs, ([job]) => job?.attempts === attempts && !job.locked)
      // The backoff would take some seconds.
      await database.ownerPool.query('update graphile_worker._private_jobs set run_at = now()')
      await enqueueJob('nudge')
      await eventually(listJobs, jobs => jobs.length === 1)
    }
    expect(runs.map(run => [run.attempt, run.isLastAttempt])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ])
    expect(await countWaitingJobs(database.ownerPool)).toBe(0)
  })

  it('runs one at a time within its queue', async () => {
    let running = 0
    let maxRunning = 0
    const { definition, runs } = recordingJob('count', async () => {
      maxRunning = Math.max(maxRunning, ++running)
      await new Promise(setImmediate)
      running--
    })
    await start([definition])
    for (let i = 0; i < 20; i++) await enqueueJob('count', { i }, { queueName: 'one by one' })
    await waitUntilEmpty()
    expect(runs.map(run => run.data)).toEqual(Array.from({ length: 20 }, (_, i) => ({ i })))
    expect(maxRunning).toBe(1)
  })

  it('replaces a waiting job with the same key', async () => {
    await enqueueJob('greet', { n: 1 }, { jobKey: 'k' })
    await enqueueJob('greet', { n: 2 }, { jobKey: 'k' })
    expect(await countWaitingJobs(database.ownerPool)).toBe(1)
    const { definition, runs } = recordingJob('greet')
    await start([definition])
    await waitUntilEmpty()
    expect(runs.map(run => run.data)).toEqual([{ n: 2 }])
  })

  it('runs once, however many workers there are', async () => {
    const { definition, runs } = recordingJob('greet')
    const second = openDatabase(url, { onError: () => {} })
    await start([definition])
    await start([definition], { database: second })
    await Promise.all(Array.from({ length: 60 }, (_, n) => enqueueJob('greet', { n })))
    await waitUntilEmpty()
    expect(runs.map(run => (run.data as { n: number }).n).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, n) => n),
    )
    await started.pop()?.stop()
    await second.close()
  })

  it('waits if it is due later or if no worker knows its name', async () => {
    const { definition, runs } = recordingJob('greet')
    await start([definition])
    await enqueueJob('greet', {}, { runAt: new Date(Date.now() + 3_600_000) })
    await enqueueJob('unknown')
    await enqueueJob('greet', { now: true })
    await waitForCount(runs, 1)
    expect(await eventually(listJobs, jobs => jobs.length === 2)).toMatchObject([
      { name: 'greet', attempts: 0 },
      { name: 'unknown', attempts: 0 },
    ])
    expect(runs).toHaveLength(1)
  })
})

it('logs nothing for the operator at its start', async () => {
  const log = createLog('silent')
  const logCalls = (['info', 'warn', 'error'] as const).map(level => vi.spyOn(log, level))
  const { definition: long } = recordingJob('takes-long', undefined, { workerPool: 'long' })
  await start([recordingJob('short').definition, long], { log })
  expect(logCalls.flatMap(({ mock }) => mock.calls)).toEqual([])
})

it('runs a deployment job once for all tenants, and requeues it unchanged', async () => {
  const log = createLog('silent')
  const runs: DeploymentContext[] = []
  const cleanUpAll = deploymentJob({
    name: 'tidy-all',
    cron: '0 3 * * *',
    async run(context) {
      runs.push(context)
      if (runs.length === 1) throw new RequeueJob()
    },
  })
  await start([], { log, deploymentJobs: [cleanUpAll] })
  // The job that the cron line enqueues at its time.
  await database.ownerPool.query(`select graphile_worker.add_job('tidy-all', '{"_cron": {}}', 'tidy-all')`)
  await waitForCount(runs, 2)
  await waitUntilEmpty()
  expect(runs.map(run => [run.attempt, 'tenantId' in run])).toEqual([
    [1, false],
    [1, false],
  ])
})

it('deployment jobs wait for their share without being taken again and again', async () => {
  const canEnd = Promise.withResolvers<void>()
  const begun: string[] = []
  const deploymentJobs = ['tidy-1', 'tidy-2', 'tidy-3', 'tidy-4'].map(name =>
    deploymentJob({
      name,
      cron: '0 3 * * *',
      async run() {
        begun.push(name)
        await canEnd.promise
      },
    }),
  )
  const { definition, runs } = recordingJob('short')
  await start([definition], { deploymentJobs, concurrency: { main: 3 } })
  for (const { name } of deploymentJobs)
    await database.ownerPool.query(`select graphile_worker.add_job($1, '{"_cron": {}}', $1)`, [name])
  await waitForCount(begun, 1)
  await enqueueJob('short', { n: 1 })
  await waitForCount(runs, 1)
  expect(begun).toHaveLength(1)
  // A requeued job gets a new id.
  const { rows } = await database.ownerPool.query<{ ids: number }>(
    'select (max(id) - min(id))::int as ids from graphile_worker._private_jobs',
  )
  expect(rows[0]!.ids).toBeLessThan(20)
  canEnd.resolve()
  await waitUntilEmpty()
  expect(begun.sort()).toEqual(deploymentJobs.map(({ name }) => name))
})

it('runs a job with a cron line once for every tenant', async () => {
  const { definition, runs } = recordingJob('tidy', undefined, { cron: '0 3 * * *' })
  await start([definition])
  // The job that the cron line enqueues at its time.
  await database.ownerPool.query(`select graphile_worker.add_job('tidy:each-tenant')`)
  const tenants = await database.owner.selectFrom('tenants').select('id').execute()
  await waitForCount(runs, tenants.length)
  await waitUntilEmpty()
  expect(runs.map(run => run.tenantId).sort()).toEqual(tenants.map(({ id }) => id).sort())
})
