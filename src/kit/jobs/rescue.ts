/** How a job whose worker died, or whose taking got lost on the way, comes back to the queue within seconds. */
import type { EventEmitter } from 'node:events'
import type { Task, WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import type { DirectConnection, Session } from '../db/direct.ts'
import type { Log } from '../log.ts'
import { freeUnheard, giveOneMoreAttempt, keepLocked, listDeadPools, unlockPools } from './queue-tables.ts'

const rescueEveryMs = 1000
const notedWithinMs = 10_000
// A pool takes its lock within milliseconds of its birth; one without a lock after that is dead.
const rescueAfterSeconds = 3

/**
 * Holds a session-level advisory lock named after the worker pool, on the direct connection. PostgreSQL drops it the moment the
 * process dies, which tells the others, with no clock to trust, that the pool's jobs are free.
 */
export function keepLifeSign(direct: DirectConnection, events: EventEmitter, log: Log) {
  let stopped = false
  let poolId = ''
  let heldIn: Session | null = null
  const hold = async (): Promise<void> => {
    if (stopped) return
    try {
      const session = await direct.session()
      const { rows } = await session.query<{ isOurs: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 1)) as "isOurs"',
        [poolId],
      )
      // The server may not have noticed yet that our last session broke.
      if (!rows[0]!.isOurs) throw new Error('the lock of our last session is held still')
      heldIn = session
      if (stopped) return release()
      if (session.lost.aborted) return holdIn(100)
      session.lost.addEventListener('abort', () => holdIn(100), { once: true })
    } catch (error) {
      log.warn({ err: error }, 'the life sign of this worker could not be given; trying again')
      holdIn(500)
    }
  }
  const holdIn = (delayMs: number) => {
    heldIn = null
    if (!stopped) setTimeout(() => void hold(), delayMs)
  }
  const release = () => {
    const session = heldIn
    heldIn = null
    // With the connection the lock is gone.
    session?.query('select pg_advisory_unlock(hashtextextended($1, 1))', [poolId]).catch(() => {})
  }
  events.once('pool:create', ({ workerPool }: { workerPool: WorkerPool & { id: string } }) => {
    poolId = workerPool.id
    void hold()
  })
  return {
    poolId: () => poolId,
    stop() {
      stopped = true
      release()
    },
  }
}

/** What this process is doing, so that a job taken in its name and never heard of can be told. */
export function createAtHand() {
  const ids = new Set<string>()
  return {
    list: () => [...ids],
    tracked:
      (task: Task): Task =>
      async (payload, helpers) => {
        ids.add(helpers.job.id)
        try {
          return await task(payload, helpers)
        } finally {
          // That it ended is noted a little later, much later while the database is away.
          setTimeout(() => ids.delete(helpers.job.id), notedWithinMs).unref()
        }
      },
  }
}

export interface OwnWork {
  /** The names under which this process takes jobs. */
  poolIds: () => string[]
  atHand: () => string[]
}

/** Frees the jobs of worker pools that no longer hold their lock, and those whose taking got lost on the way to us. */
export function startRescue(pool: pg.Pool, log: Log, own: OwnWork) {
  const rescue = async () => {
    const taken = { poolIds: own.poolIds(), atHand: own.atHand() }
    await freeUnheard(pool, taken, rescueAfterSeconds)
    await keepLocked(pool, taken)
    await freeOfDead(pool, log, own)
  }
  const timer = setInterval(
    () => void rescue().catch(error => log.debug({ err: error }, 'no rescue this time')),
    rescueEveryMs,
  )
  return { stop: () => clearInterval(timer) }
}

async function freeOfDead(pool: pg.Pool, log: Log, own: OwnWork): Promise<void> {
  const dead = await listDeadPools(pool, own.poolIds(), rescueAfterSeconds)
  if (dead.length === 0) return
  for (const jobId of await giveOneMoreAttempt(pool, dead))
    log.error({ jobId }, 'the workers of a job died twice; it is not tried again')
  await unlockPools(pool, dead)
  log.warn({ workers: dead.length }, 'the jobs of a worker that died were put back')
}
