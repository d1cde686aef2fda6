/** Messages that are being sent, for the clock of test environments: the next one of a conversation is not yet due. */
import { scheduledQuery } from '../../../kit/clock/scheduled-tasks.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql } from '../../../kit/db/index.ts'
import { claimLeaseMs } from './claim.ts'

/** The outbox lists a claimed message at the end of its claim. Until then it counts as due since it was claimed. */
export const messagesInFlight = scheduledQuery(async tx => {
  const { rows } = await sql<{ at: Date | null }>`
    select min(claimed_at) as at from messages
    where tenant_id = ${getTenantId(tx)} and next_attempt_at is not null
      and next_attempt_at <= claimed_at + make_interval(secs => ${claimLeaseMs / 1000})`.execute(tx)
  return rows[0]!.at
})
