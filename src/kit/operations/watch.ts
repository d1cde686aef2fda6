/** Streams the progress of an operation without holding a database connection. */
import { singleFlight } from '../batch-calls.ts'
import type { Database, Tx } from '../db/index.ts'
import type { Tenant } from '../db/tenant.ts'
import { notFound } from '../problem.ts'
import { pollIntervalMs } from './long-poll.ts'
import { findOperationStatus, isActiveStatus, type OperationKind, toTopic } from './operation.ts'

/** The shortest time between two updates to a client. */
const updateIntervalMs = 200

/** The condition for `waitUntilEnded`: the operation has ended or does not exist. */
export const toEndCondition = (kind: OperationKind, id: string) => ({
  topic: toTopic(kind, id),
  async hasEnded(tx: Tx) {
    const status = await findOperationStatus(tx, kind, id)
    return !status || !isActiveStatus(kind, status)
  },
})

/** Streams of one operation with one key share each read. */
const readOnce = singleFlight<string | null>()

interface StreamOptions {
  id: string
  /** The operation as JSON; null if it does not exist. */
  find(tx: Tx, id: string): Promise<string | null>
  signal: AbortSignal
}

/**
 * Yields the operation at once and after each change, until it has ended. Throws 404 NOT_FOUND if it does not exist.
 */
export async function* watchOperation(
  database: Database,
  caller: Tenant,
  kind: OperationKind,
  { id, find, signal }: StreamOptions,
) {
  const topic = toTopic(kind, id)
  const watcher = database.notifications.watch(topic)
  // The read is shared, so it must not be aborted when this caller disconnects.
  const { signal: _, ...reader } = caller
  const read = () =>
    readOnce(`${caller.tenantId} ${caller.keyId} ${topic}`, () =>
      database.readTenant(reader, tx => find(tx, id)),
    )
  let sent = ''
  try {
    while (!signal.aborted) {
      const json = await read()
      if (!json) throw notFound(kind.name)
      const data = JSON.parse(json) as { status: string }
      const isEnded = !isActiveStatus(kind, data.status)
      if (json !== sent || isEnded) yield { event: isEnded ? ('end' as const) : ('progress' as const), data }
      if (isEnded) return
      sent = json
      await watcher.next({ timeoutMs: pollIntervalMs, signal })
      // Merges several changes within a short time into one update.
      await new Promise(resolve => setTimeout(resolve, updateIntervalMs))
    }
  } finally {
    watcher.stop()
  }
}
