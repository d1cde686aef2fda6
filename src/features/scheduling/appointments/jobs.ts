/** The nightly job that erases visitors without a lead after the retention period of the workspace. */
import { job, RequeueJob } from '../../../kit/jobs/job.ts'
import { eraseVisitors } from './retention.ts'

export const eraseExpiredVisitors = job({
  name: 'erase-expired-visitors',
  cron: '47 2 * * *',
  async run(_data, { database, tenantId, signal }) {
    while (await database.withTenant({ tenantId }, eraseVisitors)) if (signal.aborted) throw new RequeueJob()
  },
})
