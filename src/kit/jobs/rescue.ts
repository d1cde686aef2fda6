/** How a job whose worker died, or whose taking got lost on the way, comes back to the queue within seconds. */
import type { EventEmitter } from 'node:events'
import type { Task, WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import type { Log } from '../log.ts'
import { freeUnheard, giveOneMoreAttempt, keepLocked, listDeadPools, unlockPools } from './queue-tables.ts'

const rescueEveryMs = 1000
const notedWithinMs = 10_000
// A pool takes its lock within milliseconds of its birth; one without a lock after that is dead.
const rescueAfterSeconds = 3

/**
 * Holds a session-level advisory lock named after the worker pool. PostgreSQL drops it the moment the process dies,
 * which tells the others, with no clock to trust, that the pool's jobs are free.
 */
export function keepLifeSign(pool: pg.Pool, events: EventEmitter, log: Log) {
  let stopped = false
  let held: pg.PoolClient | null = null
  let poolId = ''
  const hold = async (): Promise<void> => {
    let client: pg.PoolClient | null = null
    try {
      client = await pool.connect()
      await client.query('select pg_advisory_lock(hashtextextended($1, 1))', [poolId])
      if (stopped) return client.release(true)
      held = client
      client.once('error', () => {
        held?.release(true)
        held = null
        if (!stopped) setTimeout(() => void hold(), 100)
      })
    } catch (error) {
      client?.release(true)
      log.warn({ err: error }, 'the life sign of this worker could not be given; trying again')
      if (!stopped) setTimeout(() => void hold(), 500)
    }
  }
  events.once('pool:create', ({ workerPool }: { workerPool: WorkerPool & { id: string } }) => {
    poolId = workerPool.id
    void hold()
  })
  return {
    poolId: () => poolId,
    stop() {
      stopped = true
      const client = held
      // An error of the connection that comes after this releases it no second time.
      held = null
      client?.release(true)
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
