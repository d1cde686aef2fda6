/** What a transaction knows besides its statements: whose it is, and what is to be done after its commit. */

interface Context {
  tenantId: string
  /** By how much the environment's clock is ahead of the machine's. */
  shiftMs: number
  /** What the machine's clock said when the transaction began, or took its turn. */
  startedAtMs: number
  isLockAcquired: boolean
  /** Sent after the commit. */
  messages: Set<string>
}

const contexts = new WeakMap<object, Context>()

/** For whoever opens transactions. */
export function createContext(tx: object, tenantId: string, shiftMs: number): Context {
  const context = {
    tenantId,
    shiftMs,
    startedAtMs: Date.now(),
    isLockAcquired: false,
    messages: new Set<string>(),
  }
  contexts.set(tx, context)
  return context
}

/** Throws for what is no transaction of `withTenant` or `readTenant`. */
export function getContext(tx: object): Context {
  const context = contexts.get(tx)
  if (!context) throw new Error('this is no transaction of a tenant')
  return context
}

/** The tenant of the transaction. */
export const getTenantId = (tx: object): string => getContext(tx).tenantId
