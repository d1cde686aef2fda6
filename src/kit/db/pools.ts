/** The connection pools of a process, and the fair sharing of their connections: at most twelve, with the direct one. */
import pg from 'pg'
import { chainQueues, createFairQueue, type FairQueue } from '../fair-queue.ts'
import { connectionConfig } from './connection.ts'

/** The connections of the service, for all work in tenants. */
export const servicePoolMax = 8
/** The connections of the owner, with which the queue claims and completes jobs. */
export const ownerPoolMax = 3
/** The connections opened at the start, because opening one under load takes long. */
export const minConnections = 6

/** Decision 21: a higher limit makes a single tenant faster, and others slower. */
const tenantMax = 5
const tenantContendedMax = 3

/** Unauthenticated callers and work outside tenants count as one tenant each. */
export const unknownCaller = { tenantId: 'unknown callers', isAnonymous: true }
export const unscopedCaller = { tenantId: 'outside any tenant', isAnonymous: true }

const queueOptions = {
  name: 'requests',
  waitingMax: { all: 2000, tenant: 500, key: 500 },
  retryAfterSeconds: 2,
}

/**
 * Creates the queues for `capacity` connections. Writers may wait for each other's locks, so they leave one connection
 * to readers. Tenants that hold connections leave one to a tenant that holds none. `waitMaxMs`: how long a request waits for
 * one.
 */
export function connectionQueues(
  capacity: number,
  { waitMaxMs = 10_000 }: { waitMaxMs?: number | undefined } = {},
): { writers: FairQueue; readers: FairQueue } {
  const options = { ...queueOptions, waitMaxMs }
  const sharedQueue = createFairQueue({
    ...options,
    capacity,
    reservedForNewTenants: Math.min(1, capacity - 1),
  })
  const createPair = () => chainQueues(createKindQueue(Math.max(1, capacity - 1), options), sharedQueue)
  return { writers: createPair(), readers: createPair() }
}

/**
 * Creates the queue of writers or of readers. A tenant gets few connections, because each is a server process that
 * competes for the CPU with those of others.
 */
const createKindQueue = (capacity: number, options: typeof queueOptions & { waitMaxMs: number }): FairQueue =>
  createFairQueue({ ...options, capacity, tenantMax, tenantContendedMax, reserved: 1 })

export interface PoolOptions {
  max: number
  pipeline: boolean
  /** Runs on every new connection. */
  prepare?: (client: pg.ClientBase) => Promise<void>
  onError: (error: Error) => void
}

/** Creates a pool. It connects on first use. */
export function openPool(databaseUrl: string, { max, pipeline, prepare, onError }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(databaseUrl),
    max,
    pipeline,
    ...(prepare ? { onConnect: prepare } : {}),
  } as pg.PoolConfig)
  // A broken idle connection is replaced at the next use. Without a listener, its error would end the process.
  pool.on('error', onError)
  pool.on('connect', client => client.on('error', onError))
  return pool
}

/** Opens `count` connections and keeps them open; further ones close when idle. Throws if one cannot be opened. */
export async function keepOpen(pool: pg.Pool, count: number): Promise<void> {
  pool.options.min = count
  const opened = await Promise.allSettled(Array.from({ length: count }, () => pool.connect()))
  for (const one of opened) if (one.status === 'fulfilled') one.value.release()
  for (const one of opened) if (one.status === 'rejected') throw one.reason
}
