/** Reads the numbers and the current runs of campaigns. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { jsonObject } from '../../../kit/db/json.ts'
import { runColumns } from './run-json.ts'
import type { CampaignRun } from './run-schemas.ts'
import type { CampaignStats } from './schemas.ts'

/** By id, for each of the campaigns. */
export async function readStats(tx: Tx, ids: readonly string[]): Promise<Map<string, CampaignStats>> {
  const { rows } = await sql<CampaignStats & { id: string }>`
    select campaign_id as id, count(*) as recipients, count(*) filter (where status = 'waiting') as waiting,
      count(*) filter (where status in ('planned', 'queued')) as queued, count(*) filter (where status = 'completed') as completed,
      count(*) filter (where status = 'stopped') as stopped, count(*) filter (where status = 'skipped') as skipped,
      count(*) filter (where status = 'failed') as failed
    from campaign_recipients where tenant_id = ${getTenantId(tx)} and campaign_id = any(${ids}::uuid[])
    group by campaign_id`.execute(tx)
  const none = { recipients: 0, waiting: 0, queued: 0, completed: 0, stopped: 0, skipped: 0, failed: 0 }
  return new Map([
    ...ids.map(id => [id, none] as const),
    ...rows.map(({ id, ...stats }) => [id, stats] as const),
  ])
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
