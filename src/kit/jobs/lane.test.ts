/** Lanes: long jobs and short ones do not wait for each other; a long one that gives way comes back as it was. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { type Database, openDatabase } from '../db/index.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { type EnqueueOptions, enqueue } from './enqueue.ts'
import { HandBack, type JobContext, type JobDefinition, job, type LaneName } from './job.ts'
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

type Work = (n: number, context: JobContext) => Promise<void>
const define = (name: string, lane: LaneName, run: Work) =>
  job<{ n: number }>({ name, lane, run: ({ n }, context) => run(n, context) }) as JobDefinition<never>

const put = (name: string, n: number, options: EnqueueOptions = {}) =>
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
const untilCount = (list: unknown[], count: number) =>
  eventually(
    async () => list.length,
    length => length >= count,
  )
const untilEmpty = () => eventually(listJobs, jobs => jobs.length === 0)
const aSecondAgo = () => new Date(Date.now() - 1100)

describe('a lane', () => {
  it('runs as many jobs of a tenant at once as its share of the workers is, and holds up no job of the other', async () => {
    const mayEnd = Promise.withResolvers<void>()
    const done: [string, number][] = []
    const running: number[] = []
    const long = define('long', 'long', async n => {
      running.push(n)
      await mayEnd.promise
      done.push(['long', n])
    })
    const short = define('short', 'main', async n => void done.push(['short', n]))
    await start([long, short], { main: 1, long: 4 })
    for (const n of [1, 2, 3]) await put('long', n)
    await untilCount(running, 2)
    await put('short', 4)
    await untilCount(done, 1)
    expect(done).toEqual([['short', 4]])
    expect(running).toHaveLength(2)
    mayEnd.resolve()
    await untilEmpty()
    expect(running.sort()).toEqual([1, 2, 3])
  })

  it('keeps a worker free for who comes next, however many jobs of a tenant wait', async () => {
    const mayEnd = Promise.withResolvers<void>()
    const running: string[] = []
    const long = job<{ n: number }>({
      name: 'long',
      lane: 'long',
      async run(_data, context) {
        running.push(context.tenantId)
        await mayEnd.promise
      },
    }) as JobDefinition<never>
    // All at once, before anybody works: each worker takes one of them at first.
    await Promise.all(Array.from({ length: 40 }, (_, n) => put('long', n)))
    await start([long], { long: 6 })
    await untilCount(running, 3)
    const others = [
      (await makeWorkspace(database)).testTenantId,
      (await makeWorkspace(database)).testTenantId,
    ]
    for (const other of others)
      await database.withTenant({ tenantId: other }, tx => enqueue(tx, 'long', { n: 0 }))
    await untilCount(running, 5)
    expect(running).toEqual([tenantId, tenantId, tenantId, ...others])
    mayEnd.resolve()
    await untilEmpty()
    expect(running).toHaveLength(42)
  })

  it('hands back what is at hand when the queue stops, as the other does', async () => {
    const begun: string[] = []
    const untilStopped: Work = async (_n, { signal }) => {
      begun.push('')
      if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
      throw new HandBack()
    }
    const queue = await start([define('long', 'long', untilStopped), define('short', 'main', untilStopped)])
    await put('long', 1)
    await put('short', 2)
    await untilCount(begun, 2)
    expect(queue.ready()).toBe(true)
    await started.pop()!.stop()
    expect(queue.ready()).toBe(false)
    expect(await listJobs()).toMatchObject([
      { attempts: 0, locked: false },
      { attempts: 0, locked: false },
    ])
  })

  it('goes on by itself when the database breaks off every connection', async () => {
    const done: number[] = []
    await start([define('long', 'long', async n => void done.push(n))])
    await database.ownerPool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
    await put('long', 1)
    await untilEmpty()
    expect(done).toEqual([1])
  })
})

describe('whether others wait', () => {
  async function askedWhileRunning(prepare: () => Promise<void>): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const ask = define('ask', 'long', async (n, { othersWait }) => {
      if (n !== 0) return
      await prepare()
      resolve(await othersWait())
    })
    await start([ask, define('short', 'main', async () => {})], { long: 1, main: 1 })
    await put('ask', 0, { queueName: 'one by one' })
    return promise
  }

  it('is so if a job of the lane is due and has no worker', async () => {
    expect(await askedWhileRunning(() => put('ask', 1, { runAt: aSecondAgo() }))).toBe(true)
  })

  it.each([
    ['has only just come', () => put('ask', 1)],
    ['is due later', () => put('ask', 1, { runAt: new Date(Date.now() + 60_000) })],
    ['waits for its queue alone', () => put('ask', 1, { runAt: aSecondAgo(), queueName: 'one by one' })],
    ['is known to no worker of the lane', () => put('unknown', 1, { runAt: aSecondAgo() })],
  ])('is not so if the other %s', async (_what, prepare) => {
    expect(await askedWhileRunning(prepare)).toBe(false)
  })
})

describe('a job that hands itself back', () => {
  const giveWay = (runAt?: Date, before: () => Promise<void> = async () => {}) => {
    const runs: number[] = []
    const definition = define('give way', 'long', async n => {
      runs.push(n)
      if (runs.length > 1) return
      await before()
      throw new HandBack(runAt ? { runAt } : {})
    })
    return { runs, definition }
  }

  it('keeps its queue, its key and its attempts, and comes back when it said', async () => {
    const { runs, definition } = giveWay(new Date(Date.now() + 3_600_000))
    await start([definition])
    await put('give way', 7, { jobKey: 'k', queueName: 'q', maxAttempts: 3 })
    await untilCount(runs, 1)
    const [stored] = await eventually(listJobs, ([one]) => one?.locked === false && one.attempts === 0)
    expect(stored).toMatchObject({ n: 7, key: 'k', queue: 'q', attempts: 0, max: 3 })
    expect(stored!.inSeconds).toBeGreaterThan(3500)
    // Nothing is left of its first run: others of its queue are not held up.
    await put('give way', 8, { queueName: 'q' })
    await untilCount(runs, 2)
    expect(await eventually(listJobs, jobs => jobs.length === 1)).toMatchObject([{ n: 7 }])
  })

  it('comes after those that waited', async () => {
    const { runs, definition } = giveWay(undefined, async () => {
      for (const n of [2, 3]) await put('give way', n)
    })
    await start([definition], { long: 1 })
    await put('give way', 1)
    await untilEmpty()
    expect(runs).toEqual([1, 2, 3, 1])
  })

  it('does not come back if its key has gone to a newer one', async () => {
    const { runs, definition } = giveWay(undefined, () => put('give way', 2, { jobKey: 'k' }))
    await start([definition], { long: 1 })
    await put('give way', 1, { jobKey: 'k' })
    await untilEmpty()
    expect(runs).toEqual([1, 2])
  })
})
