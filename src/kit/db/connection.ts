/**
 * Configures and prepares connections to PostgreSQL. Settings are applied with statements after connecting, because poolers
 * such as PgBouncer reject the startup parameter `options`.
 */
import pg from 'pg'

/** The role and the settings of a connection. */
export interface ConnectionOptions {
  /** The role to switch to. Default: the user of the URL. */
  role?: string
  /** Server settings by name, for the lifetime of the connection. */
  settings?: Record<string, string>
}

/** Returns the configuration for pg. Call `prepareConnection` on the client before any other statement. */
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

/** Sets the role and the settings of a new connection. They override those of the operator. */
export async function prepareConnection(client: pg.ClientBase, options: ConnectionOptions): Promise<void> {
  const all = toSettings(options)
  await client.query(
    'select set_config(name, value, false) from unnest($1::text[], $2::text[]) as setting (name, value)',
    [Object.keys(all), Object.values(all)],
  )
}

/** The role and the settings per transaction, for poolers that may use another server connection for each. */
export interface TransactionSettings {
  /** The statements that begin a transaction with the settings. */
  begin: string
  /** Expressions of a select list that apply the settings until the transaction ends. */
  expressions: string
}

/**
 * Returns the settings as calls of `set_config`. Citus would propagate SET LOCAL to the shards, where functions that
 * run as the owner would lose their role.
 */
export function transactionSettings(options: ConnectionOptions): TransactionSettings {
  const all = Object.entries(toSettings(options))
  const expressions = all.map(([name, value]) => `set_config('${name}', ${quote(value)}, true)`).join(', ')
  return { begin: `begin; select ${expressions}`, expressions }
}

const quote = (value: string) => pg.escapeLiteral(value)

const numberTypes = new Set([20 /* int8 */, 1700 /* numeric */])
const timeType = 1184 /* timestamptz */
const parseOtherTime: (value: string) => unknown = pg.types.getTypeParser(timeType, 'text')

function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === timeType) return parseTime
  return numberTypes.has(oid) ? Number : pg.types.getTypeParser(oid, format as 'text')
}

/** Most times are in UTC, in years of four digits. The parser of pg leaves half as much garbage again. */
function parseTime(value: string): unknown {
  const isUsual = value[10] === ' ' && value.endsWith('+00')
  return isUsual ? new Date(`${value.slice(0, 10)}T${value.slice(11, -3)}Z`) : parseOtherTime(value)
}
