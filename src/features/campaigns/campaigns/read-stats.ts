/** Reads the numbers and the current runs of campaigns. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { CampaignRun, CampaignStats } from './schemas.ts'

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

/** By the id of the campaign; one without a current run is missing. */
export async function readCurrentRuns(tx: Tx, ids: readonly string[]): Promise<Map<string, CampaignRun>> {
  const { rows } = await sql<CampaignRun & { campaignId: string }>`
    select campaign_id as "campaignId", id, extraction_id as "extractionId", joined, aldaba.iso_time(started_at) as "startedAt"
    from campaign_runs
    where tenant_id = ${getTenantId(tx)} and campaign_id = any(${ids}::uuid[]) and status = 'running'`.execute(
    tx,
  )
  return new Map(rows.map(({ campaignId, ...run }) => [campaignId, run]))
}
