/** Runs jobs: graphile-worker, plus what it leaves open: jobs of killed workers come back within seconds. */

import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CronItem, parseCronItems, type Runner, run, type Task, type WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import type { Database } from './db/index.ts'
import { enqueue } from './enqueue.ts'
import { dispatchName, type EventDefinition } from './event.ts'
import { HandBack, type JobDefinition } from './job.ts'
import { type Log, queueLogger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { patientPool } from './patient-pool.ts'

export interface Queue {
  /** Whether jobs are being taken. */
  ready(): boolean
  /** Takes no more jobs, lets those at hand finish their step, hands the rest back. */
  stop(): Promise<void>
}

export interface QueueOptions {
  jobs: JobDefinition<never>[]
  database: Database
  log: Log
  metrics: Metrics
  concurrency?: number
}

type Payload = { tenantId: string; data: unknown }

const attemptsMax = 25
const rescueEveryMs = 1000
// A pool takes its lock within milliseconds of its birth; one without a lock after that is dead.
const rescueAfterSeconds = 3
const notingMaxMs = 5000
const restartMs = 1000

/** Starts taking jobs. */
export async function startQueue(options: QueueOptions): Promise<Queue> {
  const { jobs, database, log } = options
  const stopping = new AbortController()
  const tasks: Record<string, Task> = Object.fromEntries(
    jobs.map(job => [job.name, taskOf(job, options, stopping.signal)]),
  )
  tasks[dispatchName] = dispatchTask(jobs, database)
  for (const job of jobs) if (job.cron) tasks[cronName(job.name)] = perTenantTask(job, database)

  const pool = patientPool(database.ownerPool, stopping.signal)
  const start = async () => {
    const events = new EventEmitter()
    const life = keepLifeSign(database.ownerPool, events, log)
    const runner = await run({
      pgPool: pool,
      taskList: tasks,
      parsedCronItems: parseCronItems(jobs.flatMap(cronItem)),
      concurrency: options.concurrency ?? 8,
      pollInterval: 1000,
      noHandleSignals: true,
      logger: queueLogger(log),
      events: events as never,
    })
    return { runner, life }
  }
  let current: Awaited<ReturnType<typeof start>> | null = await start()
  const keepRunning = async (): Promise<void> => {
    while (current && !stopping.signal.aborted) {
      const { runner, life } = current
      const cause = await runner.promise.catch((error: unknown) => error)
      if (stopping.signal.aborted) return
      log.error({ err: cause }, 'the queue stopped by itself; starting it again')
      current = null
      life.stop()
      await sleep(restartMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (!stopping.signal.aborted) current = await start()
    }
  }
  const kept = keepRunning().catch(error => log.fatal({ err: error }, 'the queue could not be started again'))
  const rescue = startRescue(database.ownerPool, log)
  return {
    ready: () => current !== null && !stopping.signal.aborted,
    async stop() {
      stopping.abort()
      rescue.stop()
      if (current) {
        await stopRunner(current.runner)
        await untilNoted(database.ownerPool, current.life.poolId())
        current.life.stop()
      }
      await kept
    },
  }
}

async function stopRunner(runner: Runner): Promise<void> {
  await runner.stop()
  await runner.promise.catch(() => {})
}

/** The library doesn't wait until it has noted which jobs ended; lost with the connections, they would run once more. */
async function untilNoted(pool: pg.Pool, poolId: string): Promise<void> {
  const deadlineMs = performance.now() + notingMaxMs
  while (performance.now() < deadlineMs) {
    const noted = await pool
      .query('select from graphile_worker._private_jobs where locked_by = $1 limit 1', [poolId])
      .then(
        ({ rowCount }) => rowCount === 0,
        // Without a database there is nothing to wait for.
        () => true,
      )
    if (noted) return
    await sleep(10)
  }
}

function taskOf(
  job: JobDefinition<never>,
  { database, log, metrics }: QueueOptions,
  signal: AbortSignal,
): Task {
  return async (payload, helpers) => {
    const { tenantId, data } = payload as Payload
    const { attempts: attempt, max_attempts: attemptsAllowed } = helpers.job
    const done = metrics.jobs.startTimer({ job: job.name })
    try {
      await job.run(data as never, {
        database,
        tenantId,
        signal,
        attempt,
        isLastAttempt: attempt >= attemptsAllowed,
        log: log.child({ job: job.name, jobId: helpers.job.id, tenantId }),
      })
      done({ result: 'done' })
    } catch (error) {
      if (!(error instanceof HandBack)) {
        done({ result: 'failed' })
        log.warn(
          { err: error, job: job.name, jobId: helpers.job.id, attempt },
          'a job failed and will be tried again',
        )
        throw error
      }
      // Put back as a new job, so that an attempt is spent on failures alone.
      await database.withTenant({ tenantId }, tx =>
        enqueue(tx, job.name, data as object, { maxAttempts: attemptsAllowed }),
      )
      done({ result: 'handed back' })
    }
  }
}

/** One job per listener of the event, under a key of both: dispatching twice enqueues once. */
function dispatchTask(jobs: JobDefinition<never>[], database: Database): Task {
  return async payload => {
    const { tenantId, data } = payload as { tenantId: string; data: { eventId: string; type: string } }
    const listeners = jobs.filter(job => listensTo(job.on, data.type))
    await database.withTenant({ tenantId }, async tx => {
      for (const job of listeners) {
        await enqueue(tx, job.name, data, {
          jobKey: `${job.name}:${data.eventId}`,
          maxAttempts: job.maxAttempts ?? attemptsMax,
        })
      }
    })
  }
}

function listensTo(on: EventDefinition[] | '*' | undefined, type: string): boolean {
  return on === '*' || (on?.some(event => event.type === type) ?? false)
}

const cronName = (name: string) => `${name}:each-tenant`

function cronItem(job: JobDefinition<never>): CronItem[] {
  return job.cron
    ? [{ task: cronName(job.name), match: job.cron, identifier: job.name, options: { maxAttempts: 3 } }]
    : []
}

function perTenantTask(job: JobDefinition<never>, database: Database): Task {
  return async () => {
    const tenants = await database.owner.selectFrom('tenants').select('id').execute()
    for (const { id } of tenants) {
      await database.withTenant({ tenantId: id }, tx =>
        enqueue(tx, job.name, {}, { jobKey: `${job.name}:${id}`, maxAttempts: job.maxAttempts ?? 3 }),
      )
    }
  }
}

/**
 * Holds a session-level advisory lock named after the worker pool. PostgreSQL drops it the moment the process dies,
 * which tells the others, with no clock to trust, that the pool's jobs are free.
 */
function keepLifeSign(pool: pg.Pool, events: EventEmitter, log: Log) {
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
      held?.release(true)
    },
  }
}

/** Frees the jobs of worker pools that no longer hold their lock. */
function startRescue(pool: pg.Pool, log: Log) {
  const rescue = async () => {
    const { rows } = await pool.query<{ worker: string }>(
      `select distinct locked_by as worker from graphile_worker._private_jobs
       where locked_by is not null and locked_at < now() - make_interval(secs => $1)
         and not exists (
           select from pg_locks l
           where l.locktype = 'advisory' and l.granted and l.objsubid = 1
             and l.database = (select oid from pg_database where datname = current_database())
             and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(locked_by, 1))`,
      [rescueAfterSeconds],
    )
    if (rows.length === 0) return
    await pool.query('select graphile_worker.force_unlock_workers($1)', [rows.map(row => row.worker)])
    log.warn({ workers: rows.length }, 'the jobs of a worker that died were put back')
  }
  const timer = setInterval(
    () => void rescue().catch(error => log.debug({ err: error }, 'no rescue this time')),
    rescueEveryMs,
  )
  return { stop: () => clearInterval(timer) }
}

/** Jobs that are due and wait for a worker. */
export async function countWaitingJobs(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*) from graphile_worker._private_jobs where is_available and run_at <= now()',
  )
  return rows[0]?.count ?? 0
}
