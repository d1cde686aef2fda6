/** Stores the bodies that arrive for a tenant at the same time in one transaction. */
import { batchCalls } from '../../../kit/batch-calls.ts'
import type { Cipher } from '../../../kit/crypto.ts'
import { type Database, isDatabaseUnavailable } from '../../../kit/db/index.ts'
import { type ReceivedBody, storeBodies } from './store-body.ts'

/** Admission allows fewer requests of a tenant at a time, so that nothing waits for long. */
const batchOptions = { size: 16, waitingMax: 1000 }
/** From so many on, the process has no time for other work. */
const backlogMin = 8

type Stored = { isNew: boolean } | { error: unknown }

export interface BodyBatches {
  /** Resolves when the body is committed. Returns whether it is new. */
  store(database: Database, tenantId: string, received: ReceivedBody): Promise<boolean>
  /** True while many bodies are being stored, of all tenants. */
  hasBacklog(): boolean
}

export function createBodyBatches(cipher: Cipher): BodyBatches {
  interface TenantBatches {
    store: (received: ReceivedBody) => Promise<Stored>
    pending: number
  }
  const tenants = new Map<string, TenantBatches>()
  let pending = 0
  const open = (database: Database, tenantId: string): TenantBatches => {
    const storeTogether = async (received: ReceivedBody[]): Promise<Stored[]> => {
      const stored = await database.withTenant({ tenantId }, tx => storeBodies(tx, cipher, received))
      return stored.map(isNew => ({ isNew }))
    }
    const storeAll = async (received: ReceivedBody[]): Promise<Stored[]> => {
      try {
        return await storeTogether(received)
      } catch (error) {
        if (received.length === 1 || isDatabaseUnavailable(error)) throw error
      }
      // One of them may be to blame.
      const stored: Stored[] = []
      for (const one of received)
        stored.push(...(await storeTogether([one]).catch((error: unknown) => [{ error }])))
      return stored
    }
    const opened = { store: batchCalls(storeAll, batchOptions), pending: 0 }
    tenants.set(tenantId, opened)
    return opened
  }
  return {
    async store(database, tenantId, received) {
      const batches = tenants.get(tenantId) ?? open(database, tenantId)
      batches.pending++
      pending++
      try {
        const stored = await batches.store(received)
        if ('error' in stored) throw stored.error
        return stored.isNew
      } finally {
        pending--
        if (--batches.pending === 0) tenants.delete(tenantId)
      }
    },
    hasBacklog: () => pending >= backlogMin,
  }
}
