/**
 * How a connection to PostgreSQL is opened and prepared. Settings are made by statements once it is open, and not by the startup
 * parameter `options`, which poolers such as PgBouncer refuse.
 */
import pg from 'pg'

/** What a connection is for. */
export interface ConnectionOptions {
  /** The role that it acts as; the user of the address unless given. */
  role?: string
  /** Server settings by name, for as long as the connection lasts. */
  settings?: Record<string, string>
}

/** What pg needs to connect. Call `prepareConnection` on the client before anything else. */
export function connectionConfig(databaseUrl: string): pg.ClientConfig {
  return {
    connectionString: databaseUrl,
    application_name: `aldaba pid ${process.pid}`,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: { getTypeParser },
  }
}

const toSettings = ({ role, settings }: ConnectionOptions): Record<string, string> => ({
  search_path: 'aldaba,public',
  timezone: 'UTC',
  ...(role ? { role } : {}),
  ...settings,
})

/** Sets role and settings of a connection that was just opened. They win over the operator's own. */
export async function prepareConnection(client: pg.ClientBase, options: ConnectionOptions): Promise<void> {
  const all = toSettings(options)
  await client.query(
    'select set_config(name, value, false) from unnest($1::text[], $2::text[]) as setting (name, value)',
    [Object.keys(all), Object.values(all)],
  )
}

/** Role and settings where a pooler may give each transaction another connection of the server's. */
export interface TransactionSettings {
  /** Begins a transaction with them. */
  begin: string
  /** Expressions of a select list that set them until the transaction ends. */
  expressions: string
}

/** Calls and no SET: Citus would send a SET LOCAL to the servers of the shards, where the owner's look-ups must not lose their role. */
export function transactionSettings(options: ConnectionOptions): TransactionSettings {
  const all = Object.entries(toSettings(options))
  const expressions = all.map(([name, value]) => `set_config('${name}', ${quote(value)}, true)`).join(', ')
  return { begin: `begin; select ${expressions}`, expressions }
}

const quote = (value: string) => pg.escapeLiteral(value)

const numberTypes = new Set([20 /* int8 */, 1700 /* numeric */])

function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return numberTypes.has(oid) ? Number : pg.types.getTypeParser(oid, format as 'text')
}
