/** The database: its pools, and `withTenant`, the only source of the `Tx` that every query asks for. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dialect, Kysely, sql } from 'kysely'
import pg from 'pg'
import { batched } from '../batch.ts'
import { createFairQueue, type FairQueue, type Waiting } from '../fair-queue.ts'
import type { HashPads } from '../identifier-hash.ts'
import type { Environment } from '../key.ts'
import { type Changes, createChanges } from './changes.ts'
import { type ConnectionOptions, connectionConfig, prepareConnection } from './connection.ts'
import { openContext } from './context.ts'
import { pipelined, pipelinedDialect } from './dialect.ts'
import { openReader, prepareReaders } from './reader.ts'
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
  /** As the owner: migrations, the command line, the queue. Forced row level security holds for it too. */
  owner: Kysely<DB>
  ownerPool: pg.Pool
  /** By how much an environment's clock is ahead of the machine's, as far as this process has heard. Every transaction asks. */
  clockShiftMs(tenantId: string): number
  /** News of what other transactions, here or in other processes, have changed. */
  changes: Changes
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

/** The key was revoked or has expired: raised by enter_with_key(). */
const keyNotValid = 'AL401'
/** The environment's clock is not where this process believed it to be: raised by check_clock(), with what it is. */
const clockMoved = 'AL409'
const tryAgainStates = new Set(['40001', '40P01', clockMoved])
const attemptsMax = 4
const retryMs = 20
const connectionWaitMaxMs = 10_000
/** Half of each pool: what a tenant alone may hold. */
const keptConnections = 5
/** ADR 21: five make a tenant faster who is alone, and others slower. */
const tenantAmongOthersMax = 3

/** Whether the error says that a key is no longer valid. */
export function isKeyNotValid(error: unknown): boolean {
  return sqlState(error) === keyNotValid
}

/** Whether the error says that the database can't be reached or is going away; trying later may help. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof CommitUnknown) return true
  const code = sqlState(error)
  if (code?.startsWith('08') || code?.startsWith('57P') || code === '53300') return true
  if (/^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/.test(code ?? '')) return true
  return (
    error instanceof Error &&
    /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/.test(
      error.message,
    )
  )
}

/** 08P01: PgBouncer lost its connection to the server. */
function isConnectionBroken(error: unknown): boolean {
  if (/^(EPIPE|ECONNRESET|08P01|57P01|57P02)$/.test(sqlState(error) ?? '')) return true
  return error instanceof Error && error.message.startsWith('Connection terminated')
}

/** PostgreSQL's five-character state or Node's error code. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/**
 * Opens both pools; connects when first used. `poolMax` is the most connections of the service's pool. Without `hashPads`
 * statements that hash identifiers of people fail.
 */
export function openDatabase(
  databaseUrl: string,
  options: { poolMax?: number; hashPads?: HashPads; onError: (error: Error) => void },
): Database {
  const { poolMax = 10, hashPads, onError } = options
  const servicePool = openPool(databaseUrl, {
    role: 'aldaba_service',
    max: poolMax,
    pipeline: true,
    // Not plan_cache_mode=force_custom_plan: it plans the check of every foreign key of every row anew.
    settings: { statement_timeout: '30s', idle_in_transaction_session_timeout: '60s' },
    hashPads,
    onError,
  })
  const writers = connectionQueue(poolMax)
  const readers = connectionQueue(poolMax)
  // Not pipelined: the queue's LISTEN and its own transactions expect one statement at a time.
  // Each of its two lanes keeps two connections for itself.
  const ownerPool = openPool(databaseUrl, {
    max: 12,
    pipeline: false,
    // Of a machine that lost its power the locks go within half a minute, and not with the system's two hours.
    settings: { tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '3' },
    onError,
  })
  const readersPool = openPool(databaseUrl, {
    role: 'aldaba_service',
    max: poolMax,
    pipeline: false,
    settings: { statement_timeout: '30s', default_transaction_read_only: 'on' },
    hashPads,
    prepare: prepareReaders,
    onError,
  })
  const changes = createChanges(databaseUrl, ownerPool, onError)
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
  const dialect = pipelinedDialect(servicePool)
  const service = new Kysely<DB>({ dialect })
  const owner = new Kysely<DB>({ dialect: pipelinedDialect(ownerPool) })

  return {
    outside: new Kysely<DB>({
      dialect: pipelinedDialect(servicePool, () => writers.enter(outsideTenants, { isPatient: true })),
    }),
    owner,
    ownerPool,
    changes,
    clockShiftMs,
    withTenant: (tenant, work) =>
      writers.run(
        tenant,
        () => inTime(tenant, shiftMs => inTransaction(service, { dialect, changes, shiftMs }, tenant, work)),
        waitingOf(tenant),
      ),
    readTenant: (tenant, work) =>
      inTime(tenant, async shiftMs => {
        const reader = openReader(readersPool, tenant, shiftMs, () =>
          readers.enter(tenant, waitingOf(tenant)),
        )
        openContext(reader.db, tenant.tenantId, shiftMs)
        const result = await work(reader.db as Tx)
        if (!reader.used()) await sql`select`.execute(reader.db)
        return result
      }),
    findApiKey: batched(
      hashes => persist(() => writers.run(unknownCallers, () => findApiKeys(service, hashes))),
      keyBatches,
    ),
    async keepConnections() {
      await Promise.all([servicePool, readersPool].map(pool => keepOpen(pool, keptConnections)))
    },
    async close() {
      await changes.close()
      await Promise.all([servicePool.end(), readersPool.end(), ownerPool.end()])
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

/** They share connections as two tenants do. */
const unknownCallers = { tenantId: 'unknown callers', isNobody: true }
const outsideTenants = { tenantId: 'outside any tenant', isNobody: true }

/**
 * Who waits in line for a connection: no tenant's writers, who wait for each other's locks, take all of them. A tenant has few,
 * because each is a process of the server: a statement of somebody else gets the processor in turn with all that are busy.
 */
function connectionQueue(places: number): FairQueue {
  return createFairQueue({
    ...{ of: 'requests', places, tenantAmongOthersMax },
    ...{ waitingMax: { all: 2000, tenant: 500, key: 500 } },
    ...{ waitMaxMs: connectionWaitMaxMs, retryAfterSeconds: 2 },
  })
}

const waitingOf = ({ signal }: Tenant): Waiting => (signal ? { signal } : { isPatient: true })

/** Again after a deadlock, and after a connection that was found broken before anything could have been committed. */
async function persist<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const passing = tryAgainStates.has(sqlState(error) ?? '') || isConnectionBroken(error)
      if (attempt === attemptsMax || !passing) throw error
      // Where one connection broke, the pool needs a moment to find the others that did.
      if (isConnectionBroken(error)) await sleep(retryMs * attempt)
    }
  }
}

/** The transaction may have been committed: nobody heard. It must not be tried again. */
class CommitUnknown extends Error {}

async function inTransaction<T>(
  db: Kysely<DB>,
  { dialect, changes, shiftMs }: { dialect: Dialect; changes: Changes; shiftMs: number },
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
  if (keyId)
    return sql`select aldaba.enter_with_key(${tenantId}, ${workspaceId}, ${keyId}, ${shiftMs})`.execute(tx)
  return sql`select aldaba.enter_tenant(${tenantId}, ${shiftMs})`.execute(tx)
}

interface PoolOptions extends ConnectionOptions {
  max: number
  pipeline: boolean
  /** Statements that every new connection runs. */
  prepare?: string
  onError: (error: Error) => void
}

function openPool(
  databaseUrl: string,
  { max, pipeline, prepare, onError, ...options }: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(databaseUrl),
    max,
    pipeline,
    async onConnect(client: pg.ClientBase) {
      await prepareConnection(client, options)
      if (prepare) await client.query(prepare)
    },
  } as pg.PoolConfig)
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on('error', onError)
  pool.on('connect', client => client.on('error', onError))
  return pool
}

/** Connections beyond these are closed when they have been idle for a while. Throws if one could not be opened. */
async function keepOpen(pool: pg.Pool, count: number): Promise<void> {
  pool.options.min = count
  const opened = await Promise.allSettled(Array.from({ length: count }, () => pool.connect()))
  for (const one of opened) if (one.status === 'fulfilled') one.value.release()
  for (const one of opened) if (one.status === 'rejected') throw one.reason
}

export type { Environment, Tenant }
export { sql }
