/** Rows as leads, with the notes and the lawful bases that stand beside them, and what became of each. */
import { isExport } from '../../domain/table/exported-headings.ts'
import type { Tx } from '../../kit/db/index.ts'
import { addBases, addNotes, type SavedDraft, saveDrafts } from '../leads/service.ts'
import type { RowDraft } from './row-draft.ts'
import type { ClaimedImport, StoredChange, StoredRow } from './run-queries.ts'
import type { Trial } from './trials.ts'

/** What became of a draft, and the row that it repeats. */
export interface Outcome {
  outcome: SavedDraft
  repeats: number | null
}

export interface RowOptions {
  /** Of these leads, the rows of this import that brought them. */
  findRows(leadIds: string[]): Promise<Map<string, number>>
  /** As `SaveOptions` has it. */
  isTrial: boolean
}

/** One outcome each, in the order given. */
export async function saveRows(
  tx: Tx,
  { id, onMatch, country, headings, mapping }: ClaimedImport,
  drafts: Trial[],
  { findRows, isTrial }: RowOptions,
): Promise<Outcome[]> {
  const rows = new Map<string, number>()
  const outcomes = await saveDrafts(
    tx,
    { platform: 'csv_import', importId: id, campaignId: null },
    drafts.map(({ draft, externalId, number, fresh }) => ({
      ...draft,
      ...(fresh && { fresh }),
      idAtSource: externalId,
      sourceId: `${id}:${number}`,
    })),
    {
      onMatch,
      country,
      isTrial,
      areIdsCertain: isExport(headings) && mapping.id === 'aldabaId',
      async findRepeated(leadIds) {
        for (const [leadId, number] of await findRows(leadIds)) rows.set(leadId, number)
        return new Set(rows.keys())
      },
    },
  )
  return outcomes.map((outcome, index): Outcome => {
    const { leadId } = outcome
    const isRepeated = outcome.result === 'skipped' && outcome.reason === 'REPEATED'
    if (isRepeated) return { outcome, repeats: (leadId !== null && rows.get(leadId)) || null }
    if (leadId !== null && !rows.has(leadId)) rows.set(leadId, drafts[index]!.number)
    return { outcome, repeats: null }
  })
}

export interface Additions {
  /** Rows that have added something. */
  rows: Set<number>
  /** What undoing will need of rows that changed a lead that was known. */
  changes: StoredChange[]
}

export async function addWhatIsBeside(
  tx: Tx,
  { id, attestedBy }: ClaimedImport,
  drafts: RowDraft[],
  outcomes: Outcome[],
): Promise<Additions> {
  const written = outcomes.flatMap(({ outcome }, index) =>
    outcome.result === 'skipped'
      ? []
      : [{ ...drafts[index]!, outcome, leadId: outcome.leadId, isNew: outcome.result === 'created' }],
  )
  const noted = written.flatMap(row => (row.note === null ? [] : [{ ...row, body: row.note }]))
  const noteIds = await addNotes(tx, noted)
  const notes = new Map(noted.map(({ number }, index) => [number, noteIds[index] ?? null]))
  const based = written.flatMap(({ number, basis, leadId, isNew }) =>
    basis === null
      ? []
      : [
          {
            ...{ ...basis, leadId, isNew, by: attestedBy },
            proof: `${basis.proof}\n(Row ${number} of the import ${id}.)`,
          },
        ],
  )
  const bases = await addBases(tx, based)
  const rows = new Set<number>()
  const changes = written.flatMap(({ number, outcome, leadId }): StoredChange[] => {
    const noteId = notes.get(number) ?? null
    const basis = bases.get(leadId)
    if (noteId !== null || basis) rows.add(number)
    const isChange = outcome.result === 'updated' || (outcome.result === 'unchanged' && rows.has(number))
    const columns = outcome.result === 'updated' ? outcome.changes : {}
    return isChange ? [{ number, leadId, changes: { ...columns, ...basis }, noteId }] : []
  })
  return { rows, changes }
}

const idOfOthers = {
  code: 'ID_OF_ANOTHER',
  message:
    'Another lead has this id, and the rest of the row is not about that lead: the id was not gone by to tell whose row it is.',
}

/** By row, what became of it. */
export function storedOf(
  { mapping }: ClaimedImport,
  drafts: RowDraft[],
  outcomes: Outcome[],
  { rows }: Additions,
): Map<number, StoredRow> {
  const column =
    Object.keys(mapping).find(
      heading => mapping[heading] === 'externalId' || mapping[heading] === 'aldabaId',
    ) ?? null
  return new Map(
    outcomes.map(({ outcome, repeats }, index) => {
      const { number, problems } = drafts[index]!
      const isChanged = outcome.result === 'unchanged' && rows.has(number)
      const reason = outcome.result === 'skipped' ? outcome.reason : null
      const row: StoredRow = {
        ...{ number, repeats, leadId: outcome.leadId, result: isChanged ? 'updated' : outcome.result },
        reason: reason === 'REPEATED' ? 'DUPLICATE_IN_FILE' : reason,
        problems: outcome.isIdOfOthers ? [...problems, { column, ...idOfOthers }] : problems,
      }
      return [number, row]
    }),
  )
}
