/** The database: its pools, and `withTenant`, the only source of the `Tx` that every query needs. */
import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dialect, Kysely, sql } from 'kysely'
import type pg from 'pg'
import { batchCalls } from '../batch-calls.ts'
import type { WaitOptions } from '../fair-queue.ts'
import type { Environment } from '../key.ts'
import { type ConnectionOptions, prepareConnection, transactionSettings } from './connection.ts'
import { createContext } from './context.ts'
import { pipelined, pipelinedDialect } from './dialect.ts'
import { createDirectConnection, type DirectConnection, withSessionPool } from './direct-connection.ts'
import {
  CommitUnknown,
  clockMoved,
  isConnectionBroken,
  isDatabaseUnavailable,
  isKeyNotValid,
  isTransient,
  sqlState,
} from './errors.ts'
import { createNotifications, type Notifications } from './notifications.ts'
import {
  connectionQueues,
  keepOpen,
  minConnections,
  openPool,
  ownerPoolMax,
  servicePoolMax,
  unknownCaller,
  unscopedCaller,
} from './pools.ts'
import { openReader, prepareService, recordCluster } from './reader.ts'
import type { DB } from './tables.generated.ts'
import type { Tenant } from './tenant.ts'

declare const inTenant: unique symbol

/** A transaction of one tenant. Row level security limits it to the rows of that tenant. */
export type Tx = Kysely<DB> & { readonly [inTenant]: true }

export interface Database {
  /**
   * Runs `work` in one transaction of the tenant. Do no network I/O inside. After a deadlock or a serialization failure
   * `work` runs again, so it must have no side effects besides the database.
   */
  withTenant<T>(tenant: Tenant, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs read-only `work` in the tenant. Each statement is a transaction of its own, in one round trip. */
  readTenant<T>(tenant: Tenant, work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs read-only `work` in one snapshot of the tenant: all of its statements see what was committed at one moment. Send them
   * together.
   */
  readSnapshot<T>(tenant: Tenant, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Finds a key and its holder by the hash of the key; revoked and expired keys too. */
  findApiKey(hash: Buffer): Promise<KeyHolder | undefined>
  /** The service's role outside any tenant, for the few tables that belong to none. */
  unscoped: Kysely<DB>
  /** Looks up what an unauthenticated caller sent, such as a token, outside any tenant. Retries a broken connection. */
  findUnscoped<T>(find: (db: Kysely<DB>) => Promise<T>): Promise<T>
  /** The owner's role: for migrations, the command line and the queue. Row level security applies to it too. */
  owner: Kysely<DB>
  /** The pool of the owner. Behind a pooler its connections have no search path, so statements must name schemas. */
  ownerPool: pg.Pool
  /** The connection with a session, for locks that outlast a transaction and for LISTEN. */
  direct: DirectConnection
  /** A pooler may use another server connection for each transaction. */
  isPooled: boolean
  /** Returns the cached shift of an environment's clock. Every transaction checks it. */
  getClockShiftMs(tenantId: string): number
  /** Notifications of changes by other transactions and processes. */
  notifications: Notifications
  /** Runs work of the owner that needs sessions, such as migrations, on connections that bypass any pooler. */
  withSessionPool<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T>
  /**
   * Opens a few connections and keeps them open. Opening a connection takes PostgreSQL many milliseconds, and more
   * under load.
   */
  warmUpConnections(): Promise<void>
  close(): Promise<void>
}

export interface KeyHolder {
  id: string
  tenantId: string
  workspaceId: string
  environment: Environment
  scopes: string[]
  requestsPerMinute: number
  expiresAt: Date | null
  revokedAt: Date | null
}

const attemptsMax = 4
const retryMs = 20

export interface DatabaseOptions {
  /** The URL of the server, if `databaseUrl` is a pooler's; for sessions. */
  directUrl?: string | undefined
  /** The largest number of connections of the service's pool. */
  poolMax?: number
  /** How long a request waits for a connection. Default: 10 s. */
  connectionWaitMaxMs?: number | undefined
  /** The key for hashing personal identifiers. Without it, storing or searching one throws. */
  identifierKey?: KeyObject
  onError: (error: Error) => void
}

/** Creates the pools. They connect on first use. */
export function openDatabase(databaseUrl: string, options: DatabaseOptions): Database {
  const { directUrl = databaseUrl, poolMax = servicePoolMax, identifierKey, onError } = options
  const isPooled = directUrl !== databaseUrl
  const serviceOptions: ConnectionOptions = {
    role: 'aldaba_service',
    settings: { statement_timeout: '30s', idle_in_transaction_session_timeout: '60s' },
  }
  const servicePool = openPool(databaseUrl, {
    max: poolMax,
    pipeline: true,
    prepare: isPooled ? recordCluster : client => prepareService(client, serviceOptions),
    onError,
  })
  // Not pipelined, because the queue library's transactions expect one statement at a time.
  const ownerPool = openPool(databaseUrl, {
    max: ownerPoolMax,
    pipeline: false,
    ...(isPooled ? {} : { prepare: client => prepareConnection(client, {}) }),
    onError,
  })
  const { writers, readers } = connectionQueues(poolMax, { waitMaxMs: options.connectionWaitMaxMs })
  const direct = createDirectConnection(directUrl, onError)
  const notifications = createNotifications(direct, ownerPool, onError)
  const clocks = new Map<string, number>()
  const getClockShiftMs = (tenantId: string) => clocks.get(tenantId) ?? 0
  const withClockShift = <T>({ tenantId }: Tenant, run: (shiftMs: number) => Promise<T>): Promise<T> =>
    retryTransient(async () => {
      try {
        return await run(getClockShiftMs(tenantId))
      } catch (error) {
        if (sqlState(error) === clockMoved) clocks.set(tenantId, Number((error as pg.DatabaseError).detail))
        throw error
      }
    })
  const serviceSettings = isPooled ? transactionSettings(serviceOptions) : null
  const ownerSettings = isPooled ? transactionSettings({}) : null
  const dialect = pipelinedDialect(servicePool, { settings: serviceSettings, identifierKey })
  const service = new Kysely<DB>({ dialect })
  const acquireUnscoped = () => writers.acquire(unscopedCaller, { waitsForever: true })
  const findUnscoped: Database['findUnscoped'] = find =>
    retryTransient(() => writers.run(unknownCaller, () => find(service)))

  const transact = <T>(
    tenant: Tenant,
    work: (tx: Tx) => Promise<T>,
    { isSnapshot = false }: { isSnapshot?: boolean } = {},
  ): Promise<T> => {
    const attempt = () =>
      withClockShift(tenant, shiftMs =>
        inTransaction(service, { database, dialect, notifications, shiftMs, isSnapshot }, tenant, work),
      )
    return writers.run(tenant, attempt, toWaitOptions(tenant))
  }

  const database: Database = {
    unscoped: new Kysely<DB>({
      dialect: pipelinedDialect(servicePool, {
        settings: serviceSettings,
        identifierKey,
        acquire: acquireUnscoped,
      }),
    }),
    owner: new Kysely<DB>({ dialect: pipelinedDialect(ownerPool, { settings: ownerSettings }) }),
    ownerPool,
    direct,
    isPooled,
    notifications,
    getClockShiftMs,
    withTenant: (tenant, work) => transact(tenant, work),
    readSnapshot: (tenant, work) => transact(tenant, work, { isSnapshot: true }),
    readTenant: (tenant, work) =>
      withClockShift(tenant, async shiftMs => {
        const acquire = () => readers.acquire(tenant, toWaitOptions(tenant))
        const reader = openReader(servicePool, {
          tenant,
          shiftMs,
          settings: serviceSettings,
          identifierKey,
          acquire,
        })
        createContext(reader.db, { database, tenantId: tenant.tenantId, shiftMs })
        const result = await work(reader.db as Tx)
        if (!reader.hasRead()) await sql`select`.execute(reader.db)
        return result
      }),
    findUnscoped,
    findApiKey: batchCalls(hashes => findUnscoped(db => findApiKeys(db, hashes)), keyBatchOptions),
    withSessionPool: work => withSessionPool(directUrl, onError, work),
    warmUpConnections: () => keepOpen(servicePool, minConnections),
    async close() {
      await notifications.close()
      await Promise.all([direct.close(), servicePool.end(), ownerPool.end()])
    },
  }
  return database
}

/** Unauthenticated callers share one connection. */
const keyBatchOptions = { size: 100, waitingMax: 2000 }

async function findApiKeys(db: Kysely<DB>, hashes: Buffer[]): Promise<(KeyHolder | undefined)[]> {
  const { rows } = await sql<KeyHolder & { position: number }>`
    select requested.position, id, tenant_id as "tenantId", workspace_id as "workspaceId", environment, scopes,
           requests_per_minute as "requestsPerMinute", expires_at as "expiresAt", revoked_at as "revokedAt"
    from unnest(${hashes}::bytea[]) with ordinality as requested (hash, position), aldaba.find_api_key(requested.hash)`.execute(
    db,
  )
  const found = new Map(rows.map(({ position, ...holder }) => [position, holder]))
  return hashes.map((_, position) => found.get(position + 1))
}

const toWaitOptions = ({ signal }: Tenant): WaitOptions => (signal ? { signal } : { waitsForever: true })

/** Retries after a deadlock, and after a connection that broke before the commit. */
async function retryTransient<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === attemptsMax || !isTransient(error)) throw error
      // If one connection broke, others probably did too: give the pool a moment to notice.
      if (isConnectionBroken(error)) await sleep(retryMs * attempt)
    }
  }
}

interface TransactionOptions {
  database: Database
  dialect: Dialect
  notifications: Notifications
  shiftMs: number
  isSnapshot: boolean
}

async function inTransaction<T>(
  db: Kysely<DB>,
  { database, dialect, notifications, shiftMs, isSnapshot }: TransactionOptions,
  tenant: Tenant,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  let committing = false
  let messages = new Set<string>()
  try {
    const begins = db.transaction()
    const transaction = isSnapshot
      ? begins.setIsolationLevel('repeatable read').setAccessMode('read only')
      : begins
    const result = await transaction.execute(async transaction => {
      const tx = await pipelined(transaction, dialect)
      messages = createContext(tx, { database, tenantId: tenant.tenantId, shiftMs }).messages
      // Not awaited: begin, this statement and the first one of the work share a round trip.
      const entering = enterTenant(tx, tenant, shiftMs)
      entering.catch(() => {})
      try {
        const result = await work(tx as unknown as Tx)
        await entering
        committing = true
        return result
      } catch (error) {
        // If the tenant was rejected, all other statements failed because of it: throw that error.
        await entering
        throw error
      }
    })
    notifications.send(messages)
    return result
  } catch (error) {
    if (committing && isConnectionBroken(error)) {
      throw new CommitUnknown('the connection broke while a transaction was being committed', {
        cause: error,
      })
    }
    throw error
  }
}

function enterTenant(
  tx: Kysely<DB>,
  { tenantId, workspaceId, keyId }: Tenant,
  shiftMs: number,
): Promise<unknown> {
  const enters = keyId
    ? sql`aldaba.enter_with_key(${tenantId}, ${workspaceId}, ${keyId}, ${shiftMs})`
    : sql`aldaba.enter_tenant(${tenantId}, ${shiftMs})`
  return sql`select ${enters}`.execute(tx)
}

export type { Environment, Tenant }
export { isDatabaseUnavailable, isKeyNotValid, sql, sqlState }
