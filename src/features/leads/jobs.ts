/** Background work on leads. */
import { operationJob } from '../../kit/operations/run.ts'
import { sweepOperations } from '../../kit/operations/sweep.ts'
import { Problem } from '../../kit/problem.ts'
import { endOperation, runBatch } from './writing/bulk.ts'
import { leadOperationKind, runOperationName } from './writing/operation.ts'

const notFinished = 'It could not be finished. What is done stays done.'

export const runOperation = operationJob<string>({
  name: runOperationName,
  kind: leadOperationKind,
  sliceMs: 30_000,
  claim: async (_tx, id) => id,
  async run(id, slice) {
    const { database, tenantId } = slice
    while (await database.withTenant({ tenantId }, tx => runBatch(tx, id))) await slice.makeWay()
  },
  isFinal: isRefusal,
  fail: (id, error, { database, tenantId }) =>
    database.withTenant({ tenantId }, tx =>
      endOperation(tx, id, {
        status: 'FAILED',
        error: isRefusal(error)
          ? { code: error.code, message: error.message }
          : { code: 'INTERNAL', message: notFinished },
      }),
    ),
})

/** It can't be done, however often it is tried. */
function isRefusal(error: unknown): error is Problem {
  return error instanceof Problem && error.status < 500
}

/** Gives operations that lost their job another one. */
export const sweepLeadOperations = sweepOperations(leadOperationKind, (tx, { id }) =>
  endOperation(tx, id, { status: 'FAILED', error: { code: 'INTERNAL', message: notFinished } }),
)
