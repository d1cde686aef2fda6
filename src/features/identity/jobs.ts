/** Jobs that delete expired idempotency keys, sessions and tokens. */
import { machineNow } from '../../kit/clock/clock.ts'
import { deleteExpiredReplies } from '../../kit/idempotency.ts'
import { deploymentJob, job } from '../../kit/jobs/job.ts'
import { deleteExpiredSessions } from '../../kit/session.ts'
import { deleteExpiredAttemptsAndTokens } from './sign-in-queries.ts'

export const deleteExpiredIdempotencyKeys = job({
  name: 'delete-expired-idempotency-keys',
  cron: '17 * * * *',
  async run(_data, { database, tenantId }) {
    await database.withTenant({ tenantId }, deleteExpiredReplies)
  },
})

/** Deletes expired sessions and password tokens, and old sign-in attempts. */
export const deleteExpiredSignIns = deploymentJob({
  name: 'delete-expired-sign-ins',
  cron: '23 3 * * *',
  async run({ database: { unscoped } }) {
    await deleteExpiredSessions(unscoped)
    await deleteExpiredAttemptsAndTokens(unscoped, machineNow())
  },
})
