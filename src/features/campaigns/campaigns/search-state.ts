/** What a campaign knows about its search, for other parts of the record. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { revokeShares } from '../../shares/service.ts'

/** The kind of the links that end digests. Their objects are subscribers. */
export const digestKind = 'digest'

/** Forgets which listings the search has shown: the next run is a baseline. What was found before is still in the next digest. */
export async function resetSearch(tx: Tx, campaignId: string): Promise<void> {
  const ofCampaign = sql`tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}`
  const { numAffectedRows } = await sql`
    update campaign_searches set baseline_runs = 0, baseline_at = null
    where ${ofCampaign}`.execute(tx)
  if (numAffectedRows === 0n) return
  await sql`delete from campaign_search_listings where ${ofCampaign}`.execute(tx)
}

/** Call it before the campaign is deleted. */
export async function revokeDigestLinks(tx: Tx, campaignId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from campaign_subscribers where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}`.execute(
    tx,
  )
  await revokeShares(
    tx,
    digestKind,
    rows.map(({ id }) => id),
  )
}
