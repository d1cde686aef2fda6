/** Background work on leads. */
import { daysAfter, daysBefore, nowOf } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { firstWithField, forgetField } from '../../kit/events/event-history.ts'
import { lastId } from '../../kit/id.ts'
import { HandBack, job } from '../../kit/jobs/job.ts'
import { jobWait } from '../../kit/jobs/job-wait.ts'
import { operationJob } from '../../kit/operations/run.ts'
import { sweepOperations } from '../../kit/operations/sweep.ts'
import { Problem } from '../../kit/problem.ts'
import { leadDeleted } from './events.ts'
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

const forgottenAtOnce = 500
/** A day longer than the feed and the deliveries of webhooks. */
const externalIdDays = 31

const deletedIds = { type: leadDeleted.type, field: 'externalId' }

/** Empties the external ids of old `lead.deleted` events, once a day. */
export const forgetDeletedIds = job({
  name: 'forget-deleted-ids',
  cron: '11 3 * * *',
  async run(_data, { database, tenantId, signal }) {
    // For as long as the events are sent: then nobody needs it.
    const forget = (tx: Tx) =>
      forgetField(tx, {
        ...deletedIds,
        limit: forgottenAtOnce,
        before: lastId(daysBefore(nowOf(tx), externalIdDays)),
      })
    let forgotten = forgottenAtOnce
    while (forgotten === forgottenAtOnce) {
      if (signal.aborted) throw new HandBack()
      forgotten = await database.withTenant({ tenantId }, forget)
    }
  },
})

export const deletedIdsExpire = jobWait(forgetDeletedIds, async tx => {
  const first = await firstWithField(tx, deletedIds)
  return first && daysAfter(first, externalIdDays)
})
