/**
 * Reading in a tenant in one round trip: each statement travels behind the one that enters the tenant, before a single
 * Sync, so that PostgreSQL runs both as one implicit transaction (protocol documentation, "Extended Query"). Four
 * messages to wait for (begin, enter, read, commit) become one; at READ COMMITTED the reads see the same.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import { publishStatement } from './statement-channel.ts'
import type { DB } from './tables.generated.ts'
import type { Tenant } from './tenant.ts'

/** Prepared on every connection of the readers' pool, once it is made. */
export const prepareReaders = `
  prepare aldaba_enter_with_key (uuid, uuid, uuid, bigint) as select aldaba.enter_with_key($1, $2, $3, $4);
  prepare aldaba_enter_tenant (uuid, bigint) as select aldaba.enter_tenant($1, $2)`

export interface Reader {
  db: Kysely<DB>
  /** Whether anything was read: if not, nobody has asked the database about the key yet. */
  used(): boolean
}

/** A reader of one tenant. Its connections are read only; each statement waits its turn with `enter`. */
export function openReader(
  pool: pg.Pool,
  tenant: Tenant,
  shiftMs: number,
  enter: () => Promise<() => void>,
): Reader {
  const driver = new ReadingDriver(pool, tenant, shiftMs, enter)
  return { db: new Kysely<DB>({ dialect: dialectOf(driver) }), used: () => driver.used }
}

function dialectOf(driver: Driver): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

class ReadingDriver implements Driver {
  used = false
  readonly #pool: pg.Pool
  readonly #enter: () => Promise<() => void>
  readonly #entrance: { statement: string; values: (string | undefined)[] }

  constructor(
    pool: pg.Pool,
    { tenantId, workspaceId, keyId }: Tenant,
    shiftMs: number,
    enter: () => Promise<() => void>,
  ) {
    this.#pool = pool
    this.#enter = enter
    this.#entrance = keyId
      ? { statement: 'aldaba_enter_with_key', values: [tenantId, workspaceId, keyId, `${shiftMs}`] }
      : { statement: 'aldaba_enter_tenant', values: [tenantId, `${shiftMs}`] }
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
    this.used = true
    publishStatement(query.sql)
    const leave = await this.#enter()
    try {
      return await this.#readNow(query)
    } finally {
      leave()
    }
  }

  async #readNow<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const client = await this.#pool.connect()
    let failure: Error | undefined
    try {
      const result = await new Promise<pg.QueryResult>((resolve, reject) => {
        const done = (error: Error | null, rows: pg.QueryResult) => (error ? reject(error) : resolve(rows))
        client.query(
          new EnteredQuery(
            this.#entrance,
            { name: statementName(sql, parameters), text: sql, values: [...parameters] },
            done,
          ),
        )
      })
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
export const plannedAnew = '/* planned anew */'

const statementNames = new Map<string, string>()
// Shapes of SQL are few; text beyond that many would only fill the server's memory with plans.
const statementNamesMax = 2000

/**
 * The name under which a statement is prepared, so that it is parsed and planned once per connection; undefined once there
 * are too many. What reads a list is planned for that very list: the plan for any list, made while the table was small,
 * read all of a tenant's rows for each thirty (measured: 3.8 ms instead of 0.1 with 3,000 rows, and growing).
 */
function statementName(text: string, values: readonly unknown[]): string | undefined {
  const known = statementNames.get(text)
  if (known) return values.some(Array.isArray) ? undefined : known
  const isPlannedAnew = values.some(Array.isArray) || text.includes(plannedAnew)
  if (isPlannedAnew || statementNames.size >= statementNamesMax) return undefined
  const name = `a${statementNames.size}`
  statementNames.set(text, name)
  return name
}

async function refuseTransaction(): Promise<never> {
  throw new Error('a reader needs no transaction, and has none')
}

/** What of pg's Query and Connection is built on; both are stable parts that pg's own cursors build on too. */
interface PgConnection {
  bind(portal: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void
  execute(portal: { portal: string }): void
}
interface PgQuery {
  new (
    config: object,
    values: undefined,
    callback: (error: Error | null, result: pg.QueryResult) => void,
  ): pg.Submittable & {
    prepare(connection: PgConnection): void
    handleDataRow(message: unknown): void
    handleCommandComplete(message: unknown, connection: PgConnection): void
  }
}

/** A statement that enters a tenant first. The reply to the entrance is one row and one completion, both passed over. */
class EnteredQuery extends (pg.Query as unknown as PgQuery) {
  #entered = false
  readonly #entrance: { statement: string; values: (string | undefined)[] }

  constructor(
    entrance: { statement: string; values: (string | undefined)[] },
    config: object,
    callback: (error: Error | null, result: pg.QueryResult) => void,
  ) {
    super({ ...config, queryMode: 'extended' }, undefined, callback)
    this.#entrance = entrance
  }

  override prepare(connection: PgConnection): void {
    connection.bind({ ...this.#entrance, valueMapper: value => value })
    connection.execute({ portal: '' })
    super.prepare(connection)
  }

  override handleDataRow(message: unknown): void {
    if (this.#entered) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: PgConnection): void {
    if (this.#entered) super.handleCommandComplete(message, connection)
    this.#entered = true
  }
}
