/** Jobs of stored bodies: they start what was forgotten, and delete what is old. */
import { findEarliest, type ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { jobSchedule } from '../../../kit/jobs/job-schedule.ts'
import { deleteOldUse, findNextUseDeletion } from '../budget-queries.ts'
import {
  deleteOldBodies,
  findNextDeletion,
  findNextProcessing,
  listWaitingAccounts,
  listWaitingAccountsOfTenant,
} from './queries.ts'
import { enqueueProcessing } from './store-body.ts'

/** Starts the processing of bodies whose process died right after it had stored them. */
export const resumeBodies = deploymentJob({
  name: 'resume-chat-bodies',
  cron: '* * * * *',
  async run(context) {
    const waiting = Map.groupBy(await listWaitingAccounts(context.database), ({ tenantId }) => tenantId)
    await forEachTenant(context, Promise.resolve([...waiting.keys()]), async (tx, tenantId) => {
      for (const { accountId } of waiting.get(tenantId)!) await enqueueProcessing(tx, accountId)
    })
  },
})

/** A moved clock waits until everything that arrived is processed, and makes retries due. */
export const processingSchedule: ScheduledTask = {
  findNextDueAt: findNextProcessing,
  start: (database, tenantId) =>
    database.withTenant({ tenantId }, async tx => {
      for (const accountId of await listWaitingAccountsOfTenant(tx)) await enqueueProcessing(tx, accountId)
    }),
}

const batchMax = 5000

export const pruneBodies = job({
  name: 'prune-chat-bodies',
  cron: '27 3 * * *',
  async run(_data, { database, tenantId, signal }) {
    await database.withTenant({ tenantId }, deleteOldUse)
    do {
      if (signal.aborted) throw new RequeueJob()
    } while ((await database.withTenant({ tenantId }, tx => deleteOldBodies(tx, batchMax))) === batchMax)
  },
})

export const bodyPruneSchedule = jobSchedule(pruneBodies, async tx =>
  findEarliest([await findNextDeletion(tx), await findNextUseDeletion(tx)]),
)
