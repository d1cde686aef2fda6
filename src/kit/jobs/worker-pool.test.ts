/** Worker pools: long and short jobs do not wait for each other, and a requeued job keeps its properties. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { type Database, openDatabase } from '../db/index.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { type EnqueueOptions, enqueue } from './enqueue.ts'
import { type JobContext, type JobDefinition, job, RequeueJob, type WorkerPoolName } from './job.ts'
import { type Queue, type QueueOptions, startQueue } from './queue.ts'

let database: Database
let tenantId: string
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
  tenantId = (await makeWorkspace(database)).testTenantId
})
afterAll(() => database.close())
beforeEach(() => database.ownerPool.query('delete from graphile_worker._private_jobs'))
const started: Queue[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map(queue => queue.stop()))
})

async function start(
  jobs: JobDefinition<never>[],
  concurrency: NonNullable<QueueOptions['concurrency']> = {},
): Promise<Queue> {
  const metrics = createMetrics(async () => 0)
  const queue = await startQueue({ jobs, database, log: createLog('silent'), metrics, concurrency })
  started.push(queue)
  return queue
}

type JobHandler = (n: number, context: JobContext) => Promise<void>
const define = (name: string, workerPool: WorkerPoolName, run: JobHandler) =>
  job<{ n: number }>({ name, workerPool, run: ({ n }, context) => run(n, context) }) as JobDefinition<never>

const enqueueJob = (name: string, n: number, options: EnqueueOptions = {}) =>
  database.withTenant({ tenantId }, tx => enqueue(tx, name, { n }, options))

interface StoredJob {
  n: number
  key: string | null
  queue: string | null
  attempts: number
  max: number
  locked: boolean
  inSeconds: number
}
const listJobs = async () =>
  (
    await database.ownerPool.query<StoredJob>(
      `select (payload->'data'->>'n')::int as n, key, queue_name as queue, attempts::int, max_attempts::int as max,
         j.locked_by is not null as locked, extract(epoch from run_at - now())::float8 as "inSeconds"
       from graphile_worker._private_jobs j left join graphile_worker._private_job_queues q on q.id = job_queue_id
       order by j.id`,
    )
  ).rows
const waitForCount = (list: unknown[], count: number) =>
  eventually(
    async () => list.length,
    length => length >= count,
  )
const waitUntilEmpty = () => eventually(listJobs, jobs => jobs.length === 0)
const oneSecondAgo = () => new Date(Date.now() - 1100)

describe('a worker pool', () => {
  it("runs as many jobs of a tenant at once as the tenant's share, and delays no job of another pool", async () => {
    const canEnd = Promise.withResolvers<void>()
    const done: [string, number][] = []
    const running: number[] = []
    const long = define('long', 'long', async n => {
      running.push(n)
      await canEnd.promise
      done.push(['long', n])
    })
    const short = define('short', 'main', async n => void done.push(['short', n]))
    const remote = define('remote', 'remote', async n => void done.push(['remote', n]))
    await start([long, short, remote], { main: 1, long: 4 })
    for (const n of [1, 2, 3]) await enqueueJob('long', n)
    await waitForCount(running, 2)
    await enqueueJob('short', 4)
    await waitForCount(done, 1)
    await enqueueJob('remote', 5)
    await waitForCount(done, 2)
    expect(done).toEqual([
      ['short', 4],
      ['remote', 5],
    ])
    expect(running).toHaveLength(2)
    canEnd.resolve()
    await waitUntilEmpty()
    expect(running.sort()).toEqual([1, 2, 3])
  })

  it('keeps a worker free for the next tenant, however many jobs of one tenant wait', async () => {
    const canEnd = Promise.withResolvers<void>()
    const running: string[] = []
    const long = job<{ n: number }>({
      name: 'long',
      workerPool: 'long',
      async run(_data, context) {
        running.push(context.tenantId)
        await canEnd.promise
      },
    }) as JobDefinition<never>
    // Enqueued before the start, so that each worker takes one of them at first.
    await Promise.all(Array.from({ length: 40 }, (_, n) => enqueueJob('long', n)))
    await start([long], { long: 6 })
    await waitForCount(running, 3)
    const others = [
      (await makeWorkspace(database)).testTenantId,
      (await makeWorkspace(database)).testTenantId,
    ]
    for (const other of others)
      await database.withTenant({ tenantId: other }, tx => enqueue(tx, 'long', { n: 0 }))
    await waitForCount(running, 5)
    expect(running).toEqual([tenantId, tenantId, tenantId, ...others])
    canEnd.resolve()
    await waitUntilEmpty()
    expect(running).toHaveLength(42)
  })

  it('requeues running jobs when the queue stops, like the other pool', async () => {
    const startedJobs: string[] = []
    const waitUntilStopped: JobHandler = async (_n, { signal }) => {
      startedJobs.push('')
      if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
      throw new RequeueJob()
    }
    const queue = await start([
      define('long', 'long', waitUntilStopped),
      define('short', 'main', waitUntilStopped),
    ])
    await enqueueJob('long', 1)
    await enqueueJob('short', 2)
    await waitForCount(startedJobs, 2)
    expect(queue.ready()).toBe(true)
    await started.pop()!.stop()
    expect(queue.ready()).toBe(false)
    expect(await listJobs()).toMatchObject([
      { attempts: 0, locked: false },
      { attempts: 0, locked: false },
    ])
  })

  it('recovers when the database terminates every connection', async () => {
    const done: number[] = []
    await start([define('long', 'long', async n => void done.push(n))])
    await database.ownerPool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
    await enqueueJob('long', 1)
    await waitUntilEmpty()
    expect(done).toEqual([1])
  })
})

describe('hasWaitingJobs', () => {
  async function checkWhileRunning(prepare: () => Promise<void>): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const probe = define('probe', 'long', async (n, { hasWaitingJobs }) => {
      if (n !== 0) return
      await prepare()
      resolve(await hasWaitingJobs())
    })
    await start([probe, define('short', 'main', async () => {})], { long: 1, main: 1 })
    await enqueueJob('probe', 0, { queueName: 'one by one' })
    return promise
  }

  it('is true if a job of the pool is due and has no worker', async () => {
    expect(await checkWhileRunning(() => enqueueJob('probe', 1, { runAt: oneSecondAgo() }))).toBe(true)
  })

  it.each([
    ['has just been enqueued', () => enqueueJob('probe', 1)],
    ['is due later', () => enqueueJob('probe', 1, { runAt: new Date(Date.now() + 60_000) })],
    [
      'only waits for its queue',
      () => enqueueJob('probe', 1, { runAt: oneSecondAgo(), queueName: 'one by one' }),
    ],
    ['is unknown to the pool', () => enqueueJob('unknown', 1, { runAt: oneSecondAgo() })],
  ])('is false if the other job %s', async (_what, prepare) => {
    expect(await checkWhileRunning(prepare)).toBe(false)
  })
})

describe('a job that requeues itself', () => {
  const requeueOnce = (runAt?: Date, before: () => Promise<void> = async () => {}) => {
    const runs: number[] = []
    const definition = define('requeue', 'long', async n => {
      runs.push(n)
      if (runs.length > 1) return
      await before()
      throw new RequeueJob(runAt ? { runAt } : {})
    })
    return { runs, definition }
  }

  it('keeps its queue, its key and its attempts, and runs again at the given time', async () => {
    const { runs, definition } = requeueOnce(new Date(Date.now() + 3_600_000))
    await start([definition])
    await enqueueJob('requeue', 7, { jobKey: 'k', queueName: 'q', maxAttempts: 3 })
    await waitForCount(runs, 1)
    const [stored] = await eventually(listJobs, ([one]) => one?.locked === false && one.attempts === 0)
    expect(stored).toMatchObject({ n: 7, key: 'k', queue: 'q', attempts: 0, max: 3 })
    expect(stored!.inSeconds).toBeGreaterThan(3500)
    // Its first run holds no lock any more, so it does not delay others of its queue.
    await enqueueJob('requeue', 8, { queueName: 'q' })
    await waitForCount(runs, 2)
    expect(await eventually(listJobs, jobs => jobs.length === 1)).toMatchObject([{ n: 7 }])
  })

  it('runs after the jobs that waited', async () => {
    const { runs, definition } = requeueOnce(undefined, async () => {
      for (const n of [2, 3]) await enqueueJob('requeue', n)
    })
    await start([definition], { long: 1 })
    await enqueueJob('requeue', 1)
    await waitUntilEmpty()
    expect(runs).toEqual([1, 2, 3, 1])
  })

  it('does not run again if a newer job has taken its key', async () => {
    const { runs, definition } = requeueOnce(undefined, () => enqueueJob('requeue', 2, { jobKey: 'k' }))
    await start([definition], { long: 1 })
    await enqueueJob('requeue', 1, { jobKey: 'k' })
    await waitUntilEmpty()
    expect(runs).toEqual([1, 2])
  })
})
