/** Saves rows as leads, with their notes and lawful bases, and returns the result of each row. */
import { isExport } from '../../domain/table/exported-headings.ts'
import type { Tx } from '../../kit/db/index.ts'
import { addNotes, recordImportedBases, type SavedLead, saveLeads } from '../leads/service.ts'
import type { DryRunRow } from './dry-run-rows.ts'
import type { ParsedLeadRow } from './parse-row.ts'
import type { ClaimedImport, StoredChange, StoredRow } from './run-queries.ts'

/** The saved lead of a row. */
export interface RowOutcome {
  saved: SavedLead
  /** The number of the earlier row that it repeats; null: it repeats none. */
  repeats: number | null
}

export interface RowOptions {
  /** Finds the first row of this import for each of these leads. */
  findRowsByLead(leadIds: string[]): Promise<Map<string, number>>
  /** See `SaveOptions`. */
  isDryRun: boolean
}

/** Returns one outcome per row, in the same order. */
export async function saveRows(
  tx: Tx,
  { id, campaignId, onMatch, country, headings, mapping }: ClaimedImport,
  inputs: DryRunRow[],
  { findRowsByLead, isDryRun }: RowOptions,
): Promise<RowOutcome[]> {
  const rowsByLead = new Map<string, number>()
  const leads = await saveLeads(
    tx,
    { platform: 'csv_import', importId: id, campaignId },
    inputs.map(({ input, externalId, number, prepared }) => ({
      ...input,
      ...(prepared && { prepared }),
      sourceRecordId: externalId,
      generatedSourceId: `${id}:${number}`,
    })),
    {
      onMatch,
      country,
      isDryRun,
      areIdsTrusted: isExport(headings) && mapping.id === 'aldabaId',
      async findAlreadyWritten(leadIds) {
        for (const [leadId, number] of await findRowsByLead(leadIds)) rowsByLead.set(leadId, number)
        return new Set(rowsByLead.keys())
      },
    },
  )
  return leads.map((saved, index): RowOutcome => {
    const { leadId } = saved
    const isDuplicate = saved.result === 'skipped' && saved.reason === 'DUPLICATE_IN_BATCH'
    if (isDuplicate) return { saved, repeats: (leadId !== null && rowsByLead.get(leadId)) || null }
    if (leadId !== null && !rowsByLead.has(leadId)) rowsByLead.set(leadId, inputs[index]!.number)
    return { saved, repeats: null }
  })
}

export interface Additions {
  /** The numbers of the rows that added a note or a lawful basis. */
  rows: Set<number>
  /** The changes of known leads, for a later undo. */
  changes: StoredChange[]
}

/** Adds the notes and lawful bases of rows to the saved leads. `inputs` and `outcomes` have the same order. */
export async function addNotesAndBases(
  tx: Tx,
  { id, attestedBy }: ClaimedImport,
  inputs: ParsedLeadRow[],
  outcomes: RowOutcome[],
): Promise<Additions> {
  const savedRows = outcomes.flatMap(({ saved }, index) =>
    saved.result === 'skipped'
      ? []
      : [{ ...inputs[index]!, saved, leadId: saved.leadId, isNew: saved.result === 'created' }],
  )
  const withNote = savedRows.flatMap(row => (row.note === null ? [] : [{ ...row, body: row.note }]))
  const noteIds = await addNotes(tx, withNote)
  const notes = new Map(withNote.map(({ number }, index) => [number, noteIds[index] ?? null]))
  const withBasis = savedRows.flatMap(({ number, basis, leadId, isNew }) =>
    basis === null
      ? []
      : [
          {
            ...basis,
            leadId,
            isNew,
            by: attestedBy,
            proof: `${basis.proof}\n(Row ${number} of the import ${id}.)`,
          },
        ],
  )
  const bases = await recordImportedBases(tx, withBasis)
  const rows = new Set<number>()
  const changes = savedRows.flatMap(({ number, saved, leadId }): StoredChange[] => {
    const noteId = notes.get(number) ?? null
    const basis = bases.get(leadId)
    if (noteId !== null || basis) rows.add(number)
    const isChange = saved.result === 'updated' || (saved.result === 'unchanged' && rows.has(number))
    const columns = saved.result === 'updated' ? saved.changes : {}
    return isChange ? [{ number, leadId, changes: { ...columns, ...basis }, noteId }] : []
  })
  return { rows, changes }
}

const idConflict = {
  code: 'ID_CONFLICT',
  message:
    'Another lead has this id, but the rest of the row does not match that lead. The id was not used to find the lead of the row.',
}

/** Returns the results by row number. */
export function toStoredRows(
  { mapping }: ClaimedImport,
  inputs: ParsedLeadRow[],
  outcomes: RowOutcome[],
  { rows }: Additions,
): Map<number, StoredRow> {
  const column =
    Object.keys(mapping).find(
      heading => mapping[heading] === 'externalId' || mapping[heading] === 'aldabaId',
    ) ?? null
  return new Map(
    outcomes.map(({ saved, repeats }, index) => {
      const { number, problems } = inputs[index]!
      const isChanged = saved.result === 'unchanged' && rows.has(number)
      const reason = saved.result === 'skipped' ? saved.reason : null
      const row: StoredRow = {
        number,
        repeats,
        leadId: saved.leadId,
        result: isChanged ? 'updated' : saved.result,
        reason: reason === 'DUPLICATE_IN_BATCH' ? 'DUPLICATE_IN_FILE' : reason,
        problems: saved.hasIdConflict ? [...problems, { column, ...idConflict }] : problems,
      }
      return [number, row]
    }),
  )
}
