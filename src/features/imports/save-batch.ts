/** Stores a batch of parsed rows, in one transaction with their results and the position of the import. */
import { sql, type Tx } from '../../kit/db/index.ts'
import { callHook } from '../../kit/hook.ts'
import { notifyProgress } from '../../kit/operations/operation.ts'
import { reserveUpTo } from '../../kit/quota.ts'
import { emitImportedChanges, leadsPerMonth } from '../leads/service.ts'
import type { ExtendedMapping } from './columns.ts'
import { findDryRunRows, insertDryRunRows } from './dry-run-rows.ts'
import { toFingerprints } from './fingerprints.ts'
import { leadsOfCampaignComing, leadsOfCampaignImported } from './hooks.ts'
import { importKind } from './operation.ts'
import type { FailedRow, ParsedLeadRow } from './parse-row.ts'
import type { ClaimedImport, StoredChange, StoredRow } from './run-queries.ts'
import * as queries from './run-queries.ts'
import { addNotesAndBases, type RowOutcome, saveRows, toStoredRows } from './save-rows.ts'
import type { RowResult } from './schemas.ts'

export interface Batch {
  rows: (ParsedLeadRow | FailedRow)[]
  /** The bytes of the file up to the end of the batch. */
  bytesRead: number
  /** The mapping with the new columns of these rows; null: there are none. */
  extended: ExtendedMapping | null
}

const isParsed = (row: ParsedLeadRow | FailedRow): row is ParsedLeadRow => 'input' in row

/** Returns the number of leads that are new, or would be in a dry run. Throws ClaimLost if another run has claimed the import. */
export async function saveBatch(
  tx: Tx,
  claimed: ClaimedImport,
  createdBefore: number,
  batch: Batch,
): Promise<number> {
  await queries.lockClaim(tx, claimed)
  const { campaignId, dryRun } = claimed
  if (campaignId !== null && !dryRun) await callHook(tx, leadsOfCampaignComing, { campaignId })
  const inputs = batch.rows.filter(isParsed)
  const { saved, changes } = claimed.dryRun
    ? { saved: await previewRows(tx, claimed, inputs, createdBefore), changes: [] }
    : await writeRows(tx, claimed, inputs)
  const stored = batch.rows.map((row): StoredRow => {
    const { number, problems } = row
    if (isParsed(row)) return saved.get(number)!
    return { number, problems, result: 'failed', reason: row.failure, repeats: null, leadId: null }
  })
  const { rows, joined, ...written } = await joinCampaign(tx, claimed, { rows: stored, changes })
  const counts = countResults(rows)
  const position = batch.rows.at(-1)!.number
  await Promise.all([
    queries.insertRows(tx, claimed.id, rows),
    queries.insertChanges(tx, claimed.id, written.changes),
    queries.saveProgress(tx, claimed.id, { position, bytesRead: batch.bytesRead, counts, joined }),
  ])
  if (batch.extended) await queries.updateMapping(tx, claimed.id, batch.extended)
  notifyProgress(tx, importKind, claimed.id)
  return counts.created
}

interface Written {
  rows: StoredRow[]
  /** The changes of known leads, for a later undo. */
  changes: StoredChange[]
}

/** The leads of the rows become recipients of the campaign, if the import has one. What it records on known leads is a change too. */
async function joinCampaign(
  tx: Tx,
  { id, campaignId, dryRun }: ClaimedImport,
  { rows, changes }: Written,
): Promise<Written & { joined: number }> {
  if (campaignId === null || dryRun) return { rows, changes, joined: 0 }
  const leadIds = rows.flatMap(({ leadId, repeats }) => (leadId && repeats === null ? leadId : []))
  const [result] = await callHook(tx, leadsOfCampaignImported, { campaignId, importId: id, leadIds })
  const notJoined = new Map(result!.skipped.map(({ leadId, reason }) => [leadId, reason]))
  const changeByRow = new Map(changes.map(change => [change.number, change]))
  const joining = rows.map((row): StoredRow => {
    const { number, leadId, repeats } = row
    if (!leadId || repeats !== null) return row
    const reason = notJoined.get(leadId)
    if (reason) return { ...row, notJoined: reason }
    const recorded = result!.recorded.get(leadId)
    if (!recorded || row.result === 'created') return row
    const { noteId, ...change } = changeByRow.get(number) ?? { noteId: null, changes: {} }
    changeByRow.set(number, { number, leadId, noteId, changes: { ...change.changes, ...recorded } })
    return { ...row, result: 'updated', reason: null }
  })
  return { joined: result!.joined, rows: joining, changes: [...changeByRow.values()] }
}

function countResults(rows: StoredRow[]): Record<RowResult, number> {
  const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 }
  for (const { result } of rows) counts[result]++
  return counts
}

/** The results by row number. */
type SavedRows = Map<number, StoredRow>

async function writeRows(
  tx: Tx,
  claimed: ClaimedImport,
  inputs: ParsedLeadRow[],
): Promise<{ saved: SavedRows; changes: StoredChange[] }> {
  const outcomes = await saveRows(tx, claimed, inputs, {
    findRowsByLead: leadIds => queries.findFirstRowByLead(tx, claimed.id, leadIds),
    isDryRun: false,
  })
  const additions = await addNotesAndBases(tx, claimed, inputs, outcomes)
  await emitImportedChanges(tx, claimed.id, additions.changes)
  return { saved: toStoredRows(claimed, inputs, outcomes, additions), changes: additions.changes }
}

/**
 * Computes the results of a dry run. It saves the earlier rows that these may repeat and reserves the quota of all earlier
 * rows, computes the results, and rolls both back before anybody sees them. These rows themselves are not saved: a large file
 * would leave many dead rows, which slow down everybody's queries.
 */
async function previewRows(
  tx: Tx,
  claimed: ClaimedImport,
  inputs: ParsedLeadRow[],
  createdBefore: number,
): Promise<SavedRows> {
  const fingerprints = new Map(inputs.map(row => [row.number, toFingerprints(row, claimed.country)]))
  const dryRunRows = await findDryRunRows(tx, claimed.id, [...new Set([...fingerprints.values()].flat())])
  await sql`savepoint before_preview`.execute(tx)
  const earlierOutcomes = await saveRows(tx, claimed, dryRunRows, {
    findRowsByLead: async () => new Map(),
    isDryRun: false,
  })
  const earlierRows = new Map(
    earlierOutcomes.flatMap(({ saved }, at) =>
      isNew(saved) ? [[saved.leadId, dryRunRows[at]!.number]] : [],
    ),
  )
  const takenFromQuota = createdBefore - earlierRows.size
  if (takenFromQuota > 0) await reserveUpTo(tx, leadsPerMonth, takenFromQuota)
  const outcomes = await saveRows(tx, claimed, inputs, {
    isDryRun: true,
    async findRowsByLead(leadIds) {
      const rows = await queries.findFirstRowByLead(tx, claimed.id, leadIds)
      for (const leadId of leadIds) if (earlierRows.has(leadId)) rows.set(leadId, earlierRows.get(leadId)!)
      return rows
    },
  })
  const existing = inputs.flatMap((row, at) =>
    isNew(outcomes[at]!.saved) ? [] : [[row, outcomes[at]!] as const],
  )
  const additions = await addNotesAndBases(
    tx,
    claimed,
    existing.map(([row]) => row),
    existing.map(([, outcome]) => outcome),
  )
  const rows = toStoredRows(claimed, inputs, outcomes, additions)
  await sql`rollback to savepoint before_preview`.execute(tx)

  const repeatable = inputs.filter(({ number }) => rows.get(number)!.result !== 'skipped')
  const withFingerprints = repeatable.map(row => ({ ...row, fingerprints: fingerprints.get(row.number)! }))
  await insertDryRunRows(
    tx,
    claimed.id,
    withFingerprints.filter(row => row.fingerprints.length > 0),
  )
  const created = outcomes.flatMap(({ saved }) => (isNew(saved) ? [saved.leadId] : []))
  return hideLeads(rows, new Set([...earlierRows.keys(), ...created]))
}

/** Sets the ids of leads that were rolled back to null in the results. */
function hideLeads(saved: SavedRows, hiddenLeadIds: Set<string>): SavedRows {
  return new Map(
    [...saved].map(([number, row]) => [
      number,
      row.leadId !== null && hiddenLeadIds.has(row.leadId) ? { ...row, leadId: null } : row,
    ]),
  )
}

function isNew(saved: RowOutcome['saved']): saved is RowOutcome['saved'] & { result: 'created' } {
  return saved.result === 'created'
}
