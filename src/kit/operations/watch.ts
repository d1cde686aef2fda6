/** Following an operation as it goes, without holding a connection to the database. */
import { singleFlight } from '../batch-calls.ts'
import type { Database, Tx } from '../db/index.ts'
import type { Tenant } from '../db/tenant.ts'
import { notFound } from '../problem.ts'
import { pollIntervalMs } from './long-poll.ts'
import { findOperationStatus, isActiveStatus, type OperationKind, toTopic } from './operation.ts'

/** At most so many updates a second reach a client. */
const updateIntervalMs = 200

/** For `waitUntilEnded`: when the operation has ended, or is not there. */
export const toEndCondition = (kind: OperationKind, id: string) => ({
  topic: toTopic(kind, id),
  async hasEnded(tx: Tx) {
    const status = await findOperationStatus(tx, kind, id)
    return !status || !isActiveStatus(kind, status)
  },
})

/** Of those who watch one operation with one key, one reads for all. */
const readOnce = singleFlight<string | null>()

interface StreamOptions {
  id: string
  /** The operation as JSON; null if there is none. */
  find(tx: Tx, id: string): Promise<string | null>
  signal: AbortSignal
}

/** The operation at once, then whenever it has changed, until it has ended. Throws 404 if there is none. */
export async function* watchOperation(
  database: Database,
  caller: Tenant,
  kind: OperationKind,
  { id, find, signal }: StreamOptions,
) {
  const topic = toTopic(kind, id)
  const watcher = database.notifications.watch(topic)
  // Nobody ends it for the others by going away.
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
      // Several changes at once are one piece of news.
      await new Promise(resolve => setTimeout(resolve, updateIntervalMs))
    }
  } finally {
    watcher.stop()
  }
}
