/** Nightly jobs: the review of `suppressed_leads`, and the erasure of leads whose retention has ended. */
import { getInstant } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { type JobContext, job, RequeueJob } from '../../kit/jobs/job.ts'
import { eraseBatch } from './retention.ts'
import { addMissing, removeUnlisted, reviewBatchSize } from './suppressed-leads.ts'

/**
 * Removes leads from `suppressed_leads` if none of their identifiers is on the suppression list any more, and adds
 * leads that were written at the same moment as their entry.
 */
export const reviewSuppressedLeads = job({
  name: 'review-suppressed-leads',
  cron: '17 3 * * *',
  async run(_data, context) {
    await runInBatches(context, removeUnlisted)
    await runInBatches(context, addMissing)
  },
})

/** `runBatch` returns the ids that it has reviewed, in order, beginning after the given id. */
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

/** Erases expired leads once a day. Won leads are kept: other rules apply to the contracts of customers. */
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
