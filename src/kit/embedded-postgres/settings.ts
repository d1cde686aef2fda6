/** How the embedded server is set: for one small machine, one product, and data that must not be lost. */
import { type Cluster, socketPort } from './cluster.ts'

/**
 * Given on the command line at each start rather than written into postgresql.conf once, so that a newer
 * Aldaba brings its settings to an old directory. fsync, synchronous_commit and autovacuum are not here
 * because PostgreSQL's default, on, is what we want.
 */
const defaultSettings: Record<string, string> = {
  // Enough for the pools of a server, its worker and a few commands beside it.
  max_connections: '100',
  // Touched page by page: an empty database uses a few MB of it.
  shared_buffers: '128MB',
  // Compiling costs more than it saves on queries that take milliseconds.
  jit: 'off',
  // Nothing replicates an embedded database (that is what DATABASE_URL is for), and without the extra WAL a
  // bulk load with its index writes half of it.
  wal_level: 'minimal',
  max_wal_senders: '0',
  // 2.5 MB and nothing else, and the slow statement can be found on the day it is needed, without a restart.
  shared_preload_libraries: 'pg_stat_statements',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log is for the life of the server. Errors of statements go to the client, which logs them; here they
  // would fill the disk and write down what people typed.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/** The command line of `postgres` for this cluster; `port` counts if it is reached by TCP. */
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
          // No TCP at all: nobody else on the machine can knock, and no port can be taken.
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

/** A connection string that node-postgres, libpq (psql, pg_dump) and `new URL` all understand. */
export function connectionUrl(
  cluster: Cluster,
  port: number,
  { role, password, database }: { role: string; password: string; database: string },
): string {
  // A host in the query wins over the one before it. sslmode: against a PGSSLMODE in the environment that is
  // meant for another server.
  const [host, query] = cluster.hasSocket
    ? ['localhost', `?host=${encodeURIComponent(cluster.directory)}&sslmode=disable`]
    : ['127.0.0.1', '?sslmode=disable']
  return `postgres://${role}:${encodeURIComponent(password)}@${host}:${port}/${database}${query}`
}
