/** The nightly job that deletes old messages. */
import { job, RequeueJob } from '../../../kit/jobs/job.ts'
import { deleteOldMessages } from './retention-queries.ts'

export const deleteExpiredMessages = job({
  name: 'delete-expired-messages',
  cron: '23 2 * * *',
  async run(_data, { database, tenantId, signal }) {
    while (await database.withTenant({ tenantId }, deleteOldMessages))
      if (signal.aborted) throw new RequeueJob()
  },
})
