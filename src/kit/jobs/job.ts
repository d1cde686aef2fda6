/**
 * Definitions of jobs. Jobs are plain data in the same database. A tenant's job carries the tenant id in its payload.
 */
import type { Database } from '../db/index.ts'
import type { Log } from '../log.ts'

export interface JobContext {
  database: Database
  tenantId: string
  /** Aborted when the process stops: finish the current step, then throw RequeueJob. */
  signal: AbortSignal
  /** 1 on the first run. */
  attempt: number
  /** True if no attempt follows this one. */
  isLastAttempt: boolean
  /**
   * True if another job of the same worker pool waits for a worker. A job that may run for hours then throws RequeueJob
   * from time to time, and continues after the waiting ones.
   */
  hasWaitingJobs(): Promise<boolean>
  log: Log
}

/**
 * Jobs never wait for jobs of another pool. Those of `main` only use the database. Jobs that wait a moment for another server
 * belong in `remote`; jobs that may run for minutes or hours in `long`.
 */
export const workerPoolNames = ['main', 'remote', 'long'] as const
export type WorkerPoolName = (typeof workerPoolNames)[number]

export interface JobDefinition<T = unknown> {
  name: string
  /** A cron line in UTC: the job then runs once per tenant. If only few tenants need it, use a `DeploymentJob`. */
  cron?: string
  /** Default: `main`. */
  workerPool?: WorkerPoolName
  /** Attempts of a run that the cron line starts; default: 3. `enqueue` has its own option. */
  maxAttempts?: number
  /**
   * Runs the job. Delivery is at least once: make writes idempotent with unique keys, and send with idempotency keys.
   * Network calls happen here, between transactions.
   */
  run(data: T, context: JobContext): Promise<void>
}

export type DeploymentContext = Omit<JobContext, 'tenantId'>

/** A job of the whole deployment: runs once at each cron time, for all tenants. Runs never overlap. */
export interface DeploymentJob {
  name: string
  /** A cron line in UTC. */
  cron: string
  /** Default: `main`. */
  workerPool?: WorkerPoolName
  /** Default: 3, since the job runs again at its next time. */
  maxAttempts?: number
  /** Delivery is at least once. Changes data of a tenant only in a transaction of that tenant. */
  run(context: DeploymentContext): Promise<void>
}

/** Declares a deployment job. */
export function deploymentJob(definition: DeploymentJob): DeploymentJob {
  return definition
}

/** Declares a job. */
export function job<T>(definition: JobDefinition<T>): JobDefinition<T> {
  return definition
}

/**
 * A job throws this to stop early, because its process stops or other jobs wait. The job returns to the queue with its
 * queueName and jobKey, due at once or at `runAt`. It does not cost an attempt.
 */
export class RequeueJob extends Error {
  readonly runAt: Date | undefined
  constructor({ runAt }: { runAt?: Date } = {}) {
    super('the job is requeued')
    this.runAt = runAt
  }
}
