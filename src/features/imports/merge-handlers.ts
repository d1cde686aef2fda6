/** Keeps the records of imports in step with leads that are deleted, merged and unmerged. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'

const jsonList = (row: string, from: string) =>
  sql.raw(`(select coalesce(jsonb_agg(${row}), '[]') from ${from})`)

interface DetachedImportData {
  importRows: object[]
  importChanges: object[]
}

/** Handles `leadsDeleted`: keeps the results of rows, without their lead. What an import changed in a lead is deleted with it. */
export async function detachRows(tx: Tx, leadIds: string[]): Promise<void> {
  await sql`
    update import_rows set lead_id = null
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])`.execute(tx)
}

/** Handles `leadsMerged`: returns the rows of the absorbed lead and their changes, which the merge saves for its undo. */
export async function detachImportData(
  tx: Tx,
  { absorbedId }: { absorbedId: string },
): Promise<Record<string, object[]>> {
  const { rows } = await sql<DetachedImportData>`
    select ${jsonList(`jsonb_build_object('import_id', r.import_id, 'number', r.number)`, 'import_rows r where r.tenant_id = l.tenant_id and r.lead_id = l.id')} as "importRows",
      ${jsonList(`to_jsonb(c) - array['tenant_id', 'lead_id']`, 'import_changes c where c.tenant_id = l.tenant_id and c.lead_id = l.id')} as "importChanges"
    from leads l where l.tenant_id = ${getTenantId(tx)} and l.id = ${absorbedId}`.execute(tx)
  await detachRows(tx, [absorbedId])
  return { ...rows[0]! }
}

/** Handles `mergeUndone`: restores what `detachImportData` returned. Changes of undone imports are not restored. */
export async function reattachImportData(
  tx: Tx,
  { absorbedId, saved }: { absorbedId: string; saved: Partial<Record<string, object[]>> },
): Promise<void> {
  const { importRows = [], importChanges = [] } = saved
  await sql`
    update import_rows r set lead_id = ${absorbedId}
    from jsonb_to_recordset(${JSON.stringify(importRows)}::jsonb) as k (import_id uuid, number int)
    where r.tenant_id = ${getTenantId(tx)} and r.import_id = k.import_id and r.number = k.number and r.lead_id is null`.execute(
    tx,
  )
  await sql`
    insert into import_changes (tenant_id, import_id, number, lead_id, changes, note_id)
    select i.tenant_id, i.id, k.number, ${absorbedId}, k.changes, k.note_id
    from jsonb_to_recordset(${JSON.stringify(importChanges)}::jsonb) as k (import_id uuid, number int, changes jsonb, note_id uuid)
    join imports i on i.tenant_id = ${getTenantId(tx)} and i.id = k.import_id and i.undone_at is null
    on conflict do nothing returning number`.execute(tx)
}
