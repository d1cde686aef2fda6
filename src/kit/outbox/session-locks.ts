/** Locks that a process holds over many transactions. PostgreSQL drops them the moment the process dies. */
import type { DirectConnection, Session } from '../db/direct-connection.ts'

export interface SessionLocks {
  /** Takes the lock, or says that another has it. Throws if the database is away. */
  acquire(name: string): Promise<boolean>
  /** Whether it is ours still: with the connection all are lost. */
  isHeld(name: string): boolean
  release(name: string): Promise<void>
  /** Releases all. */
  close(): Promise<void>
}

/** Who holds what within the process: PostgreSQL gives a session a lock that it holds already. */
const locksByConnection = new WeakMap<DirectConnection, Map<string, { holder: object; session: Session }>>()

/** The locks of one holder; those of a process share its direct connection. */
export function createSessionLocks(direct: DirectConnection): SessionLocks {
  const holder = {}
  const locks = locksByConnection.get(direct) ?? new Map<string, { holder: object; session: Session }>()
  locksByConnection.set(direct, locks)
  const find = (name: string) => {
    const lock = locks.get(name)
    return lock && !lock.session.lost.aborted ? lock : undefined
  }
  const isHeld = (name: string) => find(name)?.holder === holder

  const release = async (name: string) => {
    const lock = find(name)
    if (lock?.holder !== holder) return
    locks.delete(name)
    await lock.session.query('select pg_advisory_unlock(hashtextextended($1, 2))', [name])
  }
  return {
    isHeld,
    release,
    async acquire(name) {
      const session = await direct.session()
      if (find(name)) return isHeld(name)
      // Noted before the answer is there, so that nobody else of the process requests it meanwhile.
      const lock = { holder: {}, session }
      locks.set(name, lock)
      const isAcquired = await tryLock(session, name).catch(error => {
        if (locks.get(name) === lock) locks.delete(name)
        throw error
      })
      if (isAcquired) lock.holder = holder
      else if (locks.get(name) === lock) locks.delete(name)
      return isAcquired
    },
    async close() {
      const ownNames = [...locks.keys()].filter(isHeld)
      await Promise.all(ownNames.map(name => release(name).catch(() => {})))
    },
  }
}

/** The connection may have been lost right after its answer: then the lock is nobody's. */
async function tryLock(session: Session, name: string): Promise<boolean> {
  const { rows } = await session.query<{ isAcquired: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 2)) as "isAcquired"',
    [name],
  )
  return rows[0]!.isAcquired && !session.lost.aborted
}
