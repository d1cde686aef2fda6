/** A process's connections, and who of its tenants gets one. With the direct one they are twelve. */
import pg from 'pg'
import { chainQueues, createFairQueue, type FairQueue } from '../fair-queue.ts'
import { connectionConfig } from './connection.ts'

/** Those of the service: all that is read and written in tenants. */
export const servicePoolMax = 8
/** Those of the owner: the queue takes jobs and notes their end, statement by statement. */
export const ownerPoolMax = 3
/** What is opened ahead: opening one in the middle of a crowd takes long. */
export const minConnections = 6

const connectionWaitMaxMs = 10_000
/** ADR 21: more make a tenant faster who is alone, and others slower. */
const tenantMax = 5
const tenantContendedMax = 3

/** They share connections as two tenants do. */
export const unknownCaller = { tenantId: 'unknown callers', isAnonymous: true }
export const unscopedCaller = { tenantId: 'outside any tenant', isAnonymous: true }

const queueOptions = {
  name: 'requests',
  waitingMax: { all: 2000, tenant: 500, key: 500 },
  waitMaxMs: connectionWaitMaxMs,
  retryAfterSeconds: 2,
}

/**
 * Who waits in line for one of `capacity` connections. Writers wait for each other's locks: they leave one to readers, who don't. Those
 * of a tenant that has connections, writers and readers together, leave one to who comes next.
 */
export function connectionQueues(capacity: number): { writers: FairQueue; readers: FairQueue } {
  const sharedQueue = createFairQueue({
    ...queueOptions,
    capacity,
    reservedForNewTenants: Math.min(1, capacity - 1),
  })
  const kindQueuePair = () => chainQueues(kindQueue(Math.max(1, capacity - 1)), sharedQueue)
  return { writers: kindQueuePair(), readers: kindQueuePair() }
}

/** A tenant has few, because each is a process of the server: a statement of somebody else gets the processor in turn with all. */
const kindQueue = (capacity: number): FairQueue =>
  createFairQueue({ ...queueOptions, capacity, tenantMax, tenantContendedMax, reserved: 1 })

export interface PoolOptions {
  max: number
  pipeline: boolean
  /** Runs on every new connection. */
  prepare?: (client: pg.ClientBase) => Promise<void>
  onError: (error: Error) => void
}

export function openPool(databaseUrl: string, { max, pipeline, prepare, onError }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(databaseUrl),
    max,
    pipeline,
    ...(prepare ? { onConnect: prepare } : {}),
  } as pg.PoolConfig)
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on('error', onError)
  pool.on('connect', client => client.on('error', onError))
  return pool
}

/** Connections beyond these are closed when they have been idle for a while. Throws if one could not be opened. */
export async function keepOpen(pool: pg.Pool, count: number): Promise<void> {
  pool.options.min = count
  const opened = await Promise.allSettled(Array.from({ length: count }, () => pool.connect()))
  for (const one of opened) if (one.status === 'fulfilled') one.value.release()
  for (const one of opened) if (one.status === 'rejected') throw one.reason
}
