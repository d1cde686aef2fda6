/** The database: its pools, and `withTenant`, the only source of the `Tx` that every query asks for. */
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

/** Work inside one tenant: row level security shows it that tenant's rows and no others. */
export type Tx = Kysely<DB> & { readonly [inTenant]: true }

export interface Database {
  /**
   * One transaction in one tenant. Nothing on the network may happen inside. A deadlock or a serialization failure
   * runs `work` again, so it must have no effect but on the database.
   */
  withTenant<T>(tenant: Tenant, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Reads in one tenant, on connections that can't write; each statement enters the tenant anew, in one round trip. */
  readTenant<T>(tenant: Tenant, work: (tx: Tx) => Promise<T>): Promise<T>
  /** A key and its holder by the hash of its value; revoked and expired ones too. */
  findApiKey(hash: Buffer): Promise<KeyHolder | undefined>
  /** The service outside any tenant, for the few tables that belong to none. */
  unscoped: Kysely<DB>
  /** Reads there what a caller shows who is not known yet, such as a token. Tries again where a connection is found broken. */
  findUnscoped<T>(find: (db: Kysely<DB>) => Promise<T>): Promise<T>
  /** As the owner: migrations, the command line, the queue. Forced row level security holds for it too. */
  owner: Kysely<DB>
  /** Through a pooler its statements have no settings of ours: they name schemas. */
  ownerPool: pg.Pool
  /** The connection for what needs a session: locks that outlast a transaction, and listening. */
  direct: DirectConnection
  /** Whether a pooler may change the server's connection with every transaction. */
  isPooled: boolean
  /** By how much an environment's clock is ahead of the machine's, as far as this process has heard. Every transaction asks. */
  clockShiftMs(tenantId: string): number
  /** News of what other transactions, here or in other processes, have changed. */
  notifications: Notifications
  /** Work of the owner that needs sessions of its own, such as migrations: on connections to the server itself, closed behind it. */
  withSessionPool<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T>
  /**
   * Opens a few connections and keeps them. Opening one takes PostgreSQL a process and many milliseconds, and longest when a
   * crowd is there already.
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
  /** The server itself, if `databaseUrl` is of a pooler: for what needs a session. */
  directUrl?: string | undefined
  /** The most connections that the service works on. */
  poolMax?: number
  /** That identifiers of people are hashed under. Without it whoever stores or looks for one fails. */
  identifierKey?: KeyObject
  onError: (error: Error) => void
}

/** Opens the pools; connects when first used. */
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
  // Not pipelined: the queue's own transactions expect one statement at a time.
  const ownerPool = openPool(databaseUrl, {
    max: ownerPoolMax,
    pipeline: false,
    ...(isPooled ? {} : { prepare: client => prepareConnection(client, {}) }),
    onError,
  })
  const { writers, readers } = connectionQueues(poolMax)
  const direct = createDirectConnection(directUrl, onError)
  const notifications = createNotifications(direct, ownerPool, onError)
  const clocks = new Map<string, number>()
  const clockShiftMs = (tenantId: string) => clocks.get(tenantId) ?? 0
  const withClockShift = <T>({ tenantId }: Tenant, run: (shiftMs: number) => Promise<T>): Promise<T> =>
    retryTransient(async () => {
      try {
        return await run(clockShiftMs(tenantId))
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

  return {
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
    clockShiftMs,
    withTenant(tenant, work) {
      const attempt = () =>
        withClockShift(tenant, shiftMs =>
          inTransaction(service, { dialect, notifications, shiftMs }, tenant, work),
        )
      return writers.run(tenant, attempt, toWaitOptions(tenant))
    },
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
        createContext(reader.db, tenant.tenantId, shiftMs)
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
}

/** Nobody has shown yet who they are: one connection is enough for them all. */
const keyBatchOptions = { size: 100, waitingMax: 2000 }

async function findApiKeys(db: Kysely<DB>, hashes: Buffer[]): Promise<(KeyHolder | undefined)[]> {
  const { rows } = await sql<KeyHolder & { position: number }>`
    select wanted.position, id, tenant_id as "tenantId", workspace_id as "workspaceId", environment, scopes,
           requests_per_minute as "requestsPerMinute", expires_at as "expiresAt", revoked_at as "revokedAt"
    from unnest(${hashes}::bytea[]) with ordinality as wanted (hash, position), aldaba.find_api_key(wanted.hash)`.execute(
    db,
  )
  const found = new Map(rows.map(({ position, ...holder }) => [position, holder]))
  return hashes.map((_, position) => found.get(position + 1))
}

const toWaitOptions = ({ signal }: Tenant): WaitOptions => (signal ? { signal } : { waitsForever: true })

/** Again after a deadlock, and after a connection that was found broken before anything could have been committed. */
async function retryTransient<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === attemptsMax || !isTransient(error)) throw error
      // Where one connection broke, the pool needs a moment to find the others that did.
      if (isConnectionBroken(error)) await sleep(retryMs * attempt)
    }
  }
}

interface TransactionOptions {
  dialect: Dialect
  notifications: Notifications
  shiftMs: number
}

async function inTransaction<T>(
  db: Kysely<DB>,
  { dialect, notifications, shiftMs }: TransactionOptions,
  tenant: Tenant,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  let committing = false
  let messages = new Set<string>()
  try {
    const result = await db.transaction().execute(async transaction => {
      const tx = await pipelined(transaction, dialect)
      messages = createContext(tx, tenant.tenantId, shiftMs).messages
      // Sent ahead of the work's first statement and not waited for: one round trip carries begin, this and that.
      const entering = enterTenant(tx, tenant, shiftMs)
      entering.catch(() => {})
      try {
        const result = await work(tx as unknown as Tx)
        await entering
        committing = true
        return result
      } catch (error) {
        // Were the tenant refused, all that followed failed of it: that is the cause to tell.
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
