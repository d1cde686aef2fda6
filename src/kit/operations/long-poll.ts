/** Long polls: a reply that waits for something to end, without holding a connection to the database. */

import { singleFlight } from '../batch-calls.ts'
import type { Database, Tx } from '../db/index.ts'
import type { Tenant } from '../db/tenant.ts'
import { Type } from '../schema.ts'

/** A notice is lost while the connection to the database is: so often the state is read all the same. */
export const pollIntervalMs = 5000

/** The query parameter of a route that can wait. */
export const longPollQuery = {
  waitSeconds: Type.Integer({
    minimum: 0,
    maximum: 60,
    default: 0,
    description: 'Wait until it has ended, for at most this number of seconds; 0: do not wait.',
  }),
}

interface LongPollOptions {
  /** Whose changes are told under this topic. */
  topic: string
  hasEnded(tx: Tx): Promise<boolean>
  waitSeconds: number
  signal: AbortSignal
}

/** A crowd that waits for the same thing wakes up together. */
const readOnce = singleFlight<boolean>()

/** Returns when it has ended, at the latest after `waitSeconds`; at once if there is nothing to wait for. */
export async function waitUntilEnded(
  database: Database,
  caller: Tenant,
  { topic, hasEnded, waitSeconds, signal }: LongPollOptions,
): Promise<void> {
  if (waitSeconds === 0) return
  const deadlineMs = performance.now() + waitSeconds * 1000
  // Nobody ends it for the others by going away.
  const { signal: _, ...reader } = caller
  const readHasEnded = () =>
    readOnce(`${caller.tenantId} ${caller.keyId} ${topic}`, () => database.readTenant(reader, hasEnded))
  const watcher = database.notifications.watch(topic)
  try {
    for (;;) {
      const isEnded = await readHasEnded()
      const remainingMs = deadlineMs - performance.now()
      if (isEnded || remainingMs <= 0 || signal.aborted) return
      await watcher.next({ timeoutMs: Math.min(remainingMs, pollIntervalMs), signal })
    }
  } finally {
    watcher.stop()
  }
}
