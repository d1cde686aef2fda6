/**
 * The connection that each Aldaba process keeps open while it uses the embedded server. Its advisory locks show which
 * processes use the server. PostgreSQL releases them when the process ends, even if it is killed.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { EmbeddedPostgresError } from './error.ts'

/** 'alda' in ASCII: the first half of each lock's key. Advisory locks are per database; this is `postgres`. */
const lockSpace = 0x616c6461
/** Held shared by each process that uses the server, exclusively by the one that stops it. */
const presence = 1
/** Held by the one process that opened the server with mode `own`. */
const ownership = 2
/** Held while the role and the database are created. */
const setup = 3
const ownershipPollMs = 25

/** Connects with the process id as application name. Only the `end` event reports a broken connection. */
export async function connectSession(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `aldaba pid ${process.pid}`,
    connectionTimeoutMillis: 10_000,
  })
  // Without a listener, an error of an idle connection would end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Announces that this process uses the server. Waits for a process that is about to stop it. */
export async function announcePresence(session: pg.Client): Promise<void> {
  await session.query('select pg_advisory_lock_shared($1, $2)', [lockSpace, presence])
}

/** Returns whether another process uses the server. */
export async function hasOtherProcesses(session: pg.Client): Promise<boolean> {
  return (await findHolders(session, presence)).length > 0
}

/**
 * Reverts announcePresence().
 * @returns true if no other process uses the server; then none can join until the session ends
 */
export async function withdrawPresence(session: pg.Client): Promise<boolean> {
  await session.query('select pg_advisory_unlock_shared($1, $2)', [lockSpace, presence])
  return tryLock(session, presence)
}

/**
 * Claims the exclusive ownership of the server.
 * @throws EmbeddedPostgresError naming the process that still holds it after `waitMs`
 */
export async function claimOwnership(session: pg.Client, waitMs: number, dataDir: string): Promise<void> {
  const deadline = performance.now() + waitMs
  while (!(await tryLock(session, ownership))) {
    if (performance.now() > deadline) {
      const [owner] = await findHolders(session, ownership)
      // The owner may have exited since the last try.
      if (owner === undefined) continue
      throw new EmbeddedPostgresError(
        `The data directory ${dataDir} is in use by another Aldaba server (${owner}): stop that one, choose another DATA_DIR, or set DATABASE_URL to share one database between several servers.`,
      )
    }
    await sleep(ownershipPollMs)
  }
}

/** Runs `work` in one process at a time. If it fails, the lock ends with the session. */
export async function withSetupLock(session: pg.Client, work: () => Promise<void>): Promise<void> {
  await session.query('select pg_advisory_lock($1, $2)', [lockSpace, setup])
  await work()
  await session.query('select pg_advisory_unlock($1, $2)', [lockSpace, setup])
}

async function tryLock(session: pg.Client, lock: number): Promise<boolean> {
  const { rows } = await session.query<{ acquired: boolean }>(
    'select pg_try_advisory_lock($1, $2) as acquired',
    [lockSpace, lock],
  )
  return rows[0]?.acquired === true
}

/** Returns the names of the other sessions that hold a lock, such as `aldaba pid 123`. */
async function findHolders(session: pg.Client, lock: number): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    `select application_name as name
     from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and classid = $1 and objid = $2 and objsubid = 2 and granted
       and pid <> pg_backend_pid()`,
    [lockSpace, lock],
  )
  return rows.map(row => row.name)
}
