/** Plans the check of an account with its provider. */
import type { Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'

export const checkName = 'check-chat-account'
const maxAttempts = 3

/** `runAt`: default: as soon as the transaction has committed. */
export const enqueueCheck = (tx: Tx, accountId: string, { runAt }: { runAt?: Date } = {}): Promise<void> =>
  enqueue(
    tx,
    checkName,
    { accountId },
    { jobKey: `${checkName}:${accountId}`, maxAttempts, ...(runAt ? { runAt } : {}) },
  )
