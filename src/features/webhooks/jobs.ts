/** Housekeeping: what was delivered long ago is forgotten. */
import { job } from '../../kit/job.ts'
import { deleteOldDeliveries, keptDays } from './delivery-queries.ts'

const batchMax = 5000

/** Deliveries of events that are older than this are forgotten, and examples with them. */
export const pruneDeliveries = job({
  name: 'prune-webhook-deliveries',
  cron: '43 3 * * *',
  async run(_data, { database, tenantId, signal }) {
    while (!signal.aborted) {
      const deleted = await database.withTenant({ tenantId }, tx =>
        deleteOldDeliveries(tx, keptDays, batchMax),
      )
      if (deleted < batchMax) return
    }
  },
})
