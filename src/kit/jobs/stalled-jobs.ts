/** How a job whose worker died, or whose taking got lost on the way, comes back to the queue within seconds. */
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
const recordedWithinMs = 10_000
// A pool takes its lock within milliseconds of its birth; one without a lock after that is dead.
const stalledAfterSeconds = 3

/**
 * Holds a session-level advisory lock named after the worker pool, on the direct connection. PostgreSQL drops it the moment the
 * process dies, which tells the others, with no clock to trust, that the pool's jobs are free.
 */
export function startHeartbeat(direct: DirectConnection, events: EventEmitter, log: Log) {
  let stopped = false
  let workerPoolId = ''
  let lockSession: Session | null = null
  const acquire = async (): Promise<void> => {
    if (stopped) return
    try {
      const session = await direct.session()
      const { rows } = await session.query<{ isAcquired: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 1)) as "isAcquired"',
        [workerPoolId],
      )
      // The server may not have noticed yet that our last session broke.
      if (!rows[0]!.isAcquired) throw new Error('the lock of our last session is held still')
      lockSession = session
      if (stopped) return release()
      if (session.lost.aborted) return acquireIn(100)
      session.lost.addEventListener('abort', () => acquireIn(100), { once: true })
    } catch (error) {
      log.warn({ err: error }, 'the life sign of this worker could not be given; trying again')
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
    // With the connection the lock is gone.
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

/** What this process is doing, so that a job taken in its name and never heard of can be told. */
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
          // That it ended is noted a little later, much later while the database is away.
          setTimeout(() => ids.delete(helpers.job.id), recordedWithinMs).unref()
        }
      },
  }
}

export interface OwnJobs {
  /** The names under which this process takes jobs. */
  workerPoolIds: () => string[]
  runningJobs: () => string[]
}

/** Frees the jobs of worker pools that no longer hold their lock, and those whose taking got lost on the way to us. */
export function startStalledJobCheck(pool: pg.Pool, log: Log, own: OwnJobs) {
  const checkStalledJobs = async () => {
    const held = { workerPoolIds: own.workerPoolIds(), runningJobs: own.runningJobs() }
    await unlockStalledJobs(pool, held, stalledAfterSeconds)
    await renewJobLocks(pool, held)
    await requeueOrphanedJobs(pool, log, own)
  }
  const timer = setInterval(
    () => void checkStalledJobs().catch(error => log.debug({ err: error }, 'no rescue this time')),
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
  log.warn({ workers: dead.length }, 'the jobs of a worker that died were put back')
}
