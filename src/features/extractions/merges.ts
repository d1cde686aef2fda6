/** Keeps the processed listings of extractions in step with leads that are deleted, merged and unmerged. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'

interface Merge {
  leadId: string
  absorbedId: string
}

/** Handles `leadsDeleted`: keeps the listings, without their lead. */
export async function detachListings(tx: Tx, leadIds: string[]): Promise<void> {
  await sql`
    update extraction_listings set lead_id = null
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])`.execute(tx)
}

/** Handles `leadsMerged`. Saves nothing for `restoreListings`, which uses the sources that the merge saves. */
export async function moveListings(tx: Tx, { leadId, absorbedId }: Merge): Promise<Record<string, object[]>> {
  await sql`
    update extraction_listings set lead_id = ${leadId}
    where tenant_id = ${getTenantId(tx)} and lead_id = ${absorbedId}`.execute(tx)
  return {}
}

/** Handles `mergeUndone`. */
export async function restoreListings(
  tx: Tx,
  { leadId, absorbedId, sources }: Merge & { sources: object[] },
): Promise<void> {
  await sql`
    update extraction_listings e set lead_id = ${absorbedId}
    from jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) as i (lead_id uuid, platform text, listing_id text), extractions x
    where e.tenant_id = ${getTenantId(tx)} and e.lead_id = ${leadId} and i.lead_id is distinct from ${leadId}
      and x.tenant_id = e.tenant_id and x.id = e.extraction_id and x.platform = i.platform and e.listing_id = i.listing_id`.execute(
    tx,
  )
}
