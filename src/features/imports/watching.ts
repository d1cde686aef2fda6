/** Waiting for an import to end, without holding a connection to the database. */
import type { Database } from '../../kit/db/index.ts'
import type { Tenant } from '../../kit/db/tenant.ts'
import { findStatus } from './queries.ts'
import { topicOf } from './save-batch.ts'
import type { ImportStatus } from './schemas.ts'

/** A notice is lost while the connection to the database is: so often the state is read all the same. */
const lookEveryMs = 5000

/** Nothing is being done with it. */
export const hasEnded = (status: ImportStatus) => !['QUEUED', 'RUNNING', 'UNDOING'].includes(status)

/** Returns when the import has ended, or its undoing has, or it is not there; at the latest after `timeoutMs`. */
export async function untilEnded(
  database: Database,
  caller: Tenant,
  importId: string,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs
  const news = database.changes.watch(topicOf(importId))
  try {
    for (;;) {
      const status = await database.readTenant(caller, tx => findStatus(tx, importId))
      const leftMs = deadlineMs - performance.now()
      if (!status || hasEnded(status) || leftMs <= 0 || signal.aborted) return
      await news.next({ timeoutMs: Math.min(leftMs, lookEveryMs), signal })
    }
  } finally {
    news.stop()
  }
}
