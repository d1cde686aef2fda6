/** Housekeeping: what will not be sent any more, and what was delivered long ago. */

import type { Tx } from '../../kit/db/index.ts'
import { type JobContext, job, RequeueJob } from '../../kit/jobs/job.ts'
import { jobSchedule } from '../../kit/jobs/job-schedule.ts'
import { deleteOldDeliveries, findNextExpiry, retentionDays } from './delivery-queries.ts'
import { failPending, failPendingName } from './subscription-status.ts'

const batchMax = 5000

/** Fails what a disabled subscription was still to be told. */
export const failPendingWebhooks = job<{ subscriptionId: string }>({
  name: failPendingName,
  run: ({ subscriptionId }, context) => inBatches(context, tx => failPending(tx, subscriptionId, batchMax)),
})

/**
 * Deliveries of events that are older than this are forgotten, and examples with them. What was told to a subscription in the
 * very moment in which it was disabled fails then.
 */
export const pruneDeliveries = job({
  name: 'prune-webhook-deliveries',
  cron: '43 3 * * *',
  async run(_data, context) {
    await inBatches(context, tx => failPending(tx, null, batchMax))
    await inBatches(context, tx => deleteOldDeliveries(tx, retentionDays, batchMax))
  },
})

export const deliveriesExpire = jobSchedule(pruneDeliveries, tx => findNextExpiry(tx, retentionDays))

/** Until one is not full. */
async function inBatches(
  { database, tenantId, signal }: JobContext,
  work: (tx: Tx) => Promise<number>,
): Promise<void> {
  do {
    if (signal.aborted) throw new RequeueJob()
  } while ((await database.withTenant({ tenantId }, work)) === batchMax)
}
