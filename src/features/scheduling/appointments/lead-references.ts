/** Keeps the leads of appointments in step with leads that are deleted, merged and unmerged. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

interface Merge {
  leadId: string
  absorbedId: string
}

/** Handles `leadsDeleted`: keeps the appointments, without their lead. */
export async function detachAppointments(tx: Tx, leadIds: string[]): Promise<void> {
  await sql`
    update appointments set lead_id = null
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])`.execute(tx)
}

/** Handles `leadsMerged`. */
export async function moveAppointments(
  tx: Tx,
  { leadId, absorbedId }: Merge,
): Promise<Record<string, object[]>> {
  const { rows } = await sql<{ id: string }>`
    update appointments set lead_id = ${leadId}
    where tenant_id = ${getTenantId(tx)} and lead_id = ${absorbedId} returning id`.execute(tx)
  return { appointments: rows }
}

/** Handles `mergeUndone`. */
export async function restoreAppointments(
  tx: Tx,
  { leadId, absorbedId, saved }: Merge & { saved: Partial<Record<string, object[]>> },
): Promise<void> {
  const ids = ((saved.appointments ?? []) as { id: string }[]).map(({ id }) => id)
  await sql`
    update appointments set lead_id = ${absorbedId}
    where tenant_id = ${getTenantId(tx)} and lead_id = ${leadId} and id = any(${ids}::uuid[])`.execute(tx)
}
