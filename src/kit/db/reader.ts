/**
 * Reading in a tenant in one round trip: each statement travels behind the one that enters the tenant, before a single
 * Sync, so that PostgreSQL runs both as one implicit transaction (protocol documentation, "Extended Query"). Four
 * messages to wait for (begin, enter, read, commit) become one; at READ COMMITTED the reads see the same. A cluster needs the
 * four, because Citus sends the tenant to the servers of the shards in explicit transactions alone: they travel together.
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
import { type Preamble, queryWithPreamble } from './preamble-query.ts'
import { publishStatement } from './statement-channel.ts'
import type { DB } from './tables.generated.ts'
import type { Tenant } from './tenant.ts'

const readOnly = `set_config('transaction_read_only', 'on', true)`
/** For the values of this statement; whoever enters a tenant has set that plans are for any tenant (ADR 10). */
const setCustomPlan = `set_config('plan_cache_mode', 'auto', true)`
const enterWithKey = 'aldaba.enter_with_key($1, $2, $3, $4)'
const enterTenant = 'aldaba.enter_tenant($1, $2)'

/** Prepares a connection of the service that was just opened, for whoever writes and reads on it. */
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

/** Finds out whether the connection is to the coordinator of a cluster. Call it before the connection reads. */
export async function recordCluster(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ cluster: boolean | null }>(
    `select current_setting('citus.propagate_set_commands', true) = 'local' as cluster`,
  )
  if (rows[0]!.cluster) clusterConnections.add(client)
}

/** `run` between begin and commit, sent without waiting for their replies. */
async function inTransaction<T>(client: pg.ClientBase, run: () => Promise<T>): Promise<T> {
  const steps = [client.query('begin'), run(), client.query('commit')] as const
  await Promise.allSettled(steps)
  const [, result] = await Promise.all(steps)
  return result
}

export interface ReaderOptions {
  tenant: Tenant
  shiftMs: number
  /** What each statement begins with, as the pool's connections have no settings; null: they were prepared. */
  settings: TransactionSettings | null
  /** For `hashIdentifiers`. */
  identifierKey: KeyObject | undefined
  /** Waits for a turn before a connection is taken, and returns how to end it. */
  acquire: () => Promise<() => void>
}

export interface Reader {
  db: Kysely<DB>
  /** Whether anything was read: if not, nobody has asked the database about the key yet. */
  hasRead(): boolean
}

/** A reader of one tenant. Its transactions are read only; each statement waits its turn with `acquire`. */
export function openReader(pool: pg.Pool, options: ReaderOptions): Reader {
  const driver = new ReaderDriver(pool, options)
  return { db: new Kysely<DB>({ dialect: createDialect(driver, options) }), hasRead: () => driver.hasRead }
}

/** The statement that enters the tenant. `usesCustomPlan`: the one behind it is. */
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
      // biome-ignore lint/correctness/useYield: refusing is all it does
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
    const name = this.#options.settings ? undefined : statementName(sql, parameters)
    const preamble = toPreamble(this.#options, sql.includes(customPlan))
    const run = () => queryWithPreamble(client, preamble, { name, text: sql, values: [...parameters] })
    let failure: Error | undefined
    try {
      const result = await (clusterConnections.has(client) ? inTransaction(client, run) : run())
      return { rows: result.rows as R[] }
    } catch (error) {
      // An error of the server leaves the connection as it was; any other may have left it in the middle of a reply.
      if (!(error instanceof pg.DatabaseError)) failure = error as Error
      throw error
    } finally {
      client.release(failure)
    }
  }
}

/** In a statement: it is planned for its very values each time, because what is quick for one of them is slow for another. */
export const customPlan = '/* custom plan */'

const statementNames = new Map<string, string>()
// Shapes of SQL are few; text beyond that many would only fill the server's memory with plans.
const statementNamesMax = 2000

/**
 * The name under which a statement is prepared, so that it is parsed and planned once per connection; undefined once there
 * are too many. What reads a list is planned for that very list: the plan for any list, made while the table was small,
 * read all of a tenant's rows for each thirty (measured: 3.8 ms instead of 0.1 with 3,000 rows, and growing).
 */
function statementName(text: string, values: readonly unknown[]): string | undefined {
  const cachedName = statementNames.get(text)
  if (cachedName) return values.some(Array.isArray) ? undefined : cachedName
  const usesCustomPlan = values.some(Array.isArray) || text.includes(customPlan)
  if (usesCustomPlan || statementNames.size >= statementNamesMax) return undefined
  const name = `a${statementNames.size}`
  statementNames.set(text, name)
  return name
}

async function refuseTransaction(): Promise<never> {
  throw new Error('a reader needs no transaction, and has none')
}
