/** Reads the numbers and the current runs of campaigns. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { jsonObject } from '../../../kit/db/json.ts'
import { runColumns } from './run-json.ts'
import type { CampaignRun } from './run-schemas.ts'
import type { CampaignStats } from './schemas.ts'

/**
 * By id, for each of the campaigns. A count per status reads only its part of `campaign_recipients_counts`: one that groups all statuses
 * takes three times as long.
 */
export async function readStats(tx: Tx, ids: readonly string[]): Promise<Map<string, CampaignStats>> {
  const tenantId = getTenantId(tx)
  const count = (status: string) => sql`(
    select count(*) from campaign_recipients r
    where r.tenant_id = ${tenantId} and r.campaign_id = c.id and r.status = ${status})`
  const { rows } = await sql<Omit<CampaignStats, 'recipients'> & { id: string }>`
    select c.id, ${count('waiting')} as waiting, ${count('planned')} + ${count('queued')} as queued,
      ${count('completed')} as completed, ${count('stopped')} as stopped, ${count('skipped')} as skipped, ${count('failed')} as failed
    from unnest(${ids}::uuid[]) as c (id)`.execute(tx)
  return new Map(
    rows.map(({ id, ...stats }) => [
      id,
      { recipients: Object.values(stats).reduce((sum, each) => sum + each, 0), ...stats },
    ]),
  )
}

const currentRunJson = jsonObject(runColumns)

/** The current or else the last run by the id of the campaign. One that has had none is missing. */
export async function readCurrentRuns(tx: Tx, ids: readonly string[]): Promise<Map<string, CampaignRun>> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ campaignId: string; run: CampaignRun }>`
    select r.campaign_id as "campaignId", ${currentRunJson} as run
    from campaigns c cross join lateral (
      select * from campaign_runs n where n.tenant_id = ${tenantId} and n.campaign_id = c.id
      order by n.id desc limit 1) r
    left join extractions e on e.tenant_id = ${tenantId} and e.id = r.extraction_id
    where c.tenant_id = ${tenantId} and c.id = any(${ids}::uuid[])`.execute(tx)
  return new Map(rows.map(({ campaignId, run }) => [campaignId, run]))
}
