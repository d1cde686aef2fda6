/** What a campaign knows about its search, for other parts of the record. */
import { createId } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'

/**
 * Forgets which listings the search has shown: the next run is a baseline. `dropsDigest`: nobody is to be notified any more; else
 * what was found before is still reported.
 */
export async function resetSearch(tx: Tx, campaignId: string, { dropsDigest = false } = {}): Promise<void> {
  const ofCampaign = sql`tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}`
  const { numAffectedRows } = await sql`
    update campaign_searches set baseline_runs = 0, baseline_at = null
      ${dropsDigest ? sql`, digest_at = null, digested_id = ${createId(tx)}` : sql``}
    where ${ofCampaign}`.execute(tx)
  if (numAffectedRows === 0n) return
  await sql`delete from campaign_search_listings where ${ofCampaign}`.execute(tx)
}
