/** Locks that a process holds across transactions. PostgreSQL drops them when the process dies. */
import type { DirectConnection, Session } from '../db/direct-connection.ts'

export interface SessionLocks {
  /** Acquires the lock. Returns false if another holder has it. Throws if the database is unavailable. */
  acquire(name: string): Promise<boolean>
  /** True while the lock is held. All locks are lost with the connection. */
  isHeld(name: string): boolean
  release(name: string): Promise<void>
  /** Releases all locks. */
  close(): Promise<void>
}

/** The holders within this process, because PostgreSQL grants a session a lock that it already holds. */
const locksByConnection = new WeakMap<DirectConnection, Map<string, { holder: object; session: Session }>>()

/** Creates the locks of one holder. All holders of a process share its direct connection. */
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
      const session = await direct.getSession()
      if (find(name)) return isHeld(name)
      // Registered before the reply, so that no other holder of the process requests it meanwhile.
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

/** False also if the connection was lost right after the reply, because the lock is then gone. */
async function tryLock(session: Session, name: string): Promise<boolean> {
  const { rows } = await session.query<{ isAcquired: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 2)) as "isAcquired"',
    [name],
  )
  return rows[0]!.isAcquired && !session.lost.aborted
}
