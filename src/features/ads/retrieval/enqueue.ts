/** Starts the work on a connection. Its jobs run one after the other. */
import type { Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'

export const retrieveName = 'retrieve-ad-leads'
export const sweepName = 'sweep-ad-leads'

/** The leads that wait are read. They are found each minute in any case, so a job is not repeated. */
export const enqueueRetrieval = (
  tx: Tx,
  connectionId: string,
  { runAt }: { runAt?: Date } = {},
): Promise<void> =>
  enqueue(
    tx,
    retrieveName,
    { connectionId },
    {
      // A later retry must not replace a job that is due now.
      jobKey: `${retrieveName}:${connectionId}${runAt ? ':retry' : ''}`,
      queueName: `ads:${connectionId}`,
      maxAttempts: 1,
      ...(runAt ? { runAt } : {}),
    },
  )

export const enqueueSweep = (tx: Tx, connectionId: string): Promise<void> =>
  enqueue(
    tx,
    sweepName,
    { connectionId },
    { jobKey: `${sweepName}:${connectionId}`, queueName: `ads:${connectionId}`, maxAttempts: 1 },
  )
