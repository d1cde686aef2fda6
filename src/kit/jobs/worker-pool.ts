/** One worker pool of the queue: a runner for some of the tasks, restarted if it stops by itself. */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CronItem, parseCronItems, run, type Task } from 'graphile-worker'
import type pg from 'pg'
import type { DirectConnection } from '../db/direct-connection.ts'
import type { Log } from '../log.ts'
import { keepRunning, type Runner } from './keep-running.ts'
import { queueLogger } from './queue-log.ts'
import { hasLockedJobs } from './queue-tables.ts'
import { startHeartbeat } from './stalled-jobs.ts'

export interface WorkerPool {
  ready(): boolean
  /** The id under which this pool takes jobs; empty while the pool starts. */
  workerPoolId(): string
  /** Call it after aborting the signal. Lets running jobs end, and waits until their end is recorded. */
  stop(): Promise<void>
}

export interface WorkerPoolOptions {
  tasks: Record<string, Task>
  cronItems: CronItem[]
  /** How many jobs run at once. */
  concurrency: number
  /** Jobs with one of these flags are skipped. */
  forbiddenFlags: () => string[]
  pool: pg.Pool
  /** The same pool, but its calls are retried while the database is unavailable. */
  retryingPool: pg.Pool
  direct: DirectConnection
  /** True if named prepared statements may be used; false behind a connection pooler. */
  usesPreparedStatements: boolean
  /** Aborted when the queue is to stop. */
  signal: AbortSignal
  log: Log
}

const recordingTimeoutMs = 5000
const restartDelayMs = 1000

export async function startWorkerPool(options: WorkerPoolOptions): Promise<WorkerPool> {
  const { signal, log } = options
  const kept = await keepRunning({ start: () => startRunner(options), restartDelayMs, signal, log })
  return {
    ready: () => kept.current() !== null && !signal.aborted,
    workerPoolId: () => kept.current()?.workerPoolId() ?? '',
    stop: kept.stop,
  }
}

async function startRunner(options: WorkerPoolOptions): Promise<Runner & { workerPoolId(): string }> {
  const { tasks, cronItems, concurrency, forbiddenFlags, direct, pool, retryingPool, log } = options
  const events = new EventEmitter()
  const heartbeat = startHeartbeat(direct, events, log)
  try {
    const runner = await run({
      pgPool: retryingPool,
      taskList: tasks,
      parsedCronItems: parseCronItems(cronItems),
      concurrency,
      forbiddenFlags,
      pollInterval: 1000,
      noHandleSignals: true,
      noPreparedStatements: !options.usesPreparedStatements,
      logger: queueLogger(log),
      events: events as never,
    })
    return {
      ended: runner.promise,
      workerPoolId: heartbeat.workerPoolId,
      release: heartbeat.stop,
      async stop() {
        await runner.stop()
        await runner.promise.catch(() => {})
        await waitUntilRecorded(pool, heartbeat.workerPoolId())
        heartbeat.stop()
      },
    }
  } catch (error) {
    heartbeat.stop()
    throw error
  }
}

/**
 * Waits until the ends of jobs are recorded. The library does not, and jobs whose end is not recorded would run again.
 */
async function waitUntilRecorded(pool: pg.Pool, workerPoolId: string): Promise<void> {
  const deadlineMs = performance.now() + recordingTimeoutMs
  while (performance.now() < deadlineMs) {
    // If the database is unavailable there is nothing to wait for.
    if (!(await hasLockedJobs(pool, workerPoolId).catch(() => false))) return
    await sleep(10)
  }
}
