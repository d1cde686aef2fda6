/** One lane of the queue: a runner of its own for some of the tasks, started again should it stop by itself. */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CronItem, parseCronItems, run, type Task } from 'graphile-worker'
import type pg from 'pg'
import type { DirectConnection } from '../db/direct-connection.ts'
import type { Log } from '../log.ts'
import { queueLogger } from './queue-log.ts'
import { hasLockedJobs } from './queue-tables.ts'
import { startHeartbeat } from './stalled-jobs.ts'

export interface WorkerPool {
  ready(): boolean
  /** Under which name this lane takes jobs; empty while it is being started. */
  workerPoolId(): string
  /** Once the signal is aborted: lets the jobs at hand end, and waits until that is noted. */
  stop(): Promise<void>
}

export interface WorkerPoolOptions {
  tasks: Record<string, Task>
  cronItems: CronItem[]
  /** How many jobs run at once. */
  concurrency: number
  /** Jobs with one of these flags are passed over. */
  forbiddenFlags: () => string[]
  pool: pg.Pool
  /** The same pool, waiting for an absent database. */
  retryingPool: pg.Pool
  direct: DirectConnection
  /** Whether statements may be prepared under a name: not through a pooler. */
  usesPreparedStatements: boolean
  /** Aborted when the queue is to stop. */
  signal: AbortSignal
  log: Log
}

const recordingTimeoutMs = 5000
const restartDelayMs = 1000

export async function startWorkerPool(options: WorkerPoolOptions): Promise<WorkerPool> {
  const { pool, signal, log } = options
  let current: RunnerState | null = await startRunner(options)
  const superviseRunner = async (): Promise<void> => {
    while (current && !signal.aborted) {
      const { runner, heartbeat } = current
      const cause = await runner.promise.catch((error: unknown) => error)
      if (signal.aborted) return
      log.error({ err: cause }, 'the queue stopped by itself; starting it again')
      current = null
      heartbeat.stop()
      await sleep(restartDelayMs, undefined, { signal }).catch(() => {})
      if (!signal.aborted) current = await startRunner(options)
    }
  }
  const supervising = superviseRunner().catch(error =>
    log.fatal({ err: error }, 'the queue could not be started again'),
  )
  return {
    ready: () => current !== null && !signal.aborted,
    workerPoolId: () => current?.heartbeat.workerPoolId() ?? '',
    async stop() {
      if (current) {
        const { runner, heartbeat } = current
        await runner.stop()
        await runner.promise.catch(() => {})
        await waitUntilRecorded(pool, heartbeat.workerPoolId())
        heartbeat.stop()
      }
      await supervising
    },
  }
}

type RunnerState = Awaited<ReturnType<typeof startRunner>>

async function startRunner(options: WorkerPoolOptions) {
  const { tasks, cronItems, concurrency, forbiddenFlags, direct, retryingPool, log } = options
  const events = new EventEmitter()
  const heartbeat = startHeartbeat(direct, events, log)
  const runner = await run({
    pgPool: retryingPool,
    taskList: tasks,
    parsedCronItems: parseCronItems(cronItems),
    concurrency,
    forbiddenFlags: forbiddenFlags,
    pollInterval: 1000,
    noHandleSignals: true,
    noPreparedStatements: !options.usesPreparedStatements,
    logger: queueLogger(log),
    events: events as never,
  })
  return { runner, heartbeat }
}

/** The library doesn't wait until it has noted which jobs ended; lost with the connections, they would run once more. */
async function waitUntilRecorded(pool: pg.Pool, workerPoolId: string): Promise<void> {
  const deadlineMs = performance.now() + recordingTimeoutMs
  while (performance.now() < deadlineMs) {
    // Without a database there is nothing to wait for.
    if (!(await hasLockedJobs(pool, workerPoolId).catch(() => false))) return
    await sleep(10)
  }
}
