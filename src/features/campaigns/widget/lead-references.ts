/** Keeps the submissions in step with leads that are deleted, merged and unmerged. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'

interface Merge {
  leadId: string
  absorbedId: string
}

/** Handles `leadsDeleted`: the proof of a consent is kept as long as the lead. */
export async function deleteSubmissions(tx: Tx, leadIds: string[]): Promise<void> {
  await sql`
    delete from widget_submissions where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])`.execute(
    tx,
  )
}

/** Handles `leadsMerged`. */
export async function moveSubmissions(
  tx: Tx,
  { leadId, absorbedId }: Merge,
): Promise<Record<string, object[]>> {
  const { rows } = await sql<{ id: string }>`
    update widget_submissions set lead_id = ${leadId}
    where tenant_id = ${getTenantId(tx)} and lead_id = ${absorbedId} returning id`.execute(tx)
  return { widgetSubmissions: rows }
}

/** Handles `mergeUndone`. */
export async function restoreSubmissions(
  tx: Tx,
  { leadId, absorbedId, saved }: Merge & { saved: Partial<Record<string, object[]>> },
): Promise<void> {
  const ids = ((saved.widgetSubmissions ?? []) as { id: string }[]).map(({ id }) => id)
  await sql`
    update widget_submissions set lead_id = ${absorbedId}
    where tenant_id = ${getTenantId(tx)} and lead_id = ${leadId} and id = any(${ids}::uuid[])`.execute(tx)
}
