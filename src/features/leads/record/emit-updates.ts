/** Emits `lead.updated` for every kind of change. */
import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import type { Static } from '../../../kit/schema.ts'
import { leadUpdated } from '../events.ts'
import { type FieldChange, toFieldChanges } from './lead-fields.ts'
import type { RowChanges } from './lead-row.ts'

type LeadUpdatedData = Static<typeof leadUpdated.data>

export interface LeadUpdate {
  leadId: string
  cause: LeadUpdatedData['cause']
  changes: FieldChange[]
  otherLeadId?: string
  mergeId?: string
  noteId?: string
  importId?: string
}

/** Imports and automatic changes have no key and no user. */
const noAuthor = { keyId: null, userId: null }

/** Emits `lead.updated` for each update, with two statements in all. */
export async function emitLeadUpdates(
  tx: Tx,
  updates: LeadUpdate[],
  { keyId, userId }: Pick<LeadUpdatedData, 'keyId' | 'userId'> = noAuthor,
): Promise<void> {
  const defaults = { otherLeadId: null, mergeId: null, noteId: null, importId: null }
  await emitMany(
    tx,
    leadUpdated,
    updates.map(update => ({ ...defaults, ...update, keyId, userId })),
  )
}

export interface ImportedChanges {
  leadId: string
  changes: RowChanges
  /** The note that the import added. */
  noteId?: string | null
}

/** Emits `lead.updated` for existing leads that an import has changed, or whose changes were undone. */
export async function emitImportedChanges(
  tx: Tx,
  importId: string,
  imported: ImportedChanges[],
  cause: 'imported' | 'import_undone' = 'imported',
): Promise<void> {
  const updates = imported.map(
    ({ leadId, changes, noteId }): LeadUpdate => ({
      leadId,
      cause,
      importId,
      changes: toFieldChanges(changes),
      ...(noteId ? { noteId } : {}),
    }),
  )
  await emitLeadUpdates(
    tx,
    updates.filter(({ changes, noteId }) => changes.length > 0 || noteId || cause === 'import_undone'),
  )
}
