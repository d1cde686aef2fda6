/** Housekeeping: of what the kit stores for a tenant, and of signing in. */
import { machineNow } from '../../kit/clock/clock.ts'
import { forgetExpired } from '../../kit/idempotency.ts'
import { deploymentJob, job } from '../../kit/jobs/job.ts'
import { forgetSessions } from '../../kit/session.ts'
import { forgetExpired as forgetExpiredSignIns } from './sign-in-queries.ts'

export const forgetIdempotencyKeys = job({
  name: 'forget-idempotency-keys',
  cron: '17 * * * *',
  async run(_data, { database, tenantId }) {
    await database.withTenant({ tenantId }, forgetExpired)
  },
})

/** Sessions and tokens that have expired, and attempts of yesterday. */
export const forgetSignIns = deploymentJob({
  name: 'forget-sign-ins',
  cron: '23 3 * * *',
  async run({ database: { outside } }) {
    await forgetSessions(outside)
    await forgetExpiredSignIns(outside, machineNow())
  },
})
