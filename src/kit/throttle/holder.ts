/** Tells leases of processes that died from those of others, by a lock of each process that PostgreSQL drops when it dies. */
import type { DirectConnection, Session } from '../db/direct-connection.ts'
import { type Database, sql } from '../db/index.ts'
import { newId } from '../id.ts'

export interface Holder {
  id: string
  /** Takes the lock, if this process does not have it. Throws if the database is unavailable. */
  hold(): Promise<void>
}

export function createHolder(direct: DirectConnection): Holder {
  const id = newId()
  let heldIn: Session | null = null
  const holdIn = async (session: Session) => {
    if (session === heldIn) return
    // Shared, so that it does not wait for a broken session of this process.
    await session.query('select pg_advisory_lock_shared(hashtextextended($1, 1))', [id])
    heldIn = session
  }
  // Requests that are under way when the connection breaks keep their leases.
  direct.onSession(holdIn)
  return { id, hold: async () => holdIn(await direct.getSession()) }
}

/** Deletes the leases of processes without a lock. */
export async function releaseDeadLeases({ unscoped }: Database): Promise<void> {
  // A lease that another process is deleting is left to it: waiting for it could be a deadlock.
  await sql`
    with dead as (
      select key, id from throttle_leases l
      where not exists (
        select from pg_locks
        where locktype = 'advisory' and granted and objsubid = 1
          and database = (select oid from pg_database where datname = current_database())
          and (classid::bigint << 32 | objid::bigint) = hashtextextended(l.holder::text, 1))
      for update of l skip locked)
    delete from throttle_leases l using dead d where l.key = d.key and l.id = d.id`.execute(unscoped)
}
