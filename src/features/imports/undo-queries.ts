/** The SQL statements of an undo. */

import { sql } from 'kysely'
import { sqlMachineNow, sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { notifyProgress } from '../../kit/operations/operation.ts'
import { deleteImportSources } from '../leads/service.ts'
import { importKind } from './operation.ts'
import type { Reason } from './reasons.ts'

export interface RowToUndo {
  number: number
  leadId: string | null
  result: 'created' | 'updated'
  /** The changes of an updated lead; null: the row created the lead, or the lead and its changes are deleted. */
  changes: object | null
  noteId: string | null
}

/**
 * Locks the import, and returns rows that are still to be undone, last ones first, `limit` of them at most. `before`: only
 * rows before this one, because the others are done; null: all rows. Returns null if the import is not being undone.
 */
export async function lockRowsToUndo(
  tx: Tx,
  importId: string,
  before: number | null,
  limit: number,
): Promise<RowToUndo[] | null> {
  const { rows: locked } = await sql`
    select from imports
    where tenant_id = ${getTenantId(tx)} and id = ${importId} and status = 'UNDOING' for update`.execute(tx)
  if (locked.length === 0) return null
  const { rows } = await sql<RowToUndo>`
    select r.number, r.lead_id as "leadId", r.result, c.changes, c.note_id as "noteId"
    from import_rows r
    left join import_changes c on c.tenant_id = r.tenant_id and c.import_id = r.import_id and c.number = r.number
    where r.tenant_id = ${getTenantId(tx)} and r.import_id = ${importId} and r.number < ${before ?? 2 ** 31 - 1}
      and r.result in ('created', 'updated') and r.undone is null
    order by r.number desc limit ${limit}`.execute(tx)
  return rows
}

/** The campaign to which the file of an import that is being undone was uploaded. */
export async function findCampaignToLeave(tx: Tx, importId: string): Promise<string | null> {
  const { rows } = await sql<{ campaignId: string | null }>`
    select campaign_id as "campaignId" from imports
    where tenant_id = ${getTenantId(tx)} and id = ${importId} and status = 'UNDOING'`.execute(tx)
  return rows[0]?.campaignId ?? null
}

/** Stores the results of rows, and adds to the counters. */
export async function saveUndoResults(
  tx: Tx,
  importId: string,
  rows: { number: number; undone: boolean; reason: Reason | null }[],
): Promise<void> {
  await sql`
    update import_rows r set undone = u.undone, reason = u.reason
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as u (number int, undone boolean, reason text)
    where r.tenant_id = ${getTenantId(tx)} and r.import_id = ${importId} and r.number = u.number`.execute(tx)
  const undone = rows.filter(row => row.undone).length
  await sql`
    update imports set undone = undone + ${undone}, not_reverted = not_reverted + ${rows.length - undone}, progressed_at = ${sqlMachineNow}
    where tenant_id = ${getTenantId(tx)} and id = ${importId}`.execute(tx)
}

/** Marks the import as undone. Deletes its stored changes, and itself as a source of leads that it did not create. */
export async function finishUndo(tx: Tx, importId: string): Promise<void> {
  await deleteImportSources(tx, importId)
  await sql`delete from import_changes where tenant_id = ${getTenantId(tx)} and import_id = ${importId}`.execute(
    tx,
  )
  await sql`update imports set status = 'UNDONE', undone_at = ${sqlNow(tx)}, progressed_at = ${sqlMachineNow}, error_code = null, error_message = null
    where tenant_id = ${getTenantId(tx)} and id = ${importId}`.execute(tx)
}

/** Marks an undo as failed, and notifies long polls and streams. Another undo request resumes it. */
export async function failUndo(tx: Tx, importId: string): Promise<void> {
  await sql`
    update imports set status = 'FAILED', progressed_at = ${sqlMachineNow}, error_code = 'INTERNAL',
      error_message = 'The undo stopped before its end. Undone rows stay undone; request the undo again to resume it.'
    where tenant_id = ${getTenantId(tx)} and id = ${importId} and status = 'UNDOING'`.execute(tx)
  notifyProgress(tx, importKind, importId)
}
