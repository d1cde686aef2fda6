/** Locks that a process holds over many transactions. PostgreSQL drops them the moment the process dies. */
import type pg from 'pg'

export interface SessionLocks {
  /** Takes the lock, or says that another process has it. Throws if the database is away. */
  hold(name: string): Promise<boolean>
  /** Whether it is ours still: with the connection all are lost. */
  holds(name: string): boolean
  release(name: string): Promise<void>
  /** Releases all, once what is under way has ended. */
  close(): Promise<void>
}

/** Keeps one connection of the pool from the first lock on. */
export function createSessionLocks(pool: pg.Pool): SessionLocks {
  const held = new Set<string>()
  let connecting: Promise<pg.PoolClient> | null = null
  // One statement at a time.
  let turn: Promise<unknown> = Promise.resolve()
  const lose = (client: pg.PoolClient | null) => {
    held.clear()
    connecting = null
    client?.release(true)
  }
  const connect = async () => {
    const client = await pool.connect()
    client.once('error', () => lose(client))
    return client
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }
  const ask = async (statement: string, name: string): Promise<boolean> => {
    connecting ??= connect().catch(error => {
      connecting = null
      throw error
    })
    const asked = connecting
    const client = await asked
    const { rows } = await client.query<{ answer: boolean }>(
      `select ${statement}(hashtextextended($1, 2)) as answer`,
      [name],
    )
    // The connection may have been lost right after its answer.
    return asked === connecting && rows[0]!.answer
  }
  return {
    async hold(name) {
      if (held.has(name)) return true
      const isOurs = await inTurn(() => ask('pg_try_advisory_lock', name))
      if (isOurs) held.add(name)
      return isOurs
    },
    holds: name => held.has(name),
    async release(name) {
      if (held.delete(name)) await inTurn(() => ask('pg_advisory_unlock', name))
    },
    async close() {
      await turn
      await connecting?.then(lose)
    },
  }
}
