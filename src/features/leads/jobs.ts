/** Background work on leads. */
import { HandBack, job } from '../../kit/job.ts'
import { endOperation, runBatch } from './bulk.ts'

export const runOperationName = 'run-lead-operation'

/** After so long it makes way for others that wait. */
const sliceMs = 30_000

export const runOperation = job<{ operationId: string }>({
  name: runOperationName,
  lane: 'long',
  maxAttempts: 6,
  async run({ operationId }, { database, tenantId, signal, isLastAttempt, othersWait }) {
    const untilMs = performance.now() + sliceMs
    try {
      while (await database.withTenant({ tenantId }, tx => runBatch(tx, operationId))) {
        if (signal.aborted || (performance.now() > untilMs && (await othersWait()))) throw new HandBack()
      }
    } catch (error) {
      if (error instanceof HandBack || !isLastAttempt) throw error
      await database.withTenant({ tenantId }, tx =>
        endOperation(tx, operationId, 'FAILED', 'It could not be finished. What is done stays done.'),
      )
      throw error
    }
  },
})
