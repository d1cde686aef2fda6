/** Notes and lawful bases that an import adds to leads, and the undo for notes. */
import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import { createId, getNow, sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { type BasisColumns, type NewBasis, toBasisValues } from '../record/basis-columns.ts'
import { emitLeadUpdates } from '../record/emit-updates.ts'
import { toFieldChanges } from '../record/lead-fields.ts'
import type { RowChanges } from '../record/lead-row.ts'
import { adjustNotesCount, clearBases, recordBases } from '../record/write-leads.ts'

export interface NewImportedNote {
  leadId: string
  body: string
  /** The import created the lead: the note does not count as a change of it. */
  isNew: boolean
}

/** Returns the id of each note, in order; null if the lead already has a note with the same text. */
export async function addNotes(tx: Tx, notes: NewImportedNote[]): Promise<(string | null)[]> {
  if (notes.length === 0) return []
  const rows = notes.map(({ leadId, body, isNew }) => ({
    id: createId(tx),
    lead_id: leadId,
    body,
    is_new: isNew,
  }))
  const { rows: added } = await sql<{ id: string }>`
    with i as materialized (
      select * from jsonb_to_recordset(${sanitizeJson(rows)}::jsonb) as i (id uuid, lead_id uuid, body text, is_new boolean)
    ), added as (
      insert into notes (tenant_id, id, lead_id, body, created_at, updated_at)
      select ${getTenantId(tx)}::uuid, i.id, i.lead_id, i.body, ${sqlNow(tx)}, ${sqlNow(tx)} from i
      where not exists (select from notes n where n.tenant_id = ${getTenantId(tx)} and n.lead_id = i.lead_id and n.body = i.body)
      returning id, lead_id
    )
    select id from added`.execute(tx)
  const ids = new Set(added.map(({ id }) => id))
  const now = getNow(tx)
  const counts = rows
    .filter(({ id }) => ids.has(id))
    .map(({ lead_id, is_new }) => ({ leadId: lead_id, by: 1, now: is_new ? null : now }))
  await adjustNotesCount(tx, counts)
  return rows.map(({ id }) => (ids.has(id) ? id : null))
}

/**
 * Records bases on leads that have none, as `recordBases` does: a basis that was recorded by hand has priority.
 * Returns the changes by lead id.
 */
export async function recordImportedBases(tx: Tx, bases: NewBasis[]): Promise<Map<string, RowChanges>> {
  if (bases.length === 0) return new Map()
  return toChanges(await recordBases(tx, bases), new Map())
}

/** `before`: the columns of bases that were replaced, by lead id. */
const toChanges = (
  recorded: Awaited<ReturnType<typeof recordBases>>,
  before: ReadonlyMap<string, Record<string, unknown>>,
): Map<string, RowChanges> =>
  new Map(
    recorded.map(({ id, after }) => {
      const changes = Object.entries(after).flatMap(([name, value]) => {
        const change = { before: before.get(id)?.[name] ?? null, after: value }
        return isDeepStrictEqual(change.before, change.after) ? [] : [[name, change] as const]
      })
      return [id, Object.fromEntries(changes)]
    }),
  )

/**
 * Records bases on leads that have none, or one that is replaced, and emits `lead.updated`. A withdrawn one stays withdrawn: what is
 * stated of many people is no new consent of one. Returns the changes by lead id. Call it after `lockLeadWrites`.
 */
export async function recordMissingBases(tx: Tx, bases: NewBasis[]): Promise<Map<string, RowChanges>> {
  const before = await readBases(
    tx,
    bases.map(({ leadId }) => leadId),
    sql`lawful_basis_withdrawn_at is null`,
  )
  const known = bases.filter(({ leadId }) => before.has(leadId))
  const recorded = toChanges(known.length > 0 ? await recordBases(tx, known) : [], before)
  await emitChanges(tx, recorded)
  return recorded
}

/**
 * Removes the bases whose proof contains a text, and emits `lead.updated`: who stated them takes them back. The people have withdrawn
 * nothing, so they may be recorded again. Call it after `lockLeadWrites`.
 */
export async function removeBases(tx: Tx, leadIds: readonly string[], text: string): Promise<void> {
  if (leadIds.length === 0) return
  const before = await readBases(tx, leadIds)
  const removed = [...(await clearBases(tx, leadIds, text))].map(id => ({
    id,
    after: Object.fromEntries(Object.keys(before.get(id)!).map(name => [name, null])),
  }))
  await emitChanges(tx, toChanges(removed, before))
}

/** By lead id. */
async function readBases(
  tx: Tx,
  leadIds: readonly string[],
  condition: RawBuilder<unknown> = sql`true`,
): Promise<Map<string, Record<string, unknown>>> {
  const { rows } = await sql<BasisColumns>`
    select id, lawful_basis, lawful_basis_at, lawful_basis_proof, lawful_basis_channels, lawful_basis_expires_at, lawful_basis_by, consent_at
    from leads where tenant_id = ${getTenantId(tx)} and id = any(${leadIds}::uuid[]) and ${condition}`.execute(
    tx,
  )
  return new Map(rows.map(({ id, ...columns }) => [id, toBasisValues(columns)]))
}

const emitChanges = (tx: Tx, changed: ReadonlyMap<string, RowChanges>): Promise<void> =>
  emitLeadUpdates(
    tx,
    [...changed].map(([leadId, changes]) => ({
      leadId,
      cause: 'edited' as const,
      changes: toFieldChanges(changes),
    })),
  )

export interface ImportedNote {
  leadId: string
  noteId: string | null
}

/** Deletes imported notes, except those that were changed since. */
export async function deleteImportedNotes(tx: Tx, notes: ImportedNote[]): Promise<void> {
  const rows = notes.flatMap(({ leadId, noteId }) =>
    noteId === null ? [] : [{ lead_id: leadId, note_id: noteId }],
  )
  if (rows.length === 0) return
  const { rows: deleted } = await sql<{ leadId: string }>`
    delete from notes n using jsonb_to_recordset(${sanitizeJson(rows)}::jsonb) as i (lead_id uuid, note_id uuid)
    where n.tenant_id = ${getTenantId(tx)} and n.lead_id = i.lead_id and n.id = i.note_id and n.updated_at = n.created_at
    returning n.lead_id as "leadId"`.execute(tx)
  const now = getNow(tx)
  await adjustNotesCount(
    tx,
    deleted.map(({ leadId }) => ({ leadId, by: -1, now })),
  )
}
