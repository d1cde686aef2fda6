/** Housekeeping: what will not be sent any more, and what was delivered long ago. */

import type { Tx } from '../../kit/db/index.ts'
import { HandBack, type JobContext, job } from '../../kit/jobs/job.ts'
import { jobWait } from '../../kit/jobs/job-wait.ts'
import { deleteOldDeliveries, keptDays, nextOldAt } from './delivery-queries.ts'
import { failPending, failPendingName } from './disabling.ts'

const batchMax = 5000

/** Fails what a disabled subscription was still to be told. */
export const failPendingWebhooks = job<{ webhookId: string }>({
  name: failPendingName,
  run: ({ webhookId }, context) => inBatches(context, tx => failPending(tx, webhookId, batchMax)),
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
    await inBatches(context, tx => deleteOldDeliveries(tx, keptDays, batchMax))
  },
})

export const deliveriesExpire = jobWait(pruneDeliveries, tx => nextOldAt(tx, keptDays))

/** Until one is not full. */
async function inBatches(
  { database, tenantId, signal }: JobContext,
  work: (tx: Tx) => Promise<number>,
): Promise<void> {
  do {
    if (signal.aborted) throw new HandBack()
  } while ((await database.withTenant({ tenantId }, work)) === batchMax)
}
