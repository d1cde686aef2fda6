/** Runs jobs: graphile-worker, plus what it leaves open: jobs of killed workers come back within seconds. */
import type { CronItem, Task } from 'graphile-worker'
import { type Database, isDatabaseAway } from '../db/index.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { enqueue } from './enqueue.ts'
import {
  type DeploymentContext,
  type DeploymentJob,
  HandBack,
  type JobDefinition,
  type LaneName,
} from './job.ts'
import { type Lane, startLane } from './lane.ts'
import { patientPool, untilDatabaseIsBack } from './patient-pool.ts'
import { isAnyWaiting, putBack } from './queue-tables.ts'
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
  deploymentJobs?: DeploymentJob[]
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
  const { database, log, concurrency } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const atHand = createAtHand()
  const { ownerPool: pool, direct } = database
  const shared = {
    pool,
    patientPool: patientPool(pool, direct, signal),
    direct,
    preparesStatements: !database.isPooled,
    signal,
    log,
  }
  const lanes: Lane[] = []
  const works = worksOf(options)
  for (const name of ['main', 'long'] as const) {
    const own = works.filter(({ lane }) => lane === name)
    if (own.length === 0) continue
    const workers = concurrency?.[name] ?? usualConcurrency[name]
    const shares = createWorkerShares(workers)
    const names = own.map(work => work.name)
    const tasks = own.map(work => [work.name, atHand.tracked(taskOf(work, names, options, shares, signal))])
    lanes.push(
      await startLane({
        ...shared,
        tasks: Object.fromEntries(tasks),
        cronItems: own.flatMap(cronItems),
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

/** What workers do, whether of a tenant or of the deployment. */
interface Work {
  name: string
  lane: LaneName
  cron?: string
  maxAttempts: number
  run(payload: Payload, context: DeploymentContext): Promise<void>
}

function worksOf({ jobs, deploymentJobs = [] }: QueueOptions): Work[] {
  return [
    ...jobs.map(
      ({ name, lane = 'main', maxAttempts = 3, run }): Work => ({
        ...{ name, lane, maxAttempts },
        run: ({ tenantId, data }, context) => {
          const log = context.log.child({ tenantId })
          return run(data as never, { ...context, tenantId, log })
        },
      }),
    ),
    ...[...deploymentJobs, ...jobs.flatMap(eachTenant)].map(
      ({ lane = 'main', maxAttempts = 3, ...job }): Work => ({
        ...{ ...job, lane, maxAttempts },
        run: (_payload, context) => job.run(context),
      }),
    ),
  ]
}

/** Puts a job into the queue once for each tenant, at the times of its cron line. */
function eachTenant({ name, cron, maxAttempts = 3 }: JobDefinition<never>): DeploymentJob[] {
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

function cronItems({ name, cron, maxAttempts }: Work): CronItem[] {
  // In a queue of its own: the next one waits until this one has ended.
  const options = { maxAttempts, queueName: name }
  return cron ? [{ task: name, match: cron, identifier: name, options }] : []
}

/** Of the workers, what is of no tenant has a share as one of them has. */
const deployment = 'deployment'

/** `names`: those of its lane. */
function taskOf(
  work: Work,
  names: string[],
  { database, log, metrics }: QueueOptions,
  shares: WorkerShares,
  signal: AbortSignal,
): Task {
  return async (payload, helpers) => {
    const { attempts: attempt, max_attempts: attemptsAllowed, run_at: dueAt } = helpers.job
    const leave = shares.begin((payload as Partial<Payload>).tenantId ?? deployment)
    // Several workers took jobs of one tenant in the same moment.
    if (!leave) return untilDatabaseIsBack(signal, () => putBack(database, helpers.job, dueAt))
    const done = metrics.jobs.startTimer({ job: work.name })
    try {
      await work.run(payload as Payload, {
        database,
        signal,
        attempt,
        isLastAttempt: attempt >= attemptsAllowed,
        othersWait: () => isAnyWaiting(database.ownerPool, names),
        log: log.child({ job: work.name, jobId: helpers.job.id }),
      })
      done({ result: 'done' })
    } catch (error) {
      if (!(error instanceof HandBack) && !isDatabaseAway(error)) {
        done({ result: 'failed' })
        log.warn(
          { err: error, job: work.name, jobId: helpers.job.id, attempt },
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
