/** Sends two statements before a single Sync: PostgreSQL runs both in one implicit transaction, in one round trip. */
import pg from 'pg'

/** The first statement, whose result is ignored: the name of a prepared statement, or text. */
export type Preamble = { statement: string; values: unknown[] } | { text: string; values: unknown[] }

/** Runs `preamble` and then `query`, and returns the result of `query`. Throws the error of either. */
export function queryWithPreamble(
  client: pg.ClientBase,
  preamble: Preamble,
  query: { name?: string | undefined; text: string; values: unknown[] },
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, result: pg.QueryResult) => (error ? reject(error) : resolve(result))
    client.query(new PreambleQuery(preamble, query, done))
  })
}

/** The parts of pg's Query and Connection used here. They are stable, because pg-cursor uses them too. */
interface PgConnection {
  parse(statement: { name: string; text: string }): void
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

/** Ignores the reply to the preamble, which is one row and one completion. */
class PreambleQuery extends (pg.Query as unknown as PgQuery) {
  #isPreambleDone = false
  readonly #preamble: Preamble

  constructor(
    preamble: Preamble,
    config: object,
    callback: (error: Error | null, result: pg.QueryResult) => void,
  ) {
    super({ ...config, queryMode: 'extended' }, undefined, callback)
    this.#preamble = preamble
  }

  override prepare(connection: PgConnection): void {
    const { values } = this.#preamble
    const statement = 'text' in this.#preamble ? '' : this.#preamble.statement
    if ('text' in this.#preamble) connection.parse({ name: '', text: this.#preamble.text })
    connection.bind({ statement, values, valueMapper: value => value })
    connection.execute({ portal: '' })
    super.prepare(connection)
  }

  override handleDataRow(message: unknown): void {
    if (this.#isPreambleDone) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: PgConnection): void {
    if (this.#isPreambleDone) super.handleCommandComplete(message, connection)
    this.#isPreambleDone = true
  }
}
