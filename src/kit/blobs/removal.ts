/** Removes from the store what no blob has: after a release, and what broken uploads have left. */
import { forEachTenant } from '../jobs/for-each-tenant.ts'
import { type DeploymentJob, deploymentJob, type JobDefinition, job, RequeueJob } from '../jobs/job.ts'
import type { Blobs } from './blobs.ts'
import {
  claimRemovals,
  deleteExpiredHolds,
  deleteRemovals,
  deleteUnreferenced,
  enqueueRemoval,
  listTenantsToCleanUp,
  removeJob,
} from './queries.ts'
import { toBlobKey } from './store.ts'

const batchMax = 50

/** Removes the objects that are to be removed from the store. Removing one twice does nothing. */
export const removeBlobs = (blobs: Pick<Blobs, 'store'>): JobDefinition<never> =>
  job({
    name: removeJob,
    async run(_data, { database, tenantId, signal }) {
      for (;;) {
        const ids = await database.withTenant({ tenantId }, tx => claimRemovals(tx, batchMax))
        if (ids.length === 0) return
        const results = await Promise.allSettled(ids.map(id => blobs.store.remove(toBlobKey(tenantId, id))))
        const removed = ids.filter((_, index) => results[index]!.status === 'fulfilled')
        await database.withTenant({ tenantId }, tx => deleteRemovals(tx, removed))
        const failed = results.find(result => result.status === 'rejected')
        // The queue tries again, and after its last attempt the sweep.
        if (failed) throw failed.reason
        if (signal.aborted) throw new RequeueJob()
      }
    },
  })

/** Ends holds and uploads that have expired, and gives what is left to remove a job again. */
export const cleanUpBlobs: DeploymentJob = deploymentJob({
  name: 'requeue-stalled-blobs',
  cron: '*/10 * * * *',
  run: context =>
    forEachTenant(context, listTenantsToCleanUp(context.database), async tx => {
      await deleteUnreferenced(tx, await deleteExpiredHolds(tx))
      await enqueueRemoval(tx)
    }),
})
