/** Lists the processes that are connected to the database, with the fingerprints of their encryption keys, by their application names. */
import { type Kysely, sql } from 'kysely'
import type { DB } from './db/tables.generated.ts'

export interface RunningProcess {
  pid: number
  /** The address of its machine, as seen by PostgreSQL; null: this machine, over a Unix socket. */
  address: string | null
  /** The fingerprint of its encryption key. */
  fingerprint: string
}

/**
 * Adds the process id and the key's fingerprint to the database URLs, as application name. A pooler's URL stays
 * unchanged, because a pooler keeps connections of processes that have ended.
 */
export function nameConnections(
  databaseUrl: string,
  directUrl: string | null,
  fingerprint: string,
): { databaseUrl: string; directUrl: string } {
  const withName = (url: string) => {
    const named = new URL(url)
    named.searchParams.set('application_name', `aldaba pid ${process.pid} key ${fingerprint}`)
    return named.href
  }
  const isPooled = directUrl !== null && directUrl !== databaseUrl
  return {
    databaseUrl: isPooled ? databaseUrl : withName(databaseUrl),
    directUrl: withName(directUrl ?? databaseUrl),
  }
}

export async function listProcesses(owner: Kysely<DB>): Promise<RunningProcess[]> {
  const { rows } = await sql<RunningProcess>`
    select distinct part[1]::int as pid, host(client_addr) as address, part[2] as fingerprint
    from pg_stat_activity, regexp_matches(application_name, '^aldaba pid (\\d+) key ([0-9a-f]{16})$') part
    where datname = current_database() order by pid`.execute(owner)
  return rows
}
