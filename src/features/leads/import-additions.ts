/** What an import adds to leads beside what is in their columns: notes, and why their people may be contacted; taken back as well. */
import { sql } from 'kysely'
import type { LawfulBasisKind } from '../../domain/contactability/facts.ts'
import type { Tx } from '../../kit/db/index.ts'
import { newId } from '../../kit/id.ts'
import { stringify } from './lead-sources.ts'

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
      select * from jsonb_to_recordset(${stringify(rows)}::jsonb) as i (id uuid, lead_id uuid, body text, is_new boolean)
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
  /** Says where it comes from, which row of which file; by this it is known again. */
  proof: string
  isNew: boolean
}

/** Records each where nothing is recorded yet: what somebody has recorded by hand weighs more. Returns the leads that got one. */
export async function addBases(tx: Tx, bases: AddedBasis[]): Promise<Set<string>> {
  if (bases.length === 0) return new Set()
  const rows = bases.map(({ leadId, isNew, ...basis }) => ({ ...basis, id: leadId, is_new: isNew }))
  const { rows: added } = await sql<{ id: string }>`
    update leads l set lawful_basis = i.kind, lawful_basis_at = coalesce(i.at, now()), lawful_basis_proof = i.proof,
      consent_at = case when i.kind = 'consent' then coalesce(i.at, now()) end,
      updated_at = case when i.is_new then l.updated_at else now() end
    from jsonb_to_recordset(${stringify(rows)}::jsonb) as i (id uuid, kind text, at timestamptz, proof text, is_new boolean)
    where l.id = i.id and l.lawful_basis is null
    returning l.id`.execute(tx)
  return new Set(added.map(({ id }) => id))
}

export interface Addition {
  leadId: string
  noteId: string | null
  proof: string
}

/** Takes notes back that nobody has changed, and what was recorded with these proofs. */
export async function takeBackAdditions(tx: Tx, additions: Addition[]): Promise<void> {
  if (additions.length === 0) return
  const rows = additions.map(({ leadId, noteId, proof }) => ({ id: leadId, note_id: noteId, proof }))
  const json = stringify(rows)
  await sql`
    with gone as (
      delete from notes n using jsonb_to_recordset(${json}::jsonb) as i (id uuid, note_id uuid)
      where n.lead_id = i.id and n.id = i.note_id and n.updated_at = n.created_at
      returning n.lead_id
    )
    update leads l set notes_count = l.notes_count - 1, updated_at = now() from gone where l.id = gone.lead_id`.execute(
    tx,
  )
  await sql`
    update leads l set lawful_basis = null, lawful_basis_at = null, lawful_basis_proof = null, consent_at = null, updated_at = now()
    from jsonb_to_recordset(${json}::jsonb) as i (id uuid, proof text)
    where l.id = i.id and l.lawful_basis_proof = i.proof`.execute(tx)
}
