/** Kysely over a pipelining pg pool: statements of a transaction are sent without waiting for one another. */
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
} from 'kysely'
import type pg from 'pg'
import type { TransactionSettings } from './connection.ts'
import { ServiceAdapter } from './hash-identifiers.ts'
import { queryWithPreamble } from './preamble-query.ts'
import { publishStatement } from './statement-channel.ts'

/**
 * The dialect of the pools that write. Against Kysely's own, `begin` does not wait for its answer. No statement is prepared
 * under a name: a plan made while a table was small would be kept when it no longer is (measured, it made an extraction
 * three times slower).
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
  /** What each transaction begins with, as the pool's connections have no settings; null: they have. */
  settings: TransactionSettings | null
  /** For `hashIdentifiers`. */
  identifierKey?: KeyObject | undefined
  /** Waits for a turn before a connection is taken, and returns how to end it. */
  acquire?: () => Promise<() => void>
}

const unlimited = async () => () => {}

/**
 * The transaction with its statements sent at once, in the order of the calls. Kysely's own holds a statement back until the one
 * before it is answered.
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

/** The connection of a tenant's transaction. */
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
  async beginTransaction(connection: PipelinedConnection): Promise<void> {
    connection.begin()
  }
  async commitTransaction(connection: PipelinedConnection): Promise<void> {
    const result = await connection.send('commit')
    // PostgreSQL answers the commit of an aborted transaction with a ROLLBACK, and no error.
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

/** Class 25 of PostgreSQL's error codes, appendix A of its manual. */
const inFailedTransaction = '25P02'

class PipelinedConnection implements DatabaseConnection {
  #unawaited: Promise<unknown> = Promise.resolve()
  #failure: Error | undefined
  /** Why the transaction was aborted. */
  #refusal: unknown
  #isInTransaction = false
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

  // biome-ignore lint/correctness/useYield: refusing is all it does
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('page through rows by key: a pipelining connection can not hold a cursor open')
  }

  /** After a statement that failed, those that were sent with it are refused: they fail for the reason that the first did. */
  async send(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    try {
      const query = { text, values: [...values] }
      const result =
        this.#settings && !this.#isInTransaction
          ? await queryWithPreamble(
              this.#client,
              { text: `select ${this.#settings.expressions}`, values: [] },
              query,
            )
          : await this.#client.query(query)
      this.#refusal = undefined
      return result
    } catch (error) {
      const isRefused = (error as { code?: string }).code === inFailedTransaction
      if (!isRefused || this.#refusal === undefined) this.#refusal = error
      throw this.#refusal
    }
  }

  /** A connection that can't even roll back is broken; the error to tell is the one that broke it. */
  async rollBack(): Promise<void> {
    await this.send('rollback').catch(error => {
      this.#failure ??= error
    })
  }

  /** Does not wait for the answer: a failure shows in what follows. */
  begin(): void {
    this.#isInTransaction = true
    const sent = this.send(this.#settings?.begin ?? 'begin').catch(error => {
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
