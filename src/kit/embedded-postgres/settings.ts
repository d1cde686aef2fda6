/** Settings of the embedded server, for one small machine, one application, and data that must not be lost. */
import { type Cluster, socketPort } from './cluster.ts'

/**
 * Passed on the command line at each start instead of written into postgresql.conf once, so that a newer Aldaba also
 * changes the settings of an old directory. fsync, synchronous_commit and autovacuum keep PostgreSQL's default, on.
 */
const defaultSettings: Record<string, string> = {
  // Enough for the pools of a server, its worker and a few commands.
  max_connections: '100',
  // Allocated page by page: an empty database uses a few MB of it.
  shared_buffers: '128MB',
  // Compilation costs more than it saves for queries that take milliseconds.
  jit: 'off',
  // An embedded database is never replicated (use DATABASE_URL for that). Without the extra WAL, a bulk load with
  // its index writes half as much.
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Costs 2.5 MB of memory. With it, slow statements can be found without a restart.
  shared_preload_libraries: 'pg_stat_statements',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Log only start, stop and crashes. Statement errors go to the client, which logs them; here they would fill the
  // disk and record what users typed.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/** Returns the command line of `postgres` for this cluster. `port` applies only to TCP. */
export function postgresArguments(
  cluster: Cluster,
  port: number,
  settings: Record<string, string> = {},
): string[] {
  const all: Record<string, string> = {
    ...defaultSettings,
    ...settings,
    ...(cluster.hasSocket
      ? {
          // No TCP: other users of the machine cannot connect, and no port can be in use already.
          listen_addresses: '',
          port: String(socketPort),
          unix_socket_directories: `"${cluster.directory.replaceAll('"', '""')}"`,
          unix_socket_permissions: '0700',
        }
      : { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' }),
  }
  return [
    '-D',
    cluster.directory,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

/** Returns a connection string that node-postgres, libpq (psql, pg_dump) and `new URL` all understand. */
export function connectionUrl(
  cluster: Cluster,
  port: number,
  { role, password, database }: { role: string; password: string; database: string },
): string {
  // The host in the query takes precedence. sslmode overrides a PGSSLMODE in the environment, which is meant for
  // another server.
  const [host, query] = cluster.hasSocket
    ? ['localhost', `?host=${encodeURIComponent(cluster.directory)}&sslmode=disable`]
    : ['127.0.0.1', '?sslmode=disable']
  return `postgres://${role}:${encodeURIComponent(password)}@${host}:${port}/${database}${query}`
}
