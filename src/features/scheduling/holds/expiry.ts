/** Holds expire by themselves, on the environment's clock. */
import type { ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob } from '../../../kit/jobs/job.ts'
import { findNextExpiry, listTenantsWithExpired, releaseExpiredHolds } from './queries.ts'

const releaseAll = (tx: Tx) => releaseExpiredHolds(tx)

export const holdExpiry: ScheduledTask = {
  findNextDueAt: findNextExpiry,
  start: (database, tenantId) => database.withTenant({ tenantId }, releaseAll),
}

export const expireHolds = deploymentJob({
  name: 'expire-holds',
  cron: '* * * * *',
  run: context => forEachTenant(context, listTenantsWithExpired(context.database), releaseAll),
})
