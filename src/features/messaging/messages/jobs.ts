/** The job that applies status reports that arrived before their message was known. */
import { type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { applyWaitingStatuses, earlyStatusesName } from './early-statuses.ts'

export const applyEarlyStatuses = job<{ accountId: string }>({
  name: earlyStatusesName,
  async run({ accountId }, { database, tenantId, signal }) {
    while (await database.withTenant({ tenantId }, tx => applyWaitingStatuses(tx, accountId)))
      if (signal.aborted) throw new RequeueJob()
  },
}) as JobDefinition<never>
