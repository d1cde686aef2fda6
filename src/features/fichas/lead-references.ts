/** Keeps the leads of sheets in step with leads that are deleted, merged and unmerged. */
import { getTenantId } from '../../kit/db/context.ts'
import { sql, type Tx } from '../../kit/db/index.ts'

interface Merge {
  leadId: string
  absorbedId: string
}

/** Handles `leadsDeleted`: keeps the sheets, without their lead. */
export async function detachFichas(tx: Tx, leadIds: string[]): Promise<void> {
  await sql`
    update fichas set lead_id = null
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])`.execute(tx)
}

/** Handles `leadsMerged`. */
export async function moveFichas(tx: Tx, { leadId, absorbedId }: Merge): Promise<Record<string, object[]>> {
  const { rows } = await sql<{ id: string }>`
    update fichas set lead_id = ${leadId}
    where tenant_id = ${getTenantId(tx)} and lead_id = ${absorbedId} returning id`.execute(tx)
  return { fichas: rows }
}

/** Handles `mergeUndone`. */
export async function restoreFichas(
  tx: Tx,
  { leadId, absorbedId, saved }: Merge & { saved: Partial<Record<string, object[]>> },
): Promise<void> {
  const ids = ((saved.fichas ?? []) as { id: string }[]).map(({ id }) => id)
  await sql`
    update fichas set lead_id = ${absorbedId}
    where tenant_id = ${getTenantId(tx)} and lead_id = ${leadId} and id = any(${ids}::uuid[])`.execute(tx)
}
