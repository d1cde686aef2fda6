/** What a transaction knows besides its statements: whose it is, and what is to be done after its commit. */

interface Context {
  tenantId: string
  /** By how much the environment's clock is ahead of the machine's. */
  shiftMs: number
  /** What the machine's clock said when the transaction began, or took its turn. */
  beganMs: number
  hasTurn: boolean
  /** Sent after the commit. */
  notices: Set<string>
}

const contexts = new WeakMap<object, Context>()

/** For whoever opens transactions. */
export function openContext(tx: object, tenantId: string, shiftMs: number): Context {
  const context = { tenantId, shiftMs, beganMs: Date.now(), hasTurn: false, notices: new Set<string>() }
  contexts.set(tx, context)
  return context
}

/** Throws for what is no transaction of `withTenant` or `readTenant`. */
export function contextOf(tx: object): Context {
  const context = contexts.get(tx)
  if (!context) throw new Error('this is no transaction of a tenant')
  return context
}

/** The tenant of the transaction. */
export const tenantIdOf = (tx: object): string => contextOf(tx).tenantId
