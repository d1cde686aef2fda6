/** Runs jobs with graphile-worker, and adds worker pools, fair shares, and requeueing of the jobs of killed workers. */
import type { CronItem, Task } from 'graphile-worker'
import { machineNow } from '../clock/clock.ts'
import { type Database, isDatabaseUnavailable } from '../db/index.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { enqueue } from './enqueue.ts'
import { createFairShares, type FairShares } from './fair-shares.ts'
import {
  type DeploymentContext,
  type DeploymentJob,
  type JobDefinition,
  RequeueJob,
  type WorkerPoolName,
  workerPoolNames,
} from './job.ts'
import { hasOverdueJobs, requeueJob } from './queue-tables.ts'
import { retryingPool, retryWhileUnavailable } from './retrying-pool.ts'
import { createRunningJobs, startStalledJobCheck } from './stalled-jobs.ts'
import { startWorkerPool, type WorkerPool } from './worker-pool.ts'

export interface Queue {
  /** True while jobs are taken. */
  ready(): boolean
  /** Takes no more jobs, and waits until running ones have finished their current step or thrown RequeueJob. */
  stop(): Promise<void>
}

export interface QueueOptions {
  jobs: JobDefinition<never>[]
  deploymentJobs?: DeploymentJob[]
  database: Database
  log: Log
  metrics: Metrics
  /** How many jobs of each worker pool run at once. */
  concurrency?: Partial<Record<WorkerPoolName, number>> | undefined
}

type Payload = { tenantId: string; data: unknown }

const defaultConcurrency: Record<WorkerPoolName, number> = { main: 8, remote: 8, long: 16 }

/** Starts taking jobs. */
export async function startQueue(options: QueueOptions): Promise<Queue> {
  const { database, log, concurrency } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const runningJobs = createRunningJobs()
  const { ownerPool: pool, direct } = database
  const shared = {
    pool,
    retryingPool: retryingPool(pool, direct, signal),
    direct,
    usesPreparedStatements: !database.isPooled,
    signal,
    log,
  }
  const workerPools: WorkerPool[] = []
  const taskDefinitions = toTaskDefinitions(options)
  for (const name of workerPoolNames) {
    const poolTasks = taskDefinitions.filter(({ workerPool }) => workerPool === name)
    if (poolTasks.length === 0) continue
    const workers = concurrency?.[name] ?? defaultConcurrency[name]
    const shares = createFairShares(workers)
    const names = poolTasks.map(definition => definition.name)
    const tasks = poolTasks.map(definition => [
      definition.name,
      runningJobs.track(toTask(definition, names, options, shares, signal)),
    ])
    workerPools.push(
      await startWorkerPool({
        ...shared,
        tasks: Object.fromEntries(tasks),
        cronItems: poolTasks.flatMap(toCronItems),
        concurrency: workers,
        forbiddenFlags: shares.forbiddenFlags,
      }),
    )
  }
  const checkStalledJobs = startStalledJobCheck(pool, log, {
    workerPoolIds: () => workerPools.map(workerPool => workerPool.workerPoolId()),
    runningJobs: runningJobs.list,
  })
  return {
    ready: () => workerPools.every(workerPool => workerPool.ready()),
    async stop() {
      stopping.abort()
      checkStalledJobs.stop()
      await Promise.all(workerPools.map(workerPool => workerPool.stop()))
    },
  }
}

/** A tenant's job or a deployment job, as workers run it. */
interface TaskDefinition {
  name: string
  workerPool: WorkerPoolName
  cron?: string
  maxAttempts: number
  run(payload: Payload, context: DeploymentContext): Promise<void>
}

function toTaskDefinitions({ jobs, deploymentJobs = [] }: QueueOptions): TaskDefinition[] {
  return [
    ...jobs.map(
      ({ name, workerPool = 'main', maxAttempts = 3, run }): TaskDefinition => ({
        name,
        workerPool,
        maxAttempts,
        run: ({ tenantId, data }, context) => {
          const log = context.log.child({ tenantId })
          return run(data as never, { ...context, tenantId, log })
        },
      }),
    ),
    ...[...deploymentJobs, ...jobs.flatMap(toPerTenantJobs)].map(
      ({ workerPool = 'main', maxAttempts = 3, ...job }): TaskDefinition => ({
        ...job,
        workerPool,
        maxAttempts,
        run: (_payload, context) => job.run(context),
      }),
    ),
  ]
}

/** A deployment job that enqueues a tenant's job once per tenant, at the times of its cron line. */
function toPerTenantJobs({ name, cron, maxAttempts = 3 }: JobDefinition<never>): DeploymentJob[] {
  if (!cron) return []
  const run = async ({ database }: DeploymentContext) => {
    const tenants = await database.owner.selectFrom('tenants').select('id').execute()
    for (const { id } of tenants)
      await database.withTenant({ tenantId: id }, tx =>
        enqueue(tx, name, {}, { jobKey: `${name}:${id}`, maxAttempts }),
      )
  }
  return [{ name: `${name}:each-tenant`, cron, run }]
}

function toCronItems({ name, cron, maxAttempts }: TaskDefinition): CronItem[] {
  // With a queue of its own, a run waits until the previous one has ended.
  const options = { maxAttempts, queueName: name }
  return cron ? [{ task: name, match: cron, identifier: name, options }] : []
}

/** The jobs of the deployment together have the same share of the workers as one tenant. */
const deploymentShareKey = 'deployment'
/** The library does not skip deployment jobs whose share is used up, as it skips tenants' jobs by their flags. */
const shareWaitMs = 1000

/** `names`: the jobs of the same worker pool. */
function toTask(
  definition: TaskDefinition,
  names: string[],
  { database, log, metrics }: QueueOptions,
  shares: FairShares,
  signal: AbortSignal,
): Task {
  return async (payload, helpers) => {
    const { attempts: attempt, max_attempts: maxAttemptsOfJob, run_at: dueAt } = helpers.job
    const { tenantId } = payload as Partial<Payload>
    const release = shares.acquire(tenantId ?? deploymentShareKey)
    if (!release) {
      // Several workers took jobs of one tenant at the same moment.
      const nextAt = tenantId ? dueAt : new Date(machineNow() + shareWaitMs)
      return retryWhileUnavailable(signal, () => requeueJob(database, helpers.job, nextAt))
    }
    const isLastAttempt = attempt >= maxAttemptsOfJob
    const done = metrics.jobs.startTimer({ job: definition.name })
    try {
      await definition.run(payload as Payload, {
        database,
        signal,
        attempt,
        isLastAttempt,
        hasWaitingJobs: () => hasOverdueJobs(database.ownerPool, names),
        log: log.child({ job: definition.name, jobId: helpers.job.id }),
      })
      done({ result: 'done' })
    } catch (error) {
      if (!(error instanceof RequeueJob) && !isDatabaseUnavailable(error)) {
        done({ result: 'failed' })
        log.warn(
          { err: error, job: definition.name, jobId: helpers.job.id, attempt },
          isLastAttempt ? 'a job failed for the last time' : 'a job failed and will be tried again',
        )
        throw error
      }
      const runAt = (error instanceof RequeueJob && error.runAt) || null
      await retryWhileUnavailable(signal, () => requeueJob(database, helpers.job, runAt))
      done({ result: 'requeued' })
    } finally {
      release()
    }
  }
}
