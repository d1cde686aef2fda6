/** The SQL statement of uploads. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { CampaignRow } from '../campaigns/row.ts'

/** Several files may be stored for a campaign at once, but it does not complete meanwhile. */
export async function lockForUpload(
  tx: Tx,
  id: string,
): Promise<Pick<CampaignRow, 'status' | 'mode'> | undefined> {
  const { rows } = await sql<Pick<CampaignRow, 'status' | 'mode'>>`
    select status, mode from campaigns where tenant_id = ${getTenantId(tx)} and id = ${id} for share`.execute(
    tx,
  )
  return rows[0]
}
