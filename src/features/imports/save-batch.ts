/** Rows that were read, stored in one transaction together with what became of each and the place to go on. */
import { sql, type Tx } from '../../kit/db/index.ts'
import { notifyMoved } from '../../kit/operations/operation.ts'
import { reserveUpTo } from '../../kit/quota.ts'
import { leadsPerMonth, tellImported } from '../leads/service.ts'
import type { GrownColumns } from './columns.ts'
import { marksOf } from './marks.ts'
import { importKind } from './operation.ts'
import type { FailedRow, RowDraft } from './row-draft.ts'
import type { ClaimedImport, StoredRow } from './run-queries.ts'
import * as queries from './run-queries.ts'
import { addWhatIsBeside, type Outcome, saveRows, storedOf } from './save-rows.ts'
import type { RowResult } from './schemas.ts'
import { findTrials, insertTrials } from './trials.ts'

export interface Batch {
  rows: (RowDraft | FailedRow)[]
  /** How far into the file it reaches. */
  bytesRead: number
  /** The columns with those that came up in these rows; null: none did. */
  grown: GrownColumns | null
}

const isDraft = (row: RowDraft | FailedRow): row is RowDraft => 'draft' in row

/** Throws ClaimLost if the import is no longer this run's. Returns how many leads are, or would be, new. */
export async function saveBatch(
  tx: Tx,
  claimed: ClaimedImport,
  createdBefore: number,
  batch: Batch,
): Promise<number> {
  await queries.holdClaim(tx, claimed)
  const drafts = batch.rows.filter(isDraft)
  const saved = claimed.dryRun
    ? await tryDrafts(tx, claimed, drafts, createdBefore)
    : await writeDrafts(tx, claimed, drafts)
  const stored = batch.rows.map((row): StoredRow => {
    const { number, problems } = row
    if (isDraft(row)) return saved.get(number)!
    return { number, problems, result: 'failed', reason: row.failure, repeats: null, leadId: null }
  })
  const counts = countsOf(stored)
  const position = batch.rows.at(-1)!.number
  await Promise.all([
    queries.insertRows(tx, claimed.id, stored),
    queries.advance(tx, claimed.id, { position, bytesRead: batch.bytesRead, counts }),
  ])
  if (batch.grown) await queries.widenMapping(tx, claimed.id, batch.grown)
  notifyMoved(tx, importKind, claimed.id)
  return counts.created
}

function countsOf(rows: StoredRow[]): Record<RowResult, number> {
  const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 }
  for (const { result } of rows) counts[result]++
  return counts
}

/** By row, what became of it. */
type Saved = Map<number, StoredRow>

async function writeDrafts(tx: Tx, claimed: ClaimedImport, drafts: RowDraft[]): Promise<Saved> {
  const outcomes = await saveRows(tx, claimed, drafts, {
    findRows: leadIds => queries.findRowsOfLeads(tx, claimed.id, leadIds),
    isTrial: false,
  })
  const additions = await addWhatIsBeside(tx, claimed, drafts, outcomes)
  await queries.insertChanges(tx, claimed.id, additions.changes)
  await tellImported(tx, claimed.id, additions.changes)
  return storedOf(claimed, drafts, outcomes, additions)
}

/**
 * What would become of drafts. What earlier rows would have left behind is there while it is asked: those that may be about the
 * same are saved, and what all of them take of the quota is taken; and all is taken back before anybody sees it. The drafts
 * themselves are not stored: the dead rows of a large file would be in everybody's way for a while.
 */
async function tryDrafts(
  tx: Tx,
  claimed: ClaimedImport,
  drafts: RowDraft[],
  createdBefore: number,
): Promise<Saved> {
  const marks = new Map(drafts.map(row => [row.number, marksOf(row, claimed.country)]))
  const trials = await findTrials(tx, claimed.id, [...new Set([...marks.values()].flat())])
  await sql`savepoint before_trial`.execute(tx)
  const before = await saveRows(tx, claimed, trials, { findRows: async () => new Map(), isTrial: false })
  const rowsBefore = new Map(
    before.flatMap(({ outcome }, at) => (isNew(outcome) ? [[outcome.leadId, trials[at]!.number]] : [])),
  )
  const taken = createdBefore - rowsBefore.size
  if (taken > 0) await reserveUpTo(tx, leadsPerMonth, taken)
  const outcomes = await saveRows(tx, claimed, drafts, {
    isTrial: true,
    async findRows(leadIds) {
      const rows = await queries.findRowsOfLeads(tx, claimed.id, leadIds)
      for (const leadId of leadIds) if (rowsBefore.has(leadId)) rows.set(leadId, rowsBefore.get(leadId)!)
      return rows
    },
  })
  const ofKnown = drafts.flatMap((row, at) =>
    isNew(outcomes[at]!.outcome) ? [] : [[row, outcomes[at]!] as const],
  )
  const additions = await addWhatIsBeside(
    tx,
    claimed,
    ofKnown.map(([row]) => row),
    ofKnown.map(([, outcome]) => outcome),
  )
  const saved = storedOf(claimed, drafts, outcomes, additions)
  await sql`rollback to savepoint before_trial`.execute(tx)

  const kept = drafts.filter(({ number }) => saved.get(number)!.result !== 'skipped')
  const marked = kept.map(row => ({ ...row, marks: marks.get(row.number)! }))
  await insertTrials(
    tx,
    claimed.id,
    marked.filter(row => row.marks.length > 0),
  )
  const created = outcomes.flatMap(({ outcome }) => (isNew(outcome) ? [outcome.leadId] : []))
  return withoutLeads(saved, new Set([...rowsBefore.keys(), ...created]))
}

/** Of leads that were taken back no row tells. */
function withoutLeads(saved: Saved, gone: Set<string>): Saved {
  return new Map(
    [...saved].map(([number, row]) => [
      number,
      row.leadId !== null && gone.has(row.leadId) ? { ...row, leadId: null } : row,
    ]),
  )
}

function isNew(outcome: Outcome['outcome']): outcome is Outcome['outcome'] & { result: 'created' } {
  return outcome.result === 'created'
}
