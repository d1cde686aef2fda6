/** Deletes the recipients of a campaign that was deleted, in batches: nobody waits for a hundred thousand of them. */

import { type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { deleteRecipients } from '../campaigns/queries.ts'
import { deleteRecipientsName } from '../recipient-jobs.ts'

export const deleteRecipientsJob = job<{ campaignId: string }>({
  name: deleteRecipientsName,
  async run({ campaignId }, { database, tenantId, signal }) {
    while (await database.withTenant({ tenantId }, tx => deleteRecipients(tx, campaignId)))
      if (signal.aborted) throw new RequeueJob()
  },
}) as JobDefinition<never>
