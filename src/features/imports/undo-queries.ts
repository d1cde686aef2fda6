/** The SQL statements of undoing. */

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
  /** Of an updated lead; null: the lead is gone, and what was changed with it. */
  changes: object | null
  noteId: string | null
}

/**
 * Rows that are still to be undone, the last ones first, and not more than `limit`; locks the import. `before`: all from this
 * row on are done; null: nobody knows. Null: it is not being undone.
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

/** Notes what became of rows, and how many it was. */
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

/** What it changed is not needed any more; nor that it has seen leads which it left as they were. */
export async function finishUndo(tx: Tx, importId: string): Promise<void> {
  await deleteImportSources(tx, importId)
  await sql`delete from import_changes where tenant_id = ${getTenantId(tx)} and import_id = ${importId}`.execute(
    tx,
  )
  await sql`update imports set status = 'UNDONE', undone_at = ${sqlNow(tx)}, progressed_at = ${sqlMachineNow}, error_code = null, error_message = null
    where tenant_id = ${getTenantId(tx)} and id = ${importId}`.execute(tx)
}

/** It could not be undone to its end; asked for again, it goes on. Tells those who wait. */
export async function failUndo(tx: Tx, importId: string): Promise<void> {
  await sql`
    update imports set status = 'FAILED', progressed_at = ${sqlMachineNow}, error_code = 'INTERNAL',
      error_message = 'It could not be undone to its end. What is undone stays undone; ask for it again to go on.'
    where tenant_id = ${getTenantId(tx)} and id = ${importId} and status = 'UNDOING'`.execute(tx)
  notifyProgress(tx, importKind, importId)
}
