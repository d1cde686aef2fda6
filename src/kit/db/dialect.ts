/** A Kysely dialect for a pipelining pg pool: it sends the statements of a transaction without waiting for replies. */
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
  type Transaction,
  type TransactionSettings as TransactionModes,
} from 'kysely'
import type pg from 'pg'
import type { TransactionSettings } from './connection.ts'
import { ServiceAdapter } from './hash-identifiers.ts'
import { getReaderName, getWriterName } from './plans.ts'
import { queryWithPreamble } from './preamble-query.ts'
import { publishStatement } from './statement-channel.ts'

/**
 * Creates the dialect for writing. Unlike Kysely's own, it does not wait for the reply to `begin`. It prepares only statements with
 * a fixed plan under a name.
 */
export function pipelinedDialect(pool: pg.Pool, options: DialectOptions): Dialect {
  return {
    createAdapter: () => new ServiceAdapter(options.identifierKey),
    createDriver: () => new PipelinedDriver(pool, options),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

export interface DialectOptions {
  /** The settings for each transaction, if connections have none; null: the connections were prepared. */
  settings: TransactionSettings | null
  /** The key for `hashIdentifiers`. */
  identifierKey?: KeyObject | undefined
  /** Waits until a connection may be used. Returns a function that releases it. */
  acquire?: () => Promise<() => void>
}

const unlimited = async () => () => {}

/**
 * Returns the transaction with pipelining: statements are sent at once, in the order of the calls. Kysely itself waits
 * for the reply to each statement before it sends the next.
 */
export async function pipelined<DB>(tx: Transaction<DB>, dialect: Dialect): Promise<Kysely<DB>> {
  const executor = tx.getExecutor()
  const connection = await executor.provideConnection(async connection => connection)
  return new Kysely<DB>({
    config: { dialect },
    dialect,
    driver: dialect.createDriver(),
    executor: executor.withConnectionProvider({
      provideConnection: consumer => consumer(publishing(connection)),
    }),
  })
}

/** Wraps a connection so that its statements are published, see `tenantStatements`. */
function publishing(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: query => {
      publishStatement(query.sql)
      return connection.executeQuery(query)
    },
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  }
}

class PipelinedDriver implements Driver {
  readonly #pool: pg.Pool
  readonly #acquire: () => Promise<() => void>
  readonly #settings: TransactionSettings | null
  constructor(pool: pg.Pool, { settings, acquire = unlimited }: DialectOptions) {
    this.#pool = pool
    this.#acquire = acquire
    this.#settings = settings
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<PipelinedConnection> {
    const release = await this.#acquire()
    try {
      return new PipelinedConnection(await this.#pool.connect(), this.#settings, release)
    } catch (error) {
      release()
      throw error
    }
  }
  async beginTransaction(
    connection: PipelinedConnection,
    { isolationLevel, accessMode }: TransactionModes,
  ): Promise<void> {
    const modes = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean)
    connection.begin(modes.join(', '), accessMode === 'read only' ? getReaderName : getWriterName)
  }
  async commitTransaction(connection: PipelinedConnection): Promise<void> {
    const result = await connection.send('commit')
    // PostgreSQL replies to the commit of an aborted transaction with ROLLBACK, and not with an error.
    if (result.command !== 'COMMIT') throw new Error('the transaction was rolled back instead of committed')
  }
  async rollbackTransaction(connection: PipelinedConnection): Promise<void> {
    await connection.rollBack()
  }
  async releaseConnection(connection: PipelinedConnection): Promise<void> {
    connection.releaseWhenIdle()
  }
  async destroy(): Promise<void> {}
}

/**
 * in_failed_sql_transaction; invalid_sql_statement_name: an aborted transaction refused to prepare the statement (PostgreSQL manual,
 * appendix A).
 */
const followUpErrors = ['25P02', '26000']

class PipelinedConnection implements DatabaseConnection {
  #unawaited: Promise<unknown> = Promise.resolve()
  #failure: Error | undefined
  /** The error that aborted the transaction. */
  #abortError: unknown
  #isInTransaction = false
  #getName: typeof getReaderName = getWriterName
  readonly #client: pg.PoolClient
  readonly #settings: TransactionSettings | null
  readonly #release: () => void

  constructor(client: pg.PoolClient, settings: TransactionSettings | null, release: () => void) {
    this.#client = client
    this.#settings = settings
    this.#release = release
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await this.send(query.sql, query.parameters)
    const affected = result.command === 'SELECT' ? {} : { numAffectedRows: BigInt(result.rowCount ?? 0) }
    return { rows: result.rows as R[], ...affected }
  }

  // biome-ignore lint/correctness/useYield: it only throws
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('page through rows by key: a pipelining connection cannot keep a cursor open')
  }

  /** Sends a statement. Statements sent after a failing one are rejected by PostgreSQL; they throw its error. */
  async send(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    try {
      // A pooler may use another server connection for each transaction, which does not know the name.
      const name = this.#settings ? undefined : this.#getName(text, values)
      const query = { name, text, values: [...values] }
      const result =
        this.#settings && !this.#isInTransaction
          ? await queryWithPreamble(
              this.#client,
              { text: `select ${this.#settings.expressions}`, values: [] },
              query,
            )
          : await this.#client.query(query)
      this.#abortError = undefined
      return result
    } catch (error) {
      const isFollowUp = followUpErrors.includes((error as { code?: string }).code ?? '')
      if (!isFollowUp || this.#abortError === undefined) this.#abortError = error
      throw this.#abortError
    }
  }

  /** Rolls back. If that fails, the connection is broken, and will be closed. */
  async rollBack(): Promise<void> {
    await this.send('rollback').catch(error => {
      this.#failure ??= error
    })
  }

  /** Begins a transaction without waiting for the reply: after a failure, the next statements fail too. */
  begin(modes: string, getName: typeof getReaderName): void {
    this.#isInTransaction = true
    this.#getName = getName
    const text = (this.#settings?.begin ?? 'begin').replace(/^begin/, `begin ${modes}`)
    const sent = this.send(text).catch(error => {
      this.#failure ??= error
    })
    this.#unawaited = Promise.all([this.#unawaited, sent])
  }

  releaseWhenIdle(): void {
    void this.#unawaited.then(() => {
      this.#client.release(this.#failure)
      this.#release()
    })
  }
}
