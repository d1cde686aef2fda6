/** The SQL statements for the health of campaigns. */
import { sql } from 'kysely'
import type { HealthCounts } from '../../../domain/campaigns/health.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { refusalCodes } from '../../messaging/service.ts'
import { isWithdrawn } from '../withdrawn.ts'

/** The last messages that count. */
const messagesMax = 200

/**
 * Counts the results of the last messages: of all of them (`isOld` too), and of those that were queued since. What was known before
 * does not count as bad. What somebody withdrew, or did not get round to, is no result.
 */
export async function countResults(tx: Tx, campaignId: string, since: Date): Promise<HealthCounts[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<HealthCounts>`
    select count(*) as total, count(*) filter (where has_failed and not is_blocked) as failed,
      count(*) filter (where has_opted_out) as "optedOut", count(*) filter (where has_failed and is_blocked) as blocked
    from (
      select s.created_at < ${since} as is_old, s.opted_out_at >= ${since} as has_opted_out,
        m.status = 'failed' and coalesce(m.failed_at, s.created_at) >= ${since} as has_failed,
        coalesce(m.failure ->> 'code' = any(${refusalCodes}::text[]), false) as is_blocked
      from campaign_sends s join messages m on m.tenant_id = ${tenantId} and m.id = s.message_id
      where s.tenant_id = ${tenantId} and s.campaign_id = ${campaignId} and m.status in ('sent', 'delivered', 'read', 'failed')
        and not (${isWithdrawn} or coalesce(m.failure ->> 'code' = 'TASK_EXPIRED', false))
      order by s.created_at desc limit ${messagesMax}) last
    join unnest(array[true, false]) as counted (with_old) on counted.with_old or not last.is_old
    group by counted.with_old`.execute(tx)
  return rows
}
