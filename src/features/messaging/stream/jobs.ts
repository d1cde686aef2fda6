/** Deletes recorded changes from which no client can resume any more. */
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob } from '../../../kit/jobs/job.ts'
import { deleteOldChanges, listTenantsWithOldChanges } from './read-changes.ts'

/** Every hour, in batches: some thousand of a tenant in each round. */
export const pruneInboxChanges = deploymentJob({
  name: 'prune-inbox-changes',
  cron: '17 * * * *',
  async run(context) {
    for (let hasMore = true; hasMore; ) {
      hasMore = false
      await forEachTenant(context, listTenantsWithOldChanges(context.database), async tx => {
        hasMore = (await deleteOldChanges(tx)) || hasMore
      })
    }
  },
})
