/** Takes back what an import wrote, row by row; what somebody has changed since stays. */
import { notifyAtCommit } from '../../kit/db/changes.ts'
import { isDatabaseAway, type Tx } from '../../kit/db/index.ts'
import { HandBack, job } from '../../kit/jobs/job.ts'
import { takeBackNotes, type UndoneDraft, undoDrafts, type WrittenDraft } from '../leads/service.ts'
import { attemptsMax } from './jobs.ts'
import { topicOf } from './save-batch.ts'
import * as queries from './undo-queries.ts'

export const undoImportName = 'undo-import'

const batchRows = 500
/** After so long it makes way for others that wait, and goes on when its turn comes again. */
const sliceMs = 60_000

export const undoImport = job<{ importId: string }>({
  name: undoImportName,
  lane: 'long',
  maxAttempts: attemptsMax,
  async run({ importId }, { database, tenantId, signal, attempt, isLastAttempt, othersWait, log }) {
    const sliceEndsMs = performance.now() + sliceMs
    try {
      let before: number | null = null
      for (;;) {
        before = await database.withTenant({ tenantId }, tx => undoBatch(tx, importId, before))
        if (before === null) return
        if (signal.aborted) throw new HandBack()
        if (performance.now() > sliceEndsMs && (attempt > 1 || (await othersWait()))) throw new HandBack()
      }
    } catch (error) {
      if (error instanceof HandBack || isDatabaseAway(error) || !isLastAttempt) throw error
      log.warn({ err: error, importId }, 'an import could not be undone')
      await database.withTenant({ tenantId }, tx => queries.leaveUndoing(tx, importId))
    }
  },
})

/** Undoes rows before that one, and returns the first of them; null: nothing is left. */
async function undoBatch(tx: Tx, importId: string, before: number | null): Promise<number | null> {
  const rows = await queries.takeRowsToUndo(tx, importId, before, batchRows)
  if (!rows) return null
  if (rows.length === 0) await queries.finishUndoing(tx, importId)
  else await queries.markUndone(tx, importId, await undoRows(tx, importId, rows))
  await notifyAtCommit(tx, topicOf(importId))
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
