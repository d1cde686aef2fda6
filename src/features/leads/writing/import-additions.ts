/** What an import adds to leads beside what is in their columns: notes, and why their people may be contacted; taken back as well. */
import { sql } from 'kysely'
import type { Channel, LawfulBasisKind } from '../../../domain/contactability/facts.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'
import { storableJson } from '../../../kit/storable.ts'
import type { RowChanges } from '../record/lead-row.ts'

export interface AddedNote {
  leadId: string
  body: string
  /** The lead is new with this import: that it has a note is no change of it. */
  isNew: boolean
}

/** Returns the id of each note, in the order given; null where the lead has a note of the same words already. */
export async function addNotes(tx: Tx, notes: AddedNote[]): Promise<(string | null)[]> {
  if (notes.length === 0) return []
  const rows = notes.map(({ leadId, body, isNew }) => ({ id: newId(), lead_id: leadId, body, is_new: isNew }))
  const { rows: added } = await sql<{ id: string }>`
    with i as materialized (
      select * from jsonb_to_recordset(${storableJson(rows)}::jsonb) as i (id uuid, lead_id uuid, body text, is_new boolean)
    ), added as (
      insert into notes (id, lead_id, body, created_at, updated_at)
      select i.id, i.lead_id, i.body, now(), now() from i
      where not exists (select from notes n where n.lead_id = i.lead_id and n.body = i.body)
      returning id, lead_id
    ), counted as (
      update leads l set notes_count = l.notes_count + 1, updated_at = case when i.is_new then l.updated_at else now() end
      from added join i on i.id = added.id where l.id = added.lead_id
    )
    select id from added`.execute(tx)
  const ids = new Set(added.map(({ id }) => id))
  return rows.map(({ id }) => (ids.has(id) ? id : null))
}

export interface AddedBasis {
  leadId: string
  kind: LawfulBasisKind
  /** ISO 8601; null: now. */
  at: string | null
  /** What shows it, and from which row of which file it comes. */
  proof: string
  /** Missing: those that its kind covers. */
  channels?: Channel[] | null
  /** ISO 8601; null: it has no end. */
  expiresAt?: string | null
  /** The user who says so; null: the row itself does. */
  by: string | null
  isNew: boolean
}

/**
 * Records each where nothing is recorded yet: what somebody has recorded by hand weighs more. Where one was withdrawn, only what
 * was given since. Returns, by lead, what that changed.
 */
export async function addBases(tx: Tx, bases: AddedBasis[]): Promise<Map<string, RowChanges>> {
  if (bases.length === 0) return new Map()
  const rows = bases.map(({ leadId, isNew, ...basis }) => ({ ...basis, id: leadId, is_new: isNew }))
  const { rows: added } = await sql<{ id: string; after: Record<string, unknown> }>`
    update leads l set lawful_basis = i.kind, lawful_basis_at = coalesce(i.at, now()), lawful_basis_proof = i.proof, lawful_basis_by = i.by,
      lawful_basis_channels = i.channels, lawful_basis_expires_at = i."expiresAt",
      consent_at = case when i.kind = 'consent' then coalesce(i.at, now()) end,
      updated_at = case when i.is_new then l.updated_at else now() end
    from jsonb_to_recordset(${storableJson(rows)}::jsonb) as i (id uuid, kind text, at timestamptz, proof text, by uuid, channels text[], "expiresAt" timestamptz, is_new boolean)
    where l.id = i.id and l.lawful_basis is null
      and (l.lawful_basis_withdrawn_at is null or i.at > l.lawful_basis_withdrawn_at)
    returning l.id, json_build_object('lawful_basis', l.lawful_basis, 'lawful_basis_at', aldaba.iso_time(l.lawful_basis_at),
      'lawful_basis_proof', l.lawful_basis_proof, 'lawful_basis_channels', l.lawful_basis_channels,
      'lawful_basis_expires_at', aldaba.iso_time(l.lawful_basis_expires_at), 'lawful_basis_by', l.lawful_basis_by,
      'consent_at', aldaba.iso_time(l.consent_at)) as after`.execute(tx)
  return new Map(
    added.map(({ id, after }) => {
      const changed = Object.entries(after).filter(([, value]) => value !== null)
      return [id, Object.fromEntries(changed.map(([name, value]) => [name, { before: null, after: value }]))]
    }),
  )
}

export interface AddedBefore {
  leadId: string
  noteId: string | null
}

/** Takes notes back that nobody has changed. */
export async function takeBackNotes(tx: Tx, notes: AddedBefore[]): Promise<void> {
  const rows = notes.flatMap(({ leadId, noteId }) =>
    noteId === null ? [] : [{ id: leadId, note_id: noteId }],
  )
  if (rows.length === 0) return
  await sql`
    with gone as (
      delete from notes n using jsonb_to_recordset(${storableJson(rows)}::jsonb) as i (id uuid, note_id uuid)
      where n.lead_id = i.id and n.id = i.note_id and n.updated_at = n.created_at
      returning n.lead_id
    )
    update leads l set notes_count = l.notes_count - 1, updated_at = now() from gone where l.id = gone.lead_id`.execute(
    tx,
  )
}
