/** The SQL statements for the health of campaigns. */
import { sql } from 'kysely'
import type { HealthCounts } from '../../../domain/campaigns/health.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { refusalCodes } from '../../messaging/service.ts'

/** The last messages that count. */
const messagesMax = 200

/** Results of messages since the campaign was last started. */
export async function countResults(tx: Tx, campaignId: string, since: Date): Promise<HealthCounts> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<HealthCounts>`
    select count(*) as total, count(*) filter (where status = 'failed' and not is_blocked) as failed,
      count(*) filter (where opted_out_at is not null) as "optedOut", count(*) filter (where is_blocked) as blocked
    from (
      select m.status, s.opted_out_at, coalesce(m.failure ->> 'code' = any(${refusalCodes}::text[]), false) as is_blocked
      from campaign_sends s join messages m on m.tenant_id = ${tenantId} and m.id = s.message_id
      where s.tenant_id = ${tenantId} and s.campaign_id = ${campaignId} and s.created_at >= ${since}
        and m.status in ('sent', 'delivered', 'read', 'failed')
      order by s.created_at desc limit ${messagesMax}) last`.execute(tx)
  return rows[0]!
}
