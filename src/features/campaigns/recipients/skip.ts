/** Leads that a campaign found but does not write to. */
import { sql } from 'kysely'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { Reason } from './reasons.ts'

/** Adds leads to the ledger as skipped. Those that are in it stay as they are. */
export async function skipLeads(
  tx: Tx,
  campaignId: string,
  leadIds: readonly string[],
  reason: Reason,
): Promise<void> {
  if (leadIds.length === 0) return
  const now = getNow(tx)
  const ids = leadIds.map(() => createId(tx)).sort()
  await sql`
    insert into campaign_recipients
      (tenant_id, id, campaign_id, lead_id, status, reason, joined_at, ended_at, updated_at)
    select ${getTenantId(tx)}::uuid, g.id, ${campaignId}::uuid, g.lead_id, 'skipped', ${JSON.stringify(reason)}::jsonb,
      ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${ids}::uuid[], ${leadIds}::uuid[]) as g (id, lead_id)
    on conflict (tenant_id, campaign_id, lead_id) do nothing`.execute(tx)
}
