/** Runs jobs: graphile-worker, plus what it leaves open: jobs of killed workers come back within seconds. */
import type { CronItem, Task } from 'graphile-worker'
import type pg from 'pg'
import { type Database, isDatabaseAway } from './db/index.ts'
import { enqueue } from './enqueue.ts'
import { putBack } from './hand-back.ts'
import { HandBack, type JobDefinition, type LaneName } from './job.ts'
import { type Lane, startLane } from './lane.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { patientPool, untilDatabaseIsBack } from './patient-pool.ts'
import { createAtHand, startRescue } from './rescue.ts'
import { createWorkerShares, type WorkerShares } from './worker-shares.ts'

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
  /** How many jobs of each lane run at once. */
  concurrency?: Partial<Record<LaneName, number>>
}

type Payload = { tenantId: string; data: unknown }

const usualConcurrency: Record<LaneName, number> = { main: 8, long: 16 }

/** Starts taking jobs. */
export async function startQueue(options: QueueOptions): Promise<Queue> {
  const { jobs, database, log, concurrency } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const atHand = createAtHand()
  const pool = database.ownerPool
  const shared = { pool, patientPool: patientPool(pool, signal), signal, log }
  const lanes: Lane[] = []
  for (const name of ['main', 'long'] as const) {
    const workers = concurrency?.[name] ?? usualConcurrency[name]
    const shares = createWorkerShares(workers)
    const tasks = createTasks(name, options, shares, signal)
    if (tasks.length === 0) continue
    lanes.push(
      await startLane({
        ...shared,
        tasks: Object.fromEntries(tasks.map(([name, task]) => [name, atHand.tracked(task)])),
        cronItems: name === 'main' ? jobs.flatMap(cronItem) : [],
        concurrency: workers,
        flagsToSkip: shares.flagsToSkip,
      }),
    )
  }
  const rescue = startRescue(pool, log, {
    poolIds: () => lanes.map(lane => lane.poolId()),
    atHand: atHand.list,
  })
  return {
    ready: () => lanes.every(lane => lane.ready()),
    async stop() {
      stopping.abort()
      rescue.stop()
      await Promise.all(lanes.map(lane => lane.stop()))
    },
  }
}

const laneOf = (job: JobDefinition<never>): LaneName => job.lane ?? 'main'

function createTasks(
  lane: LaneName,
  options: QueueOptions,
  shares: WorkerShares,
  signal: AbortSignal,
): [name: string, task: Task][] {
  const { jobs, database } = options
  const own = jobs.filter(job => laneOf(job) === lane)
  const tasks = own.map((job): [string, Task] => [job.name, taskOf(job, options, shares, signal)])
  if (lane === 'long') return tasks
  const perTenant = jobs
    .filter(job => job.cron)
    .map((job): [string, Task] => [cronName(job.name), perTenantTask(job, database)])
  return [...tasks, ...perTenant]
}

function taskOf(
  job: JobDefinition<never>,
  { jobs, database, log, metrics }: QueueOptions,
  shares: WorkerShares,
  signal: AbortSignal,
): Task {
  const sameLane = jobs.filter(other => laneOf(other) === laneOf(job)).map(other => other.name)
  return async (payload, helpers) => {
    const { tenantId, data } = payload as Payload
    const { attempts: attempt, max_attempts: attemptsAllowed, run_at: dueAt } = helpers.job
    const leave = shares.begin(tenantId)
    // Several workers took jobs of one tenant in the same moment.
    if (!leave) return untilDatabaseIsBack(signal, () => putBack(database, helpers.job, dueAt))
    const done = metrics.jobs.startTimer({ job: job.name })
    try {
      await job.run(data as never, {
        database,
        tenantId,
        signal,
        attempt,
        isLastAttempt: attempt >= attemptsAllowed,
        othersWait: () => isAnyWaiting(database.ownerPool, sameLane),
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
      const runAt = (error instanceof HandBack && error.runAt) || null
      await untilDatabaseIsBack(signal, () => putBack(database, helpers.job, runAt))
      done({ result: 'handed back' })
    } finally {
      leave()
    }
  }
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

/** Whether one of these jobs has been due for longer than an idle worker would take to find it. */
async function isAnyWaiting(pool: pg.Pool, names: string[]): Promise<boolean> {
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
