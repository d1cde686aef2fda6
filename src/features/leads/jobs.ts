/** Background work on leads. */
import { addDays, getNow, subtractDays } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { eraseField, findFirstWithField } from '../../kit/events/event-history.ts'
import { maxIdAt } from '../../kit/id.ts'
import { job, RequeueJob } from '../../kit/jobs/job.ts'
import { jobSchedule } from '../../kit/jobs/job-schedule.ts'
import { defineOperationJob } from '../../kit/operations/run.ts'
import { requeueStalledOperations } from '../../kit/operations/stalled-operations.ts'
import { Problem } from '../../kit/problem.ts'
import { leadDeleted } from './events.ts'
import { endOperation, runBatch } from './writing/bulk.ts'
import { leadOperationKind, runOperationName } from './writing/operation.ts'

const notFinished =
  'The operation failed. Leads that were changed or deleted before stay so. Start a new operation.'

export const runOperation = defineOperationJob<string>({
  name: runOperationName,
  kind: leadOperationKind,
  sliceMs: 30_000,
  claim: async (_tx, id) => id,
  async run(id, slice) {
    const { database, tenantId } = slice
    while (await database.withTenant({ tenantId }, tx => runBatch(tx, id))) await slice.yieldToOthers()
  },
  isFinal: isClientError,
  fail: (id, error, { database, tenantId }) =>
    database.withTenant({ tenantId }, tx =>
      endOperation(tx, id, {
        status: 'FAILED',
        error: isClientError(error)
          ? { code: error.code, message: error.message }
          : { code: 'INTERNAL', message: notFinished },
      }),
    ),
})

/** Retrying does not help. */
function isClientError(error: unknown): error is Problem {
  return error instanceof Problem && error.status < 500
}

/** Enqueues a new job for each operation that has lost its job. */
export const requeueStalledLeadOperations = requeueStalledOperations(leadOperationKind, (tx, { id }) =>
  endOperation(tx, id, { status: 'FAILED', error: { code: 'INTERNAL', message: notFinished } }),
)

const clearBatchSize = 500
/** A day longer than the event feed and webhook deliveries are kept. */
const externalIdDays = 31

const deletedExternalIds = { type: leadDeleted.type, field: 'externalId' }

/** Clears the external ids in `lead.deleted` events after 31 days; runs daily. */
export const clearDeletedExternalIds = job({
  name: 'clear-deleted-external-ids',
  cron: '11 3 * * *',
  async run(_data, { database, tenantId, signal }) {
    // Receivers need the id only as long as the event is delivered.
    const clear = (tx: Tx) =>
      eraseField(tx, {
        ...deletedExternalIds,
        limit: clearBatchSize,
        before: maxIdAt(subtractDays(getNow(tx), externalIdDays)),
      })
    let cleared = clearBatchSize
    while (cleared === clearBatchSize) {
      if (signal.aborted) throw new RequeueJob()
      cleared = await database.withTenant({ tenantId }, clear)
    }
  },
})

export const deletedExternalIdsExpiry = jobSchedule(clearDeletedExternalIds, async tx => {
  const first = await findFirstWithField(tx, deletedExternalIds)
  return first && addDays(first, externalIdDays)
})
