/** Which processes are connected to the database, and with which encryption key: their connections carry it as their name. */
import { type Kysely, sql } from 'kysely'
import type { DB } from './db/tables.generated.ts'

export interface RunningProcess {
  pid: number
  /** The machine it runs on, as PostgreSQL sees it; null: this one, over a socket. */
  address: string | null
  /** Of its encryption key. */
  fingerprint: string
}

/**
 * The database's addresses, whose connections say who made them. A pooler keeps connections that a process is gone from: those do
 * not tell its key.
 */
export function nameConnections(
  databaseUrl: string,
  directUrl: string | null,
  fingerprint: string,
): { databaseUrl: string; directUrl: string } {
  const withName = (address: string) => {
    const url = new URL(address)
    url.searchParams.set('application_name', `aldaba pid ${process.pid} key ${fingerprint}`)
    return url.href
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
