/** Waiting for an extraction to end, and following it as it goes, without holding a connection to the database. */
import { sharedByKey } from '../../kit/batch.ts'
import type { Database, Tx } from '../../kit/db/index.ts'
import type { Tenant } from '../../kit/db/tenant.ts'
import { notFound } from '../../kit/problem.ts'
import { lookEveryMs } from '../../kit/wait.ts'
import { findExtraction, findStatus } from './queries.ts'
import type { Extraction } from './schemas.ts'
import { topicOf } from './store.ts'

/** At most so many updates a second reach a client. */
const tellEveryMs = 200

const hasEnded = (status: string) => status !== 'QUEUED' && status !== 'RUNNING'

/** For `untilEnded`: when the extraction has ended, or is not there. */
export const endOf = (extractionId: string) => ({
  topic: topicOf(extractionId),
  async hasEnded(tx: Tx) {
    const status = await findStatus(tx, extractionId)
    return !status || hasEnded(status)
  },
})

/** Of those who watch one extraction with one key, one reads for all. */
const share = sharedByKey<string | null>()

/** The state at once, then whenever it has changed, until it has ended. Throws 404 if there is no such extraction. */
export async function* watch(database: Database, caller: Tenant, extractionId: string, signal: AbortSignal) {
  const news = database.changes.watch(topicOf(extractionId))
  // Nobody ends it for the others by going away.
  const { signal: _, ...reader } = caller
  const read = () =>
    share(`${caller.tenantId} ${caller.keyId} ${extractionId}`, () =>
      database.readTenant(reader, tx => findExtraction(tx, extractionId)),
    )
  let told = ''
  try {
    while (!signal.aborted) {
      const json = await read()
      if (!json) throw notFound('extraction')
      const data = JSON.parse(json) as Extraction
      const isOver = hasEnded(data.status)
      if (json !== told || isOver) yield { event: isOver ? ('end' as const) : ('progress' as const), data }
      if (isOver) return
      told = json
      await news.next({ timeoutMs: lookEveryMs, signal })
      // Several changes at once are one piece of news.
      await new Promise(resolve => setTimeout(resolve, tellEveryMs))
    }
  } finally {
    news.stop()
  }
}
