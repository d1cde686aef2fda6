/** Runs jobs: graphile-worker, plus what it leaves open: jobs of killed workers come back within seconds. */

import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CronItem, parseCronItems, type Runner, run, type Task } from 'graphile-worker'
import type pg from 'pg'
import { type Database, isDatabaseAway } from './db/index.ts'
import { enqueue } from './enqueue.ts'
import { dispatchName, type EventDefinition } from './event.ts'
import { HandBack, type JobDefinition } from './job.ts'
import { type Log, queueLogger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { patientPool, untilDatabaseIsBack } from './patient-pool.ts'
import { createAtHand, keepLifeSign, startRescue } from './rescue.ts'

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
const notingMaxMs = 5000
const restartMs = 1000

/** Starts taking jobs. */
export async function startQueue(options: QueueOptions): Promise<Queue> {
  const { jobs, database, log } = options
  const stopping = new AbortController()
  const atHand = createAtHand()
  const tasks = createTasks(options, stopping.signal, atHand.tracked)

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
  const rescue = startRescue(database.ownerPool, log, {
    poolId: () => current?.life.poolId() ?? '',
    atHand: atHand.list,
  })
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

function createTasks(
  options: QueueOptions,
  signal: AbortSignal,
  tracked: (task: Task) => Task,
): Record<string, Task> {
  const { jobs, database } = options
  const tasks: [name: string, task: Task][] = [
    ...jobs.map((job): [string, Task] => [job.name, taskOf(job, options, signal)]),
    [dispatchName, dispatchTask(jobs, database)],
    ...jobs
      .filter(job => job.cron)
      .map((job): [string, Task] => [cronName(job.name), perTenantTask(job, database)]),
  ]
  return Object.fromEntries(tasks.map(([name, task]) => [name, tracked(task)]))
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
      if (!(error instanceof HandBack) && !isDatabaseAway(error)) {
        done({ result: 'failed' })
        log.warn(
          { err: error, job: job.name, jobId: helpers.job.id, attempt },
          'a job failed and will be tried again',
        )
        throw error
      }
      // Put back as a new job, so that an attempt is spent on the job's own failures alone.
      await untilDatabaseIsBack(signal, () =>
        database.withTenant({ tenantId }, tx =>
          enqueue(tx, job.name, data as object, { maxAttempts: attemptsAllowed }),
        ),
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

/** Jobs that are due and wait for a worker. */
export async function countWaitingJobs(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*) from graphile_worker._private_jobs where is_available and run_at <= now()',
  )
  return rows[0]?.count ?? 0
}
