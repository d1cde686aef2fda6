/** Housekeeping: which leads are noted to be on the suppression list, and which have been kept for long enough. */
import { getInstant } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { type JobContext, job, RequeueJob } from '../../kit/jobs/job.ts'
import { eraseBatch } from './retention.ts'
import { addMissing, removeUnlisted, reviewBatchSize } from './suppressed-leads.ts'

/**
 * Takes out leads of which no identifier is on the list any more, and notes those that were written in the very moment in which
 * the entry was.
 */
export const reviewSuppressedLeads = job({
  name: 'review-suppressed-leads',
  cron: '17 3 * * *',
  async run(_data, context) {
    await runInBatches(context, removeUnlisted)
    await runInBatches(context, addMissing)
  },
})

/** `runBatch` returns the ids that it has looked at, in order, after the one that it is given. */
async function runInBatches(
  { database, tenantId, signal }: JobContext,
  runBatch: (tx: Tx, after: string) => Promise<string[]>,
): Promise<void> {
  let after: string | undefined = '00000000-0000-0000-0000-000000000000'
  while (after) {
    if (signal.aborted) throw new RequeueJob()
    const cursor: string = after
    const ids = await database.withTenant({ tenantId }, tx => runBatch(tx, cursor))
    after = ids.length < reviewBatchSize ? undefined : ids.at(-1)
  }
}

/** Erases what has expired, once a day. Whoever was won is a customer: a contract is kept by rules of its own. */
export const eraseExpiredLeads = job({
  name: 'erase-expired-leads',
  cron: '41 2 * * *',
  async run(_data, { database, tenantId, signal }) {
    let after: string | null = ''
    while (after !== null) {
      if (signal.aborted) throw new RequeueJob()
      const cursor: string = after
      after = await database.withTenant({ tenantId }, tx => eraseBatch(tx, cursor, getInstant(tx)))
    }
  },
})
