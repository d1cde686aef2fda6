/** Deletes driving times that nobody has needed for a month. */
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob } from '../../../kit/jobs/job.ts'
import { deleteExpiredDrives, listTenantsWithExpiredDrives } from './queries.ts'

export const expireTravelTimes = deploymentJob({
  name: 'expire-travel-times',
  cron: '17 * * * *',
  run: context => forEachTenant(context, listTenantsWithExpiredDrives(context.database), deleteExpiredDrives),
})
