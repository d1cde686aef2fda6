/** Long polls: a reply waits until an operation ends, without holding a database connection. */

import { singleFlight } from '../batch-calls.ts'
import type { Database, Tx } from '../db/index.ts'
import type { Tenant } from '../db/tenant.ts'
import { Type } from '../schema.ts'

/** How often the state is read without a notification, because notifications are lost while the connection is down. */
export const pollIntervalMs = 5000

/** The query parameter of a route that can wait. */
export const longPollQuery = {
  waitSeconds: Type.Integer({
    minimum: 0,
    maximum: 60,
    default: 0,
    description: 'Wait until it has ended, for at most this number of seconds. 0: do not wait.',
  }),
}

interface LongPollOptions {
  /** The notification topic of its changes. */
  topic: string
  hasEnded(tx: Tx): Promise<boolean>
  waitSeconds: number
  signal: AbortSignal
}

/** Requests of one key that wait for the same operation share one read when they wake up. */
const readOnce = singleFlight<boolean>()

/** Returns when the operation has ended, or after `waitSeconds`, or when the signal is aborted. */
export async function waitUntilEnded(
  database: Database,
  caller: Tenant,
  { topic, hasEnded, waitSeconds, signal }: LongPollOptions,
): Promise<void> {
  if (waitSeconds === 0) return
  const deadlineMs = performance.now() + waitSeconds * 1000
  // The read is shared, so it must not be aborted when this caller disconnects.
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
