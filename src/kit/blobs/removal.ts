/** Jobs that remove objects without a blob from the store: after a release, and after failed uploads. */
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
  removeBlobsJobName,
} from './queries.ts'
import { toBlobKey } from './store.ts'

const batchMax = 50

/** The job that removes objects from the store. Removing an object twice does nothing. */
export const removeBlobs = (blobs: Pick<Blobs, 'store'>): JobDefinition<never> =>
  job({
    name: removeBlobsJobName,
    // The store may be a server.
    workerPool: 'remote',
    async run(_data, { database, tenantId, signal }) {
      for (;;) {
        const ids = await database.withTenant({ tenantId }, tx => claimRemovals(tx, batchMax))
        if (ids.length === 0) return
        const results = await Promise.allSettled(ids.map(id => blobs.store.remove(toBlobKey(tenantId, id))))
        const removed = ids.filter((_, index) => results[index]!.status === 'fulfilled')
        await database.withTenant({ tenantId }, tx => deleteRemovals(tx, removed))
        const failed = results.find(result => result.status === 'rejected')
        // The queue retries; after the last attempt, `cleanUpBlobs` does.
        if (failed) throw failed.reason
        if (signal.aborted) throw new RequeueJob()
      }
    },
  })

/** Every ten minutes: ends expired holds and uploads, and enqueues a job for objects that are still to be removed. */
export const cleanUpBlobs: DeploymentJob = deploymentJob({
  name: 'clean-up-blobs',
  cron: '*/10 * * * *',
  run: context =>
    forEachTenant(context, listTenantsToCleanUp(context.database), async tx => {
      await deleteUnreferenced(tx, await deleteExpiredHolds(tx))
      await enqueueRemoval(tx)
    }),
})
