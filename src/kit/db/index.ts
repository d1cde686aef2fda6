/** The database: its pools, and `withTenant`, the only source of the `Tx` that every query asks for. */
import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dialect, Kysely, sql } from 'kysely'
import type pg from 'pg'
import { batched } from '../batch.ts'
import type { Waiting } from '../fair-queue.ts'
import type { Environment } from '../key.ts'
import { type Changes, createChanges } from './changes.ts'
import { type ConnectionOptions, prepareConnection, transactionSettings } from './connection.ts'
import { openContext } from './context.ts'
import { pipelined, pipelinedDialect } from './dialect.ts'
import { createDirectConnection, type DirectConnection, inSessions } from './direct.ts'
import {
  CommitUnknown,
  clockMoved,
  isConnectionBroken,
  isDatabaseAway,
  isKeyNotValid,
  isPassing,
  sqlState,
} from './errors.ts'
import {
  connectionQueues,
  keepOpen,
  keptConnections,
  openPool,
  outsideTenants,
  ownerPoolMax,
  servicePoolMax,
  unknownCallers,
} from './pools.ts'
import { noteCluster, openReader, prepareService } from './reader.ts'
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
  outside: Kysely<DB>
  /** Reads there what a caller shows who is not known yet, such as a token. Tries again where a connection is found broken. */
  findOutside<T>(find: (db: Kysely<DB>) => Promise<T>): Promise<T>
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
  changes: Changes
  /** Work of the owner that needs sessions of its own, such as migrations: on connections to the server itself, closed behind it. */
  inSessions<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T>
  /**
   * Opens a few connections and keeps them. Opening one takes PostgreSQL a process and many milliseconds, and longest when a
   * crowd is there already.
   */
  keepConnections(): Promise<void>
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
    prepare: isPooled ? noteCluster : client => prepareService(client, serviceOptions),
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
  const changes = createChanges(direct, ownerPool, onError)
  const clocks = new Map<string, number>()
  const clockShiftMs = (tenantId: string) => clocks.get(tenantId) ?? 0
  const inTime = <T>({ tenantId }: Tenant, run: (shiftMs: number) => Promise<T>): Promise<T> =>
    persist(async () => {
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
  const enterOutside = () => writers.enter(outsideTenants, { isPatient: true })
  const findOutside: Database['findOutside'] = find =>
    persist(() => writers.run(unknownCallers, () => find(service)))

  return {
    outside: new Kysely<DB>({
      dialect: pipelinedDialect(servicePool, {
        settings: serviceSettings,
        identifierKey,
        enter: enterOutside,
      }),
    }),
    owner: new Kysely<DB>({ dialect: pipelinedDialect(ownerPool, { settings: ownerSettings }) }),
    ownerPool,
    direct,
    isPooled,
    changes,
    clockShiftMs,
    withTenant(tenant, work) {
      const attempt = () =>
        inTime(tenant, shiftMs => inTransaction(service, { dialect, changes, shiftMs }, tenant, work))
      return writers.run(tenant, attempt, waitingOf(tenant))
    },
    readTenant: (tenant, work) =>
      inTime(tenant, async shiftMs => {
        const enter = () => readers.enter(tenant, waitingOf(tenant))
        const reader = openReader(servicePool, {
          tenant,
          shiftMs,
          settings: serviceSettings,
          identifierKey,
          enter,
        })
        openContext(reader.db, tenant.tenantId, shiftMs)
        const result = await work(reader.db as Tx)
        if (!reader.used()) await sql`select`.execute(reader.db)
        return result
      }),
    findOutside,
    findApiKey: batched(hashes => findOutside(db => findApiKeys(db, hashes)), keyBatches),
    inSessions: work => inSessions(directUrl, onError, work),
    keepConnections: () => keepOpen(servicePool, keptConnections),
    async close() {
      await changes.close()
      await Promise.all([direct.close(), servicePool.end(), ownerPool.end()])
    },
  }
}

/** Nobody has shown yet who they are: one connection is enough for them all. */
const keyBatches = { size: 100, waitingMax: 2000 }

async function findApiKeys(db: Kysely<DB>, hashes: Buffer[]): Promise<(KeyHolder | undefined)[]> {
  const { rows } = await sql<KeyHolder & { at: number }>`
    select wanted.at, id, tenant_id as "tenantId", workspace_id as "workspaceId", environment, scopes,
           requests_per_minute as "requestsPerMinute", expires_at as "expiresAt", revoked_at as "revokedAt"
    from unnest(${hashes}::bytea[]) with ordinality as wanted (hash, at), aldaba.find_api_key(wanted.hash)`.execute(
    db,
  )
  const found = new Map(rows.map(({ at, ...holder }) => [at, holder]))
  return hashes.map((_, at) => found.get(at + 1))
}

const waitingOf = ({ signal }: Tenant): Waiting => (signal ? { signal } : { isPatient: true })

/** Again after a deadlock, and after a connection that was found broken before anything could have been committed. */
async function persist<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === attemptsMax || !isPassing(error)) throw error
      // Where one connection broke, the pool needs a moment to find the others that did.
      if (isConnectionBroken(error)) await sleep(retryMs * attempt)
    }
  }
}

interface Opening {
  dialect: Dialect
  changes: Changes
  shiftMs: number
}

async function inTransaction<T>(
  db: Kysely<DB>,
  { dialect, changes, shiftMs }: Opening,
  tenant: Tenant,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  let committing = false
  let notices = new Set<string>()
  try {
    const result = await db.transaction().execute(async transaction => {
      const tx = await pipelined(transaction, dialect)
      notices = openContext(tx, tenant.tenantId, shiftMs).notices
      // Sent ahead of the work's first statement and not waited for: one round trip carries begin, this and that.
      const entered = enter(tx, tenant, shiftMs)
      entered.catch(() => {})
      try {
        const result = await work(tx as unknown as Tx)
        await entered
        committing = true
        return result
      } catch (error) {
        // Were the tenant refused, all that followed failed of it: that is the cause to tell.
        await entered
        throw error
      }
    })
    changes.send(notices)
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

function enter(tx: Kysely<DB>, { tenantId, workspaceId, keyId }: Tenant, shiftMs: number): Promise<unknown> {
  const enters = keyId
    ? sql`aldaba.enter_with_key(${tenantId}, ${workspaceId}, ${keyId}, ${shiftMs})`
    : sql`aldaba.enter_tenant(${tenantId}, ${shiftMs})`
  return sql`select ${enters}`.execute(tx)
}

export type { Environment, Tenant }
export { isDatabaseAway, isKeyNotValid, sql, sqlState }
