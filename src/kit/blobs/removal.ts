/** Removes from the store what no blob has: after a release, and what broken uploads have left. */
import { inEachTenant } from '../jobs/each-tenant.ts'
import { type DeploymentJob, deploymentJob, HandBack, type JobDefinition, job } from '../jobs/job.ts'
import type { Blobs } from './blobs.ts'
import {
  claimRemovals,
  deleteExpiredHolds,
  deleteRemovals,
  deleteUnreferenced,
  enqueueRemoval,
  listTenantsToSweep,
  removeJob,
} from './queries.ts'
import { keyOf } from './store.ts'

const batchMax = 50

/** Removes the objects that are to be removed from the store. Removing one twice does nothing. */
export const removeBlobs = (blobs: Pick<Blobs, 'store'>): JobDefinition<never> =>
  job({
    name: removeJob,
    async run(_data, { database, tenantId, signal }) {
      for (;;) {
        const ids = await database.withTenant({ tenantId }, tx => claimRemovals(tx, batchMax))
        if (ids.length === 0) return
        const results = await Promise.allSettled(ids.map(id => blobs.store.remove(keyOf(tenantId, id))))
        const removed = ids.filter((_, at) => results[at]!.status === 'fulfilled')
        await database.withTenant({ tenantId }, tx => deleteRemovals(tx, removed))
        const failed = results.find(result => result.status === 'rejected')
        // The queue tries again, and after its last attempt the sweep.
        if (failed) throw failed.reason
        if (signal.aborted) throw new HandBack()
      }
    },
  })

/** Ends holds and uploads that have expired, and gives what is left to remove a job again. */
export const sweepBlobs: DeploymentJob = deploymentJob({
  name: 'sweep-blobs',
  cron: '*/10 * * * *',
  run: context =>
    inEachTenant(context, listTenantsToSweep(context.database), async tx => {
      await deleteUnreferenced(tx, await deleteExpiredHolds(tx))
      await enqueueRemoval(tx)
    }),
})
