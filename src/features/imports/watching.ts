/** When an import has ended, for those who wait for it. */
import type { Tx } from '../../kit/db/index.ts'
import { findStatus } from './queries.ts'
import { topicOf } from './save-batch.ts'
import type { ImportStatus } from './schemas.ts'

/** Nothing is being done with it. */
export const hasEnded = (status: ImportStatus) => !['QUEUED', 'RUNNING', 'UNDOING'].includes(status)

/** For `untilEnded`: when the import has ended, or its undoing has, or it is not there. */
export const endOf = (importId: string) => ({
  topic: topicOf(importId),
  async hasEnded(tx: Tx) {
    const status = await findStatus(tx, importId)
    return !status || hasEnded(status)
  },
})
