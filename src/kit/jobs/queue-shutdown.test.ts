/** When a worker stops or is killed, its jobs continue in another one. */
import { spawn } from 'node:child_process'
import pg from 'pg'
import { describe, expect, it, type TestContext } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { openDatabase } from '../db/index.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { type EnqueueOptions, enqueue } from './enqueue.ts'
import { type JobContext, type JobDefinition, job, RequeueJob } from './job.ts'
import { type Queue, startQueue } from './queue.ts'

type JobHandler = (data: { n: number }, context: JobContext) => Promise<void>

interface StoredJob {
  attempts: number
  max: number
  lockedBy: string | null
}

/** A queue with its own database, so that the tests can wait concurrently. */
async function makeQueue({ onTestFinished }: TestContext) {
  const url = await makeDatabase()
  const database = openDatabase(url, { onError: () => {} })
  const observer = new pg.Client({ connectionString: url })
  await observer.connect()
  onTestFinished(async () => {
    await Promise.all([database.close(), observer.end()])
  })
  const tenantId = (await makeWorkspace(database)).testTenantId
  const listJobs = async () =>
    (
      await observer.query<StoredJob>(
        'select attempts::int, max_attempts::int as max, locked_by as "lockedBy" from graphile_worker.jobs order by id',
      )
    ).rows
  return {
    url,
    database,
    observer,
    listJobs,
    waitUntilEmpty: () => eventually(listJobs, jobs => jobs.length === 0),

    enqueueJob: (name: string, n: number, options: EnqueueOptions = {}) =>
      database.withTenant({ tenantId }, tx => enqueue(tx, name, { n }, options)),

    /** Starts the queue of a worker process, in this process. */
    async start(name: string, run: JobHandler, on = database): Promise<Queue> {
      const jobs = [job<{ n: number }>({ name, run }) as JobDefinition<never>]
      const metrics = createMetrics(async () => 0)
      return startQueue({ jobs, database: on, log: createLog('silent'), metrics })
    },

    /** Starts a process that takes a job and never ends it. */
    async startProcess(workerPool: 'main' | 'long' = 'main'): Promise<{ kill(): Promise<void> }> {
      const moduleUrl = (module: string) => JSON.stringify(import.meta.resolve(module))
      const script = `
        const { openDatabase } = await import(${moduleUrl('../db/index.ts')})
        const { startQueue } = await import(${moduleUrl('./queue.ts')})
        const { createLog } = await import(${moduleUrl('../log.ts')})
        const { createMetrics } = await import(${moduleUrl('../metrics.ts')})
        const database = openDatabase(${JSON.stringify(url)}, { onError() {} })
        const run = async () => { process.stdout.write('begun'); await new Promise(() => {}) }
        await startQueue({ jobs: [{ name: 'hang', workerPool: '${workerPool}', run }], database, log: createLog('silent'), metrics: createMetrics(async () => 0) })`
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      const exit = new Promise<void>(resolve => child.on('exit', () => resolve()))
      await new Promise((resolve, reject) => {
        child.stdout.once('data', resolve)
        exit.then(() => reject(new Error('the worker ended before it took its job')))
      })
      return {
        async kill() {
          child.kill('SIGKILL')
          await exit
        },
      }
    },
  }
}

describe('a worker that stops', () => {
  it.concurrent('lets its job finish the current step, records the end, and takes no other job', async context => {
    const { listJobs, enqueueJob, start } = await makeQueue(context)
    const startedJobs = Promise.withResolvers<void>()
    const canEnd = Promise.withResolvers<void>()
    const done: number[] = []
    const queue = await start('step', async ({ n }) => {
      startedJobs.resolve()
      await canEnd.promise
      done.push(n)
    })
    await enqueueJob('step', 1)
    await startedJobs.promise
    expect(queue.ready()).toBe(true)
    const stopped = queue.stop()
    expect(queue.ready()).toBe(false)
    canEnd.resolve()
    await stopped
    expect(done).toEqual([1])
    expect(await listJobs()).toEqual([])
    await enqueueJob('step', 2)
    expect(await listJobs()).toMatchObject([{ attempts: 0, lockedBy: null }])
  })

  it.concurrent('requeues a long job without costing an attempt, and the next worker continues it at once', async context => {
    const { listJobs, enqueueJob, start, waitUntilEmpty } = await makeQueue(context)
    const startedJobs = Promise.withResolvers<void>()
    const first = await start('long', async (_data, { signal }) => {
      startedJobs.resolve()
      // A worker that looked for a job at that moment may take it once more. It requeues it like the first one.
      if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
      throw new RequeueJob()
    })
    await enqueueJob('long', 7, { maxAttempts: 3 })
    await startedJobs.promise
    await first.stop()
    expect(await listJobs()).toEqual([{ attempts: 0, max: 3, lockedBy: null }])

    const runs: [number, number][] = []
    const second = await start('long', async ({ n }, { attempt }) => {
      runs.push([n, attempt])
    })
    await waitUntilEmpty()
    await second.stop()
    expect(runs).toEqual([[7, 1]])
  })

  it.concurrent('has recorded the result of every job that it took, including failures', async context => {
    const { listJobs, enqueueJob, start } = await makeQueue(context)
    const ran = new Set<number>()
    const queue = await start('many', async ({ n }) => {
      ran.add(n)
      if (n % 2) throw new Error('odd')
    })
    await Promise.all(Array.from({ length: 40 }, (_, n) => enqueueJob('many', n)))
    await eventually(
      async () => ran.size,
      size => size > 10,
    )
    await queue.stop()
    const jobs = await listJobs()
    expect(jobs.filter(job => job.lockedBy !== null)).toEqual([])
    expect(jobs.filter(job => job.attempts === 1)).toHaveLength([...ran].filter(n => n % 2).length)
    expect(jobs.filter(job => job.attempts === 0)).toHaveLength(40 - ran.size)
  })

  it.concurrent('holds no connection afterwards, even if it stops right after its start', async context => {
    const { url, start } = await makeQueue(context)
    for (let i = 0; i < 5; i++) {
      const own = openDatabase(url, { onError: () => {} })
      const queue = await start('none', async () => {}, own)
      await queue.stop()
      // Waits for every connection that was not released.
      await own.close()
    }
  })
})

it.concurrent('a worker takes its heartbeat lock again when the connection breaks', async context => {
  const { database, start } = await makeQueue(context)
  const queue = await start('none', async () => {})
  const listHeartbeatLocks = async () =>
    (
      await database.ownerPool.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
           and database = (select oid from pg_database where datname = current_database())`,
      )
    ).rows
  const [first] = await eventually(listHeartbeatLocks, found => found.length === 1)
  await database.ownerPool.query('select pg_terminate_backend($1)', [first!.pid])
  await eventually(listHeartbeatLocks, ([lock]) => lock !== undefined && lock.pid !== first!.pid)
  await queue.stop()
  await eventually(listHeartbeatLocks, found => found.length === 0)
})

it.concurrent('a worker continues when the database terminates every connection, and records jobs that ended meanwhile', async context => {
  const { observer, enqueueJob, start, waitUntilEmpty } = await makeQueue(context)
  const startedJobs = Promise.withResolvers<void>()
  const canEnd = Promise.withResolvers<void>()
  const runs: number[] = []
  const queue = await start('work', async ({ n }) => {
    runs.push(n)
    startedJobs.resolve()
    if (n === 1) await canEnd.promise
  })
  await enqueueJob('work', 1)
  await startedJobs.promise
  const terminateConnections = () =>
    observer.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
  await terminateConnections()
  canEnd.resolve()
  await waitUntilEmpty()
  await terminateConnections()
  // The pool may not have noticed a lost connection yet.
  await eventually(
    () =>
      enqueueJob('work', 2)
        .then(() => true)
        .catch(() => false),
    Boolean,
  )
  await waitUntilEmpty()
  await queue.stop()
  expect(runs).toEqual([1, 2])
})

describe('a worker that is killed', () => {
  it.concurrent('loses nothing: another worker runs its job and the jobs queued behind it within seconds', async context => {
    const { enqueueJob, start, startProcess, waitUntilEmpty } = await makeQueue(context)
    await enqueueJob('hang', 1, { queueName: 'one by one' })
    await enqueueJob('hang', 2, { queueName: 'one by one' })
    const worker = await startProcess()
    const runs: [number, number][] = []
    const queue = await start('hang', async ({ n }, { attempt }) => {
      runs.push([n, attempt])
    })
    expect(runs).toEqual([])
    await worker.kill()
    await waitUntilEmpty()
    await queue.stop()
    expect(runs).toEqual([
      [1, 2],
      [2, 1],
    ])
  })

  it.concurrent('loses no job of the long pool either, not even one in its last attempt', async context => {
    const { enqueueJob, start, startProcess, waitUntilEmpty } = await makeQueue(context)
    await enqueueJob('hang', 1, { maxAttempts: 1 })
    const worker = await startProcess('long')
    await worker.kill()
    const runs: [number, number][] = []
    const queue = await start('hang', async ({ n }, { attempt }) => {
      runs.push([n, attempt])
    })
    await waitUntilEmpty()
    await queue.stop()
    expect(runs).toEqual([[1, 2]])
  })

  it.concurrent('is distinguished from one that is busy for a long time', async context => {
    const { url, database, enqueueJob, start, waitUntilEmpty } = await makeQueue(context)
    const canEnd = Promise.withResolvers<void>()
    const runs: number[] = []
    const work: JobHandler = async ({ n }) => {
      runs.push(n)
      if (n === 1) await canEnd.promise
    }
    const other = openDatabase(url, { onError: () => {} })
    const busy = await start('work', work)
    await enqueueJob('work', 1)
    await eventually(
      async () => runs,
      ([first]) => first === 1,
    )
    const idle = await start('work', work, other)
    // Both jobs were taken an hour ago, one of them by a live worker.
    await enqueueJob('work', 2, { runAt: new Date(Date.now() + 60_000) })
    await database.ownerPool.query(`
      update graphile_worker._private_jobs set locked_at = now() - interval '1 hour',
        locked_by = coalesce(locked_by, 'a worker that died'), run_at = now()`)
    // The check that frees the second job would also have freed the first.
    await eventually(
      async () => runs,
      () => runs.includes(2),
    )
    canEnd.resolve()
    await waitUntilEmpty()
    expect(runs).toEqual([1, 2])
    await Promise.all([busy.stop(), idle.stop()])
    await other.close()
  })
})
