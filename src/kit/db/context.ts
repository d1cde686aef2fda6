/** The context of a transaction: its database, its tenant, its time, and the notifications to send after the commit. */

interface Context {
  /** The database that opened the transaction. Features are bound to it. */
  database: object
  tenantId: string
  /** The shift of the environment's clock against the machine's. */
  shiftMs: number
  /** The machine's time when the transaction started, or acquired its lock, see `recordLockAcquired`. */
  startedAtMs: number
  isLockAcquired: boolean
  /** Notifications that are sent after the commit. */
  messages: Set<string>
}

const contexts = new WeakMap<object, Context>()

/** Creates the context of a new transaction. */
export function createContext(
  tx: object,
  opened: Pick<Context, 'database' | 'tenantId' | 'shiftMs'>,
): Context {
  const context = {
    ...opened,
    startedAtMs: Date.now(),
    isLockAcquired: false,
    messages: new Set<string>(),
  }
  contexts.set(tx, context)
  return context
}

/** Returns the context. Throws if `tx` is not a transaction of `withTenant` or `readTenant`. */
export function getContext(tx: object): Context {
  const context = contexts.get(tx)
  if (!context) throw new Error('this is not a transaction of withTenant or readTenant')
  return context
}

/** Returns the tenant of the transaction. */
export const getTenantId = (tx: object): string => getContext(tx).tenantId
