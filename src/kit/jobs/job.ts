/** Jobs are plain data, and the queue lives in the same database. One of a tenant names it in its payload. */
import type { Database } from '../db/index.ts'
import type { Log } from '../log.ts'

export interface JobContext {
  database: Database
  tenantId: string
  /** Aborted when the process is asked to stop: finish the step at hand, then throw RequeueJob. */
  signal: AbortSignal
  /** 1 on the first run. */
  attempt: number
  /** No further attempt follows this one. */
  isLastAttempt: boolean
  /**
   * Whether another job of the lane waits for a worker. One that may last for hours then throws RequeueJob now and again,
   * and comes after those that wait.
   */
  hasWaitingJobs(): Promise<boolean>
  log: Log
}

/** Jobs of one lane never wait for those of another; what may last for minutes or hours belongs into `long`. */
export type WorkerPoolName = 'main' | 'long'

export interface JobDefinition<T = unknown> {
  name: string
  /** A cron line in UTC: the job then runs once per tenant. What few of them need, a `DeploymentJob` finds. */
  cron?: string
  /** `main` if left out. */
  workerPool?: WorkerPoolName
  maxAttempts?: number
  /**
   * Delivery is at least once: writes carry unique keys, sends carry idempotency keys. Network calls happen here,
   * between transactions.
   */
  run(data: T, context: JobContext): Promise<void>
}

export type DeploymentContext = Omit<JobContext, 'tenantId'>

/** Work of the whole deployment: done once each time, however many tenants there are, one after the other. */
export interface DeploymentJob {
  name: string
  /** In UTC. */
  cron: string
  /** `main` if left out. */
  workerPool?: WorkerPoolName
  /** 3 if left out: it comes again. */
  maxAttempts?: number
  /** Delivery is at least once. What it finds to do in a tenant, it does there. */
  run(context: DeploymentContext): Promise<void>
}

/** Declares a job of the deployment. */
export function deploymentJob(definition: DeploymentJob): DeploymentJob {
  return definition
}

/** Declares a job. */
export function job<T>(definition: JobDefinition<T>): JobDefinition<T> {
  return definition
}

/**
 * Thrown by a job that stops before its end, because its process does or because others wait: it goes back to the queue
 * with its queueName and jobKey, due at once or at `runAt`, at no attempt's cost.
 */
export class RequeueJob extends Error {
  readonly runAt: Date | undefined
  constructor({ runAt }: { runAt?: Date } = {}) {
    super('requeued to the queue')
    this.runAt = runAt
  }
}
