/** One lane of the queue: a runner of its own for some of the tasks, started again should it stop by itself. */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CronItem, parseCronItems, run, type Task } from 'graphile-worker'
import type pg from 'pg'
import type { DirectConnection } from '../db/direct.ts'
import type { Log } from '../log.ts'
import { queueLogger } from './queue-log.ts'
import { holdsJobs } from './queue-tables.ts'
import { keepLifeSign } from './rescue.ts'

export interface Lane {
  ready(): boolean
  /** Under which name this lane takes jobs; empty while it is being started. */
  poolId(): string
  /** Once the signal is aborted: lets the jobs at hand end, and waits until that is noted. */
  stop(): Promise<void>
}

export interface LaneOptions {
  tasks: Record<string, Task>
  cronItems: CronItem[]
  /** How many jobs run at once. */
  concurrency: number
  /** Jobs with one of these flags are passed over. */
  flagsToSkip: () => string[]
  pool: pg.Pool
  /** The same pool, waiting for an absent database. */
  patientPool: pg.Pool
  direct: DirectConnection
  /** Whether statements may be prepared under a name: not through a pooler. */
  preparesStatements: boolean
  /** Aborted when the queue is to stop. */
  signal: AbortSignal
  log: Log
}

const notingMaxMs = 5000
const restartMs = 1000

export async function startLane(options: LaneOptions): Promise<Lane> {
  const { pool, signal, log } = options
  let current: Running | null = await startRunner(options)
  const keepRunning = async (): Promise<void> => {
    while (current && !signal.aborted) {
      const { runner, life } = current
      const cause = await runner.promise.catch((error: unknown) => error)
      if (signal.aborted) return
      log.error({ err: cause }, 'the queue stopped by itself; starting it again')
      current = null
      life.stop()
      await sleep(restartMs, undefined, { signal }).catch(() => {})
      if (!signal.aborted) current = await startRunner(options)
    }
  }
  const kept = keepRunning().catch(error => log.fatal({ err: error }, 'the queue could not be started again'))
  return {
    ready: () => current !== null && !signal.aborted,
    poolId: () => current?.life.poolId() ?? '',
    async stop() {
      if (current) {
        const { runner, life } = current
        await runner.stop()
        await runner.promise.catch(() => {})
        await untilNoted(pool, life.poolId())
        life.stop()
      }
      await kept
    },
  }
}

type Running = Awaited<ReturnType<typeof startRunner>>

async function startRunner(options: LaneOptions) {
  const { tasks, cronItems, concurrency, flagsToSkip, direct, patientPool, log } = options
  const events = new EventEmitter()
  const life = keepLifeSign(direct, events, log)
  const runner = await run({
    pgPool: patientPool,
    taskList: tasks,
    parsedCronItems: parseCronItems(cronItems),
    concurrency,
    forbiddenFlags: flagsToSkip,
    pollInterval: 1000,
    noHandleSignals: true,
    noPreparedStatements: !options.preparesStatements,
    logger: queueLogger(log),
    events: events as never,
  })
  return { runner, life }
}

/** The library doesn't wait until it has noted which jobs ended; lost with the connections, they would run once more. */
async function untilNoted(pool: pg.Pool, poolId: string): Promise<void> {
  const deadlineMs = performance.now() + notingMaxMs
  while (performance.now() < deadlineMs) {
    // Without a database there is nothing to wait for.
    if (!(await holdsJobs(pool, poolId).catch(() => false))) return
    await sleep(10)
  }
}
