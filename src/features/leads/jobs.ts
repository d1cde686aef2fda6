/** Background work on leads. */
import { isDatabaseAway, type Tx } from '../../kit/db/index.ts'
import { enqueue } from '../../kit/jobs/enqueue.ts'
import { HandBack, job } from '../../kit/jobs/job.ts'
import { sweepJob } from '../../kit/jobs/lost-work.ts'
import { Problem } from '../../kit/problem.ts'
import { endOperation, runBatch } from './writing/bulk.ts'

const runOperationName = 'run-lead-operation'

/** An error that nobody foresaw is tried again so often: within minutes, not days. */
const attemptsMax = 6
/** After so long it makes way for others that wait. */
const sliceMs = 30_000
const notFinished = 'It could not be finished. What is done stays done.'

export const runOperation = job<{ operationId: string }>({
  name: runOperationName,
  lane: 'long',
  maxAttempts: attemptsMax,
  async run({ operationId }, { database, tenantId, signal, isLastAttempt, othersWait }) {
    const untilMs = performance.now() + sliceMs
    try {
      while (await database.withTenant({ tenantId }, tx => runBatch(tx, operationId))) {
        if (signal.aborted || (performance.now() > untilMs && (await othersWait()))) throw new HandBack()
      }
    } catch (error) {
      if (error instanceof HandBack || isDatabaseAway(error)) throw error
      if (error instanceof Problem && error.status < 500) {
        // It can't be done, however often it is tried.
        await database.withTenant({ tenantId }, tx => endOperation(tx, operationId, 'FAILED', error.message))
        return
      }
      if (!isLastAttempt) throw error
      await database.withTenant({ tenantId }, tx => endOperation(tx, operationId, 'FAILED', notFinished))
      throw error
    }
  },
})

/** To be called in the transaction that wants it done. */
export function enqueueOperation(tx: Tx, operationId: string): Promise<void> {
  return enqueue(tx, runOperationName, { operationId }, { maxAttempts: attemptsMax })
}

/** Takes up operations whose job got lost. */
export const sweepOperations = sweepJob({
  name: 'sweep-lead-operations',
  table: 'lead_operations',
  idName: 'operationId',
  jobNames: [runOperationName],
  statuses: ['QUEUED', 'RUNNING'],
  movedAt: 'moved_at',
  async takeUp(tx, { id, isLast }) {
    if (isLast) await endOperation(tx, id, 'FAILED', notFinished)
    else await enqueueOperation(tx, id)
  },
})
