/** The job that undoes an import, row by row. What has been changed since is kept. */
import type { Tx } from '../../kit/db/index.ts'
import { callHook } from '../../kit/hook.ts'
import { notifyProgress } from '../../kit/operations/operation.ts'
import { defineOperationJob } from '../../kit/operations/run.ts'
import { deleteImportedNotes, type ImportWrite, type UndoResult, undoWrites } from '../leads/service.ts'
import { importOfCampaignUndone } from './hooks.ts'
import { importKind, undoImportName } from './operation.ts'
import * as queries from './undo-queries.ts'

const batchRows = 500

export const undoImport = defineOperationJob<string>({
  name: undoImportName,
  kind: importKind,
  claim: async (_tx, importId) => importId,
  async run(importId, slice) {
    const { database, tenantId } = slice
    while (await database.withTenant({ tenantId }, tx => leaveCampaign(tx, importId)))
      await slice.yieldToOthers()
    let before: number | null = null
    for (;;) {
      before = await database.withTenant({ tenantId }, tx => undoBatch(tx, importId, before))
      if (before === null) return
      await slice.yieldToOthers()
    }
  },
  isFinal: () => false,
  fail: (importId, _error, { database, tenantId }) =>
    database.withTenant({ tenantId }, tx => queries.failUndo(tx, importId)),
})

/** First of all, so that nobody is written to meanwhile. Returns true if more people are to leave. */
async function leaveCampaign(tx: Tx, importId: string): Promise<boolean> {
  const campaignId = await queries.findCampaignToLeave(tx, importId)
  if (campaignId === null) return false
  const [result] = await callHook(tx, importOfCampaignUndone, { campaignId, importId })
  return result!.hasMore
}

/** Undoes a batch of rows before row `before`, last ones first. Returns the number of the earliest one; null: none is left. */
async function undoBatch(tx: Tx, importId: string, before: number | null): Promise<number | null> {
  const rows = await queries.lockRowsToUndo(tx, importId, before, batchRows)
  if (!rows) return null
  if (rows.length === 0) await queries.finishUndo(tx, importId)
  else await queries.saveUndoResults(tx, importId, await undoRows(tx, importId, rows))
  notifyProgress(tx, importKind, importId)
  return rows.at(-1)?.number ?? null
}

/** Undoes rows. A row whose lead has been deleted since is reported as `LEAD_DELETED`. */
async function undoRows(
  tx: Tx,
  importId: string,
  rows: queries.RowToUndo[],
): Promise<({ number: number } & UndoResult)[]> {
  const withLead = rows.flatMap(row => (row.leadId === null ? [] : [{ ...row, leadId: row.leadId }]))
  const inputs = withLead.map(
    ({ leadId, result, changes }): ImportWrite => ({
      leadId,
      result,
      changes: changes as ImportWrite['changes'],
    }),
  )
  const results = await undoWrites(tx, importId, inputs)
  await deleteImportedNotes(
    tx,
    withLead.filter(({ result }) => result === 'updated').map(({ leadId, noteId }) => ({ leadId, noteId })),
  )
  const byRow = new Map(withLead.map(({ number }, index) => [number, results[index]!]))
  return rows.map(({ number }) => ({
    number,
    ...(byRow.get(number) ?? { undone: false, reason: 'LEAD_DELETED' }),
  }))
}
