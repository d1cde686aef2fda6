/**
 * Requeues within seconds the jobs of workers that died, and jobs that were assigned to a worker without reaching it.
 */
import type { EventEmitter } from 'node:events'
import type { Task, WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import type { DirectConnection, Session } from '../db/direct-connection.ts'
import type { Log } from '../log.ts'
import {
  grantExtraAttempt,
  listDeadWorkerPools,
  renewJobLocks,
  unlockStalledJobs,
  unlockWorkerPools,
} from './queue-tables.ts'

const checkIntervalMs = 1000
const recordingMaxMs = 10_000
/** A pool takes its lock within milliseconds after its start. One without a lock after this time is dead. */
const stalledAfterSeconds = 3

/**
 * Holds a session-level advisory lock named after the worker pool, on the direct connection. PostgreSQL drops it when
 * the process dies. So other processes see, without comparing clocks, that the pool's jobs are free.
 */
export function startHeartbeat(direct: DirectConnection, events: EventEmitter, log: Log) {
  let stopped = false
  let workerPoolId = ''
  let lockSession: Session | null = null
  const acquire = async (): Promise<void> => {
    if (stopped) return
    try {
      const session = await direct.getSession()
      const { rows } = await session.query<{ isAcquired: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 1)) as "isAcquired"',
        [workerPoolId],
      )
      // The server may not have noticed yet that our previous session broke.
      if (!rows[0]!.isAcquired) throw new Error('the lock of the previous session is still held')
      lockSession = session
      if (stopped) return release()
      if (session.lost.aborted) return acquireIn(100)
      session.lost.addEventListener('abort', () => acquireIn(100), { once: true })
    } catch (error) {
      log.warn({ err: error }, 'the heartbeat lock of this worker could not be taken; trying again')
      acquireIn(500)
    }
  }
  const acquireIn = (delayMs: number) => {
    lockSession = null
    if (!stopped) setTimeout(() => void acquire(), delayMs)
  }
  const release = () => {
    const session = lockSession
    lockSession = null
    // If the connection is lost, so is the lock.
    session?.query('select pg_advisory_unlock(hashtextextended($1, 1))', [workerPoolId]).catch(() => {})
  }
  events.once('pool:create', ({ workerPool }: { workerPool: WorkerPool & { id: string } }) => {
    workerPoolId = workerPool.id
    void acquire()
  })
  return {
    workerPoolId: () => workerPoolId,
    stop() {
      stopped = true
      release()
    },
  }
}

/** Tracks the jobs that this process runs, to detect jobs that were assigned to it without reaching it. */
export function createRunningJobs() {
  const ids = new Set<string>()
  return {
    list: () => [...ids],
    track:
      (task: Task): Task =>
      async (payload, helpers) => {
        ids.add(helpers.job.id)
        try {
          return await task(payload, helpers)
        } finally {
          // The end is recorded a little later, much later while the database is unavailable.
          setTimeout(() => ids.delete(helpers.job.id), recordingMaxMs).unref()
        }
      },
  }
}

export interface OwnJobs {
  /** The ids of this process's worker pools. */
  workerPoolIds: () => string[]
  runningJobs: () => string[]
}

/**
 * Checks every second for jobs of dead worker pools, and for jobs that were assigned to this process without reaching
 * it.
 */
export function startStalledJobCheck(pool: pg.Pool, log: Log, own: OwnJobs) {
  const checkStalledJobs = async () => {
    const held = { workerPoolIds: own.workerPoolIds(), runningJobs: own.runningJobs() }
    await unlockStalledJobs(pool, held, stalledAfterSeconds)
    await renewJobLocks(pool, held)
    await requeueOrphanedJobs(pool, log, own)
  }
  const timer = setInterval(
    () =>
      void checkStalledJobs().catch(error => log.debug({ err: error }, 'the check for stalled jobs failed')),
    checkIntervalMs,
  )
  return { stop: () => clearInterval(timer) }
}

async function requeueOrphanedJobs(pool: pg.Pool, log: Log, own: OwnJobs): Promise<void> {
  const dead = await listDeadWorkerPools(pool, own.workerPoolIds(), stalledAfterSeconds)
  if (dead.length === 0) return
  for (const jobId of await grantExtraAttempt(pool, dead))
    log.error({ jobId }, 'the workers of a job died twice; it is not tried again')
  await unlockWorkerPools(pool, dead)
  log.warn({ workers: dead.length }, 'the jobs of a dead worker were requeued')
}
