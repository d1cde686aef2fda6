/** Takes back what an import wrote, row by row; what somebody has changed since stays. */
import type { Tx } from '../../kit/db/index.ts'
import { notifyMoved } from '../../kit/operations/operation.ts'
import { operationJob } from '../../kit/operations/run.ts'
import { takeBackNotes, type UndoneDraft, undoDrafts, type WrittenDraft } from '../leads/service.ts'
import { importKind, undoImportName } from './operation.ts'
import * as queries from './undo-queries.ts'

const batchRows = 500

export const undoImport = operationJob<string>({
  name: undoImportName,
  kind: importKind,
  claim: async (_tx, importId) => importId,
  async run(importId, slice) {
    const { database, tenantId } = slice
    let before: number | null = null
    for (;;) {
      before = await database.withTenant({ tenantId }, tx => undoBatch(tx, importId, before))
      if (before === null) return
      await slice.makeWay()
    }
  },
  isFinal: () => false,
  fail: (importId, _error, { database, tenantId }) =>
    database.withTenant({ tenantId }, tx => queries.leaveUndoing(tx, importId)),
})

/** Undoes rows before that one, and returns the first of them; null: nothing is left. */
async function undoBatch(tx: Tx, importId: string, before: number | null): Promise<number | null> {
  const rows = await queries.takeRowsToUndo(tx, importId, before, batchRows)
  if (!rows) return null
  if (rows.length === 0) await queries.finishUndoing(tx, importId)
  else await queries.markUndone(tx, importId, await undoRows(tx, importId, rows))
  notifyMoved(tx, importKind, importId)
  return rows.at(-1)?.number ?? null
}

/** A row whose lead somebody has deleted since can not be undone, and need not. */
async function undoRows(
  tx: Tx,
  importId: string,
  rows: queries.RowToUndo[],
): Promise<({ number: number } & UndoneDraft)[]> {
  const there = rows.flatMap(row => (row.leadId === null ? [] : [{ ...row, leadId: row.leadId }]))
  const drafts = there.map(
    ({ leadId, result, changes }): WrittenDraft => ({
      ...{ leadId, result },
      changes: changes as WrittenDraft['changes'],
    }),
  )
  const answers = await undoDrafts(tx, importId, drafts)
  await takeBackNotes(
    tx,
    there.filter(({ result }) => result === 'updated').map(({ leadId, noteId }) => ({ leadId, noteId })),
  )
  const byRow = new Map(there.map(({ number }, index) => [number, answers[index]!]))
  return rows.map(({ number }) => ({ number, ...(byRow.get(number) ?? { undone: false, reason: 'GONE' }) }))
}
