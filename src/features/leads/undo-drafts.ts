/** Taking back what an import wrote. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { emitMany } from '../../kit/event.ts'
import { leadDeleted } from './events.ts'
import {
  changesBetween,
  type LeadRow,
  lockRows,
  type RowChanges,
  revertChanges,
  updateRows,
} from './lead-row.ts'
import { takeTurn } from './lead-sources.ts'

export interface WrittenDraft {
  leadId: string
  result: 'created' | 'updated'
  /** Of an updated one. */
  changes: RowChanges | null
}

/** `CHANGED_SINCE`: somebody has worked with it, so it stays, or what they changed does. `GONE`: there is no such lead any more. */
export type UndoneDraft = { undone: boolean; reason: 'CHANGED_SINCE' | 'GONE' | null }

/**
 * Deletes leads that the import created and nobody has touched, and gives the others back what they had, where it still is
 * as the import left it. In the order given, one answer each.
 */
export async function undoDrafts(tx: Tx, importId: string, drafts: WrittenDraft[]): Promise<UndoneDraft[]> {
  if (drafts.length === 0) return []
  await takeTurn(tx)
  const known = await lockRows(
    tx,
    drafts.map(({ leadId }) => leadId),
  )
  const untouched = await findUntouched(tx, drafts)
  const deleted: string[] = []
  const reverted: LeadRow[] = []
  const results = drafts.map(({ leadId, result, changes }): UndoneDraft => {
    const row = known.get(leadId)?.row
    if (!row) return { undone: false, reason: 'GONE' }
    if (result === 'created') {
      if (!untouched.has(leadId)) return { undone: false, reason: 'CHANGED_SINCE' }
      deleted.push(leadId)
      return { undone: true, reason: null }
    }
    const { row: before, isWhole } = revertChanges(row, changes ?? {})
    if (Object.keys(changesBetween(row, before)).length > 0) reverted.push(before)
    return isWhole ? { undone: true, reason: null } : { undone: false, reason: 'CHANGED_SINCE' }
  })
  await updateRows(tx, reverted, new Date())
  await sql`delete from leads where id = any(${deleted}::uuid[])`.execute(tx)
  await sql`
    delete from lead_sources where import_id = ${importId} and lead_id = any(${drafts.map(({ leadId }) => leadId)}::uuid[])
      and not is_primary`.execute(tx)
  await emitMany(
    tx,
    leadDeleted,
    deleted.map(leadId => ({ leadId, mergedIntoLeadId: null })),
  )
  return results
}

async function findUntouched(tx: Tx, drafts: WrittenDraft[]): Promise<Set<string>> {
  const created = drafts.filter(({ result }) => result === 'created').map(({ leadId }) => leadId)
  const { rows } = await sql<{ id: string }>`
    select id from leads where id = any(${created}::uuid[]) and updated_at = created_at`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
