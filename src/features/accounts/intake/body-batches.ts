/** Stores the bodies that arrive for a tenant at the same time in one transaction. */
import { batchCalls } from '../../../kit/batch-calls.ts'
import type { Cipher } from '../../../kit/crypto.ts'
import type { Database } from '../../../kit/db/index.ts'
import { type ReceivedBody, storeBodies } from './store-body.ts'

/** Admission allows fewer requests of a tenant at a time, so that nothing waits for long. */
const batchOptions = { size: 16, waitingMax: 1000 }

export interface BodyBatches {
  /** Resolves when the body is committed. Returns whether it is new. */
  store(database: Database, tenantId: string, received: ReceivedBody): Promise<boolean>
}

export function createBodyBatches(cipher: Cipher): BodyBatches {
  interface TenantBatches {
    store: (received: ReceivedBody) => Promise<boolean>
    pending: number
  }
  const tenants = new Map<string, TenantBatches>()
  const open = (database: Database, tenantId: string): TenantBatches => {
    const store = batchCalls(
      (received: ReceivedBody[]) =>
        database.withTenant({ tenantId }, tx => storeBodies(tx, cipher, received)),
      batchOptions,
    )
    const opened = { store, pending: 0 }
    tenants.set(tenantId, opened)
    return opened
  }
  return {
    async store(database, tenantId, received) {
      const batches = tenants.get(tenantId) ?? open(database, tenantId)
      batches.pending++
      try {
        return await batches.store(received)
      } finally {
        if (--batches.pending === 0) tenants.delete(tenantId)
      }
    },
  }
}
