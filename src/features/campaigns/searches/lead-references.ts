/** Keeps saved searches in step with leads that are deleted, merged, unmerged and erased. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { ErasedPeople, Traces } from '../../privacy/service.ts'

interface Merge {
  leadId: string
  absorbedId: string
}

/** Handles `leadsDeleted`: the listings stay known, without their lead, so that they are not new again. Their changes go. */
export async function detachSearchListings(tx: Tx, leadIds: string[]): Promise<void> {
  await deleteChangesOfLeads(tx, leadIds)
  await sql`
    update campaign_search_listings set lead_id = null
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])`.execute(tx)
}

/** Handles `leadsMerged`. Saves nothing for `restoreSearchListings`, which uses the sources that the merge saves. */
export async function moveSearchListings(
  tx: Tx,
  { leadId, absorbedId }: Merge,
): Promise<Record<string, object[]>> {
  const tenantId = getTenantId(tx)
  await sql`
    update campaign_search_listings set lead_id = ${leadId}
    where tenant_id = ${tenantId} and lead_id = ${absorbedId}`.execute(tx)
  await sql`
    update campaign_search_changes set lead_id = ${leadId}
    where tenant_id = ${tenantId} and lead_id = ${absorbedId}`.execute(tx)
  return {}
}

/** Handles `mergeUndone`. */
export async function restoreSearchListings(
  tx: Tx,
  { leadId, absorbedId, sources }: Merge & { sources: object[] },
): Promise<void> {
  const tenantId = getTenantId(tx)
  const absorbed = sql`jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) as i (lead_id uuid, platform text, listing_id text)`
  await sql`
    update campaign_search_changes c set lead_id = ${absorbedId} from ${absorbed}
    where c.tenant_id = ${tenantId} and c.lead_id = ${leadId} and i.lead_id is distinct from ${leadId}
      and c.platform = i.platform and c.listing_id = i.listing_id`.execute(tx)
  await sql`
    update campaign_search_listings k set lead_id = ${absorbedId} from ${absorbed}, campaigns c
    where k.tenant_id = ${tenantId} and k.lead_id = ${leadId} and i.lead_id is distinct from ${leadId}
      and c.tenant_id = ${tenantId} and c.id = k.campaign_id and c.platform = i.platform and k.listing_id = i.listing_id`.execute(
    tx,
  )
}

/** Handles `erasePersonData`: nothing of the listings of the leads stays. */
export async function eraseSearchListings(tx: Tx, { leadIds }: ErasedPeople): Promise<Traces> {
  const changes = await deleteChangesOfLeads(tx, leadIds)
  const { rows } = await sql<{ id: string }>`
    delete from campaign_search_listings where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])
    returning campaign_id as id`.execute(tx)
  return { deleted: changes, referenced: [...new Set(rows.map(({ id }) => id))] }
}

async function deleteChangesOfLeads(tx: Tx, leadIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from campaign_search_changes where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}
