/** Keeps the leads of submissions in step with leads that are deleted, merged and unmerged. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'

interface Merge {
  leadId: string
  absorbedId: string
}

/** Handles `leadsDeleted`: nothing of the person is left. */
export async function detachAdLeads(tx: Tx, leadIds: string[]): Promise<void> {
  await sql`
    update ad_leads set lead_id = null, consent = null
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])`.execute(tx)
}

/** Handles `leadsMerged`. */
export async function moveAdLeads(tx: Tx, { leadId, absorbedId }: Merge): Promise<Record<string, object[]>> {
  const { rows } = await sql<{ id: string }>`
    update ad_leads set lead_id = ${leadId}
    where tenant_id = ${getTenantId(tx)} and lead_id = ${absorbedId} returning id`.execute(tx)
  return { adLeads: rows }
}

/** Handles `mergeUndone`. */
export async function restoreAdLeads(
  tx: Tx,
  { leadId, absorbedId, saved }: Merge & { saved: Partial<Record<string, object[]>> },
): Promise<void> {
  const ids = ((saved.adLeads ?? []) as { id: string }[]).map(({ id }) => id)
  await sql`
    update ad_leads set lead_id = ${absorbedId}
    where tenant_id = ${getTenantId(tx)} and lead_id = ${leadId} and id = any(${ids}::uuid[])`.execute(tx)
}
