/**
 * Reads in a tenant in one round trip. Each statement is sent after one that sets the tenant, before a single Sync, so
 * that PostgreSQL runs both in one implicit transaction (PostgreSQL manual, "Extended Query"). Instead of four round
 * trips (begin, set tenant, read, commit) there is one; at READ COMMITTED the result is the same. A Citus cluster needs
 * an explicit transaction to propagate the tenant to the shards; there all four statements are sent together.
 */
import type { KeyObject } from 'node:crypto'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import { type ConnectionOptions, prepareConnection, type TransactionSettings } from './connection.ts'
import { ServiceAdapter } from './hash-identifiers.ts'
import { customPlan, getReaderName } from './plans.ts'
import { type Preamble, queryWithPreamble } from './preamble-query.ts'
import { publishStatement } from './statement-channel.ts'
import type { DB } from './tables.generated.ts'
import type { Tenant } from './tenant.ts'

const readOnly = `set_config('transaction_read_only', 'on', true)`
/** Plans this statement for its values. By default, entering a tenant selects generic plans (decision 10). */
const setCustomPlan = `set_config('plan_cache_mode', 'auto', true)`
const enterWithKey = 'aldaba.enter_with_key($1, $2, $3, $4)'
const enterTenant = 'aldaba.enter_tenant($1, $2)'

/** Prepares a new connection of the service for reading and writing. */
export async function prepareService(client: pg.ClientBase, options: ConnectionOptions): Promise<void> {
  await prepareConnection(client, options)
  await recordCluster(client)
  await client.query(`
    prepare aldaba_read_with_key (uuid, uuid, uuid, bigint, boolean) as
      select ${readOnly}, ${enterWithKey}, case when $5 then ${setCustomPlan} end;
    prepare aldaba_read_in_tenant (uuid, bigint, boolean) as
      select ${readOnly}, ${enterTenant}, case when $3 then ${setCustomPlan} end`)
}

const clusterConnections = new WeakSet<pg.ClientBase>()

/** Records whether the connection is to the coordinator of a Citus cluster. Call it before the connection reads. */
export async function recordCluster(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ cluster: boolean | null }>(
    `select current_setting('citus.propagate_set_commands', true) = 'local' as cluster`,
  )
  if (rows[0]!.cluster) clusterConnections.add(client)
}

/** Runs `run` between begin and commit, without waiting for their replies. */
async function inTransaction<T>(client: pg.ClientBase, run: () => Promise<T>): Promise<T> {
  const steps = [client.query('begin'), run(), client.query('commit')] as const
  await Promise.allSettled(steps)
  const [, result] = await Promise.all(steps)
  return result
}

export interface ReaderOptions {
  tenant: Tenant
  shiftMs: number
  /** The settings for each statement, if connections have none; null: the connections were prepared. */
  settings: TransactionSettings | null
  /** The key for `hashIdentifiers`. */
  identifierKey: KeyObject | undefined
  /** Waits until a connection may be used. Returns a function that releases it. */
  acquire: () => Promise<() => void>
}

export interface Reader {
  db: Kysely<DB>
  /** Returns whether a statement was run. If not, the key has not been checked yet. */
  hasRead(): boolean
}

/** Creates a reader of one tenant. Each statement is a read-only transaction, and waits for `acquire`. */
export function openReader(pool: pg.Pool, options: ReaderOptions): Reader {
  const driver = new ReaderDriver(pool, options)
  return { db: new Kysely<DB>({ dialect: createDialect(driver, options) }), hasRead: () => driver.hasRead }
}

/** Returns the statement that sets the tenant. `usesCustomPlan`: the next statement is planned for its values. */
function toPreamble({ tenant, shiftMs, settings }: ReaderOptions, usesCustomPlan: boolean): Preamble {
  const { tenantId, workspaceId, keyId } = tenant
  const values = keyId ? [tenantId, workspaceId, keyId, `${shiftMs}`] : [tenantId, `${shiftMs}`]
  if (!settings) {
    const statement = keyId ? 'aldaba_read_with_key' : 'aldaba_read_in_tenant'
    return { statement, values: [...values, `${usesCustomPlan}`] }
  }
  const modes = usesCustomPlan ? [setCustomPlan] : []
  const expressions = [settings.expressions, readOnly, keyId ? enterWithKey : enterTenant, ...modes]
  return { text: `select ${expressions.join(', ')}`, values }
}

function createDialect(driver: Driver, { identifierKey }: ReaderOptions): Dialect {
  return {
    createAdapter: () => new ServiceAdapter(identifierKey),
    createDriver: () => driver,
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

class ReaderDriver implements Driver {
  hasRead = false
  readonly #pool: pg.Pool
  readonly #options: ReaderOptions

  constructor(pool: pg.Pool, options: ReaderOptions) {
    this.#pool = pool
    this.#options = options
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: query => this.#read(query),
      // biome-ignore lint/correctness/useYield: it only throws
      streamQuery: async function* () {
        throw new Error('page through rows by key instead of streaming them')
      },
    }
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
  beginTransaction = refuseTransaction
  commitTransaction = refuseTransaction
  rollbackTransaction = refuseTransaction

  async #read<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.hasRead = true
    publishStatement(query.sql)
    const release = await this.#options.acquire()
    try {
      return await this.#readNow(query)
    } finally {
      release()
    }
  }

  async #readNow<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const client = await this.#pool.connect()
    const name = this.#options.settings ? undefined : getReaderName(sql, parameters)
    const preamble = toPreamble(this.#options, sql.includes(customPlan))
    const run = () => queryWithPreamble(client, preamble, { name, text: sql, values: [...parameters] })
    let failure: Error | undefined
    try {
      const result = await (clusterConnections.has(client) ? inTransaction(client, run) : run())
      return { rows: result.rows as R[] }
    } catch (error) {
      // After an error of the server the connection is usable. After any other, a reply may be incomplete: close it.
      if (!(error instanceof pg.DatabaseError)) failure = error as Error
      throw error
    } finally {
      client.release(failure)
    }
  }
}

async function refuseTransaction(): Promise<never> {
  throw new Error('a reader does not support transactions: use withTenant')
}
