/** Locks that a process holds over many transactions. PostgreSQL drops them the moment the process dies. */
import type { DirectConnection, Session } from '../db/direct.ts'

export interface SessionLocks {
  /** Takes the lock, or says that another has it. Throws if the database is away. */
  hold(name: string): Promise<boolean>
  /** Whether it is ours still: with the connection all are lost. */
  holds(name: string): boolean
  release(name: string): Promise<void>
  /** Releases all. */
  close(): Promise<void>
}

/** Who holds what within the process: PostgreSQL gives a session a lock that it holds already. */
const registers = new WeakMap<DirectConnection, Map<string, { holder: object; session: Session }>>()

/** The locks of one holder; those of a process share its direct connection. */
export function createSessionLocks(direct: DirectConnection): SessionLocks {
  const holder = {}
  const register = registers.get(direct) ?? new Map<string, { holder: object; session: Session }>()
  registers.set(direct, register)
  const find = (name: string) => {
    const held = register.get(name)
    return held && !held.session.lost.aborted ? held : undefined
  }
  const holds = (name: string) => find(name)?.holder === holder

  const release = async (name: string) => {
    const held = find(name)
    if (held?.holder !== holder) return
    register.delete(name)
    await held.session.query('select pg_advisory_unlock(hashtextextended($1, 2))', [name])
  }
  return {
    holds,
    release,
    async hold(name) {
      const session = await direct.session()
      if (find(name)) return holds(name)
      // Noted before the answer is there, so that nobody else of the process requests it meanwhile.
      const held = { holder: {}, session }
      register.set(name, held)
      const isOurs = await tryLock(session, name).catch(error => {
        if (register.get(name) === held) register.delete(name)
        throw error
      })
      if (isOurs) held.holder = holder
      else if (register.get(name) === held) register.delete(name)
      return isOurs
    },
    async close() {
      const ours = [...register.keys()].filter(holds)
      await Promise.all(ours.map(name => release(name).catch(() => {})))
    },
  }
}

/** The connection may have been lost right after its answer: then the lock is nobody's. */
async function tryLock(session: Session, name: string): Promise<boolean> {
  const { rows } = await session.query<{ isOurs: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 2)) as "isOurs"',
    [name],
  )
  return rows[0]!.isOurs && !session.lost.aborted
}
