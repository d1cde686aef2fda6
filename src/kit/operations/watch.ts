/** Following an operation as it goes, without holding a connection to the database. */
import { sharedByKey } from '../batch.ts'
import type { Database, Tx } from '../db/index.ts'
import type { Tenant } from '../db/tenant.ts'
import { notFound } from '../problem.ts'
import { findStatus, isActive, type OperationKind, topicOf } from './operation.ts'
import { lookEveryMs } from './wait.ts'

/** At most so many updates a second reach a client. */
const updateEveryMs = 200

/** For `untilEnded`: when the operation has ended, or is not there. */
export const endOf = (kind: OperationKind, id: string) => ({
  topic: topicOf(kind, id),
  async hasEnded(tx: Tx) {
    const status = await findStatus(tx, kind, id)
    return !status || !isActive(kind, status)
  },
})

/** Of those who watch one operation with one key, one reads for all. */
const share = sharedByKey<string | null>()

interface Watched {
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
  { id, find, signal }: Watched,
) {
  const topic = topicOf(kind, id)
  const news = database.changes.watch(topic)
  // Nobody ends it for the others by going away.
  const { signal: _, ...reader } = caller
  const read = () =>
    share(`${caller.tenantId} ${caller.keyId} ${topic}`, () =>
      database.readTenant(reader, tx => find(tx, id)),
    )
  let sent = ''
  try {
    while (!signal.aborted) {
      const json = await read()
      if (!json) throw notFound(kind.name)
      const data = JSON.parse(json) as { status: string }
      const isOver = !isActive(kind, data.status)
      if (json !== sent || isOver) yield { event: isOver ? ('end' as const) : ('progress' as const), data }
      if (isOver) return
      sent = json
      await news.next({ timeoutMs: lookEveryMs, signal })
      // Several changes at once are one piece of news.
      await new Promise(resolve => setTimeout(resolve, updateEveryMs))
    }
  } finally {
    news.stop()
  }
}
