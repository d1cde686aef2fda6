/** Jobs that fail pending deliveries of disabled subscriptions and delete old deliveries. */

import type { Tx } from '../../kit/db/index.ts'
import { type JobContext, job, RequeueJob } from '../../kit/jobs/job.ts'
import { jobSchedule } from '../../kit/jobs/job-schedule.ts'
import { deleteOldDeliveries, findNextExpiry, retentionDays } from './delivery-queries.ts'
import { failPending, failPendingName } from './subscription-status.ts'

const batchMax = 5000

/** Fails the pending deliveries of a disabled subscription, in batches. */
export const failPendingDeliveries = job<{ subscriptionId: string }>({
  name: failPendingName,
  run: ({ subscriptionId }, context) => inBatches(context, tx => failPending(tx, subscriptionId, batchMax)),
})

/**
 * Deletes old deliveries and test events, every night. Also fails deliveries that were created at the moment when their
 * subscription was disabled.
 */
export const pruneDeliveries = job({
  name: 'prune-webhook-deliveries',
  cron: '43 3 * * *',
  async run(_data, context) {
    await inBatches(context, tx => failPending(tx, null, batchMax))
    await inBatches(context, tx => deleteOldDeliveries(tx, retentionDays, batchMax))
  },
})

export const deliveryPruneSchedule = jobSchedule(pruneDeliveries, tx => findNextExpiry(tx, retentionDays))

/** Repeats `work`, each time in a transaction of its own, until a batch is not full. */
async function inBatches(
  { database, tenantId, signal }: JobContext,
  work: (tx: Tx) => Promise<number>,
): Promise<void> {
  do {
    if (signal.aborted) throw new RequeueJob()
  } while ((await database.withTenant({ tenantId }, work)) === batchMax)
}
