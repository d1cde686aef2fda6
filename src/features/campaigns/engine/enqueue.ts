/** Enqueues the jobs of the engine. */
import type { Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'

export const queueName = 'queue-campaign-messages'
export const withdrawMessagesName = 'withdraw-campaign-messages'

/** Planned messages that one job queues at a time. */
export const queueBatch = 50
/** Jobs that queue the messages of a campaign beside each other. */
const queueJobsMax = 1

/** Several workers queue what a plan has planned. */
export async function enqueueQueueing(tx: Tx, campaignId: string, count: number): Promise<void> {
  const jobs = Math.min(queueJobsMax, Math.ceil(count / queueBatch))
  for (let job = 0; job < jobs; job += 1)
    await enqueue(tx, queueName, { campaignId }, { jobKey: `${queueName} ${campaignId} ${job}` })
}

/** Withdraws the messages of recipients who have ended. */
export async function enqueueMessageWithdrawal(tx: Tx, messageIds: string[]): Promise<void> {
  if (messageIds.length > 0) await enqueue(tx, withdrawMessagesName, { messageIds })
}
