/** Closes the current run of a campaign before it has checked everything. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { cancelExtraction } from '../../extractions/service.ts'

/** Cancels the extraction of the current run: what is pending is dropped. The run ends when the leads found so far have joined. Returns false if none is going on. */
export async function closeRun(tx: Tx, campaignId: string): Promise<boolean> {
  const { rows } = await sql<{ extractionId: string }>`
    select extraction_id as "extractionId" from campaign_runs
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and status = 'running' and extraction_id is not null`.execute(
    tx,
  )
  let isClosed = false
  for (const { extractionId } of rows) if (await cancelExtraction(tx, extractionId)) isClosed = true
  return isClosed
}
