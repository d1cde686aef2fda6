/** Rows that were read, stored in one transaction together with what became of each and the place to go on. */
import { notifyChange } from '../../kit/db/changes.ts'
import { sql, type Tx } from '../../kit/db/index.ts'
import { reserveUpTo } from '../../kit/quota.ts'
import { addBases, addNotes, type SavedDraft, saveDrafts } from '../leads/service.ts'
import { marksOf } from './marks.ts'
import type { FailedRow, RowDraft } from './row-draft.ts'
import type { ClaimedImport, StoredChange, StoredRow } from './run-queries.ts'
import * as queries from './run-queries.ts'
import type { RowResult } from './schemas.ts'

/** Told at every step of an import, and when it ends. */
export const topicOf = (importId: string) => `import:${importId}`

/** What is written beside a lawful basis that a row brings, and by which undoing knows it. */
export const proofOf = (importId: string, number: number) =>
  `Row ${number} of the file that was imported as ${importId} says so.`

export interface Batch {
  rows: (RowDraft | FailedRow)[]
  /** How far into the file it reaches. */
  bytesRead: number
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
  await queries.insertRows(tx, claimed.id, stored)
  const counts = countsOf(stored)
  const position = batch.rows.at(-1)!.number
  await queries.advance(tx, claimed.id, { position, bytesRead: batch.bytesRead, counts })
  await notifyChange(tx, topicOf(claimed.id))
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
  const saved = await save(tx, claimed, drafts)
  const additions = await addWhatIsBeside(tx, claimed, drafts, saved)
  const changes = saved.flatMap(({ outcome }, index): StoredChange[] => {
    const { number } = drafts[index]!
    const noteId = additions.notes.get(number) ?? null
    if (outcome.result === 'updated')
      return [{ number, leadId: outcome.leadId, changes: outcome.changes, noteId }]
    if (outcome.result !== 'unchanged' || !additions.rows.has(number)) return []
    return [{ number, leadId: outcome.leadId, changes: {}, noteId }]
  })
  await queries.insertChanges(tx, claimed.id, changes)
  return storedOf(drafts, saved, additions.rows)
}

/** What became of a draft, and the row that it repeats. */
interface Outcome {
  outcome: SavedDraft
  repeats: number | null
}

async function save(tx: Tx, claimed: ClaimedImport, drafts: RowDraft[]): Promise<Outcome[]> {
  let earlier = new Map<string, number>()
  const outcomes = await saveDrafts(
    tx,
    { platform: 'csv_import', importId: claimed.id, campaignId: null },
    drafts.map(({ draft, externalId, number }) => ({
      ...draft,
      sourceId: externalId ?? `${claimed.id}:${number}`,
    })),
    {
      onMatch: claimed.onMatch,
      async findRepeated(leadIds) {
        earlier = await queries.findRowsOfLeads(tx, claimed.id, leadIds)
        return new Set(earlier.keys())
      },
    },
  )
  return withRepeated(drafts, outcomes, earlier, claimed.country)
}

/** Which row of this batch, or of those `earlier`, is repeated; a repeated row is about the lead of the first. */
function withRepeated(
  drafts: RowDraft[],
  outcomes: SavedDraft[],
  earlier: Map<string, number>,
  country: string,
): Outcome[] {
  const byLead = new Map(earlier)
  const byMark = new Map<string, number>()
  const leads = new Map<number, string | null>()
  return outcomes.map((outcome, index): Outcome => {
    const row = drafts[index]!
    const isRepeated = outcome.result === 'skipped' && outcome.reason === 'REPEATED'
    const marks = isRepeated || outcome.result === 'created' ? marksOf(row, country) : []
    if (isRepeated) {
      const known = outcome.leadId === null ? undefined : byLead.get(outcome.leadId)
      const repeats =
        known ?? marks.map(mark => byMark.get(mark)).find(number => number !== undefined) ?? null
      const leadId = outcome.leadId ?? (repeats === null ? null : (leads.get(repeats) ?? null))
      return { outcome: { ...outcome, leadId }, repeats }
    }
    if (outcome.leadId !== null && !byLead.has(outcome.leadId)) byLead.set(outcome.leadId, row.number)
    leads.set(row.number, outcome.leadId)
    for (const mark of marks) if (!byMark.has(mark)) byMark.set(mark, row.number)
    return { outcome, repeats: null }
  })
}

/** `rows`: those that have added something; `notes`: by row. */
async function addWhatIsBeside(tx: Tx, { id }: ClaimedImport, drafts: RowDraft[], saved: Outcome[]) {
  const written = saved.flatMap(({ outcome }, index) =>
    outcome.result === 'skipped'
      ? []
      : [{ ...drafts[index]!, leadId: outcome.leadId, isNew: outcome.result === 'created' }],
  )
  const noted = written.flatMap(row => (row.note === null ? [] : [{ ...row, body: row.note }]))
  const noteIds = await addNotes(tx, noted)
  const based = written.flatMap(({ number, basis, ...row }) =>
    basis === null ? [] : [{ ...row, ...basis, proof: proofOf(id, number) }],
  )
  const basedLeads = await addBases(tx, based)
  const notes = new Map(
    noted.flatMap(({ number }, index): [number, string][] =>
      noteIds[index] == null ? [] : [[number, noteIds[index]]],
    ),
  )
  const rows = written.filter(row => notes.has(row.number) || (row.basis && basedLeads.has(row.leadId)))
  return { notes, rows: new Set(rows.map(({ number }) => number)) }
}

function storedOf(drafts: RowDraft[], saved: Outcome[], changed: Set<number>): Saved {
  return new Map(
    saved.map(({ outcome, repeats }, index) => {
      const { number, problems } = drafts[index]!
      const isChanged = outcome.result === 'unchanged' && changed.has(number)
      const reason =
        outcome.result !== 'skipped'
          ? null
          : outcome.reason === 'REPEATED'
            ? 'DUPLICATE_IN_FILE'
            : outcome.reason
      const result = isChanged ? 'updated' : outcome.result
      return [number, { number, problems, result, reason, repeats, leadId: outcome.leadId }]
    }),
  )
}

/**
 * What would become of drafts: saved in earnest, and taken back before anybody sees it. What earlier rows would have left
 * behind is made up for: what they take of the quota, and the marks of those that would be new leads.
 */
async function tryDrafts(
  tx: Tx,
  claimed: ClaimedImport,
  drafts: RowDraft[],
  createdBefore: number,
): Promise<Saved> {
  const marks = new Map(drafts.map(row => [row.number, marksOf(row, claimed.country)]))
  const known = await queries.findMarks(tx, claimed.id, [...new Set([...marks.values()].flat())])
  const repeats = (row: RowDraft) =>
    marks
      .get(row.number)!
      .map(mark => known.get(mark))
      .find(number => number !== undefined) ?? null
  const fresh = drafts.filter(row => repeats(row) === null)
  await sql`savepoint before_trial`.execute(tx)
  if (createdBefore > 0) await reserveUpTo(tx, 'maxLeadsPerMonth', createdBefore)
  const saved = storedOf(fresh, await save(tx, claimed, fresh), new Set())
  await sql`rollback to savepoint before_trial`.execute(tx)
  const created = new Set(
    [...saved.values()].filter(({ result }) => result === 'created').map(row => row.leadId),
  )
  await queries.insertMarks(
    tx,
    claimed.id,
    fresh
      .filter(({ number }) => saved.get(number)!.result === 'created')
      .flatMap(({ number }) => marks.get(number)!.map(mark => ({ mark, number }))),
  )
  return new Map(
    drafts.map(row => {
      const { number, problems } = row
      const told = saved.get(number)
      if (told) return [number, { ...told, leadId: created.has(told.leadId) ? null : told.leadId }]
      const reason = 'DUPLICATE_IN_FILE' as const
      return [number, { number, problems, result: 'skipped', reason, repeats: repeats(row), leadId: null }]
    }),
  )
}
