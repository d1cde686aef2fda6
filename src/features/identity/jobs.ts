/** Housekeeping of what the kit stores for a tenant. */
import { forgetExpired } from '../../kit/idempotency.ts'
import { job } from '../../kit/jobs/job.ts'

export const forgetIdempotencyKeys = job({
  name: 'forget-idempotency-keys',
  cron: '17 * * * *',
  async run(_data, { database, tenantId }) {
    await database.withTenant({ tenantId }, forgetExpired)
  },
})
