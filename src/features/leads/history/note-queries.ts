/** The SQL statements for notes. A change of a note also updates its lead and emits `lead.updated`. */

import { sql } from 'kysely'
import { createId, getNow, recordLockAcquired } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { fetchPage, jsonObject, type ListRow, type Page } from '../../../kit/db/json.ts'
import type { Position } from '../../../kit/page.ts'
import { notFound } from '../../../kit/problem.ts'
import type { Author } from '../../../kit/writer.ts'
import { emitLeadUpdates } from '../record/emit-updates.ts'
import { adjustNotesCount } from '../record/write-leads.ts'
import { createLeadNotFound } from './merged-leads.ts'

/** SQL: a note `n` as the JSON of `Note`. */
export const noteJson = jsonObject(`n.id, n.body, n.author_user_id as "authorUserId",
  aldaba.iso_time(n.created_at) as "createdAt", aldaba.iso_time(n.updated_at) as "updatedAt"`)

/** A note is found only together with its lead. */
export interface NoteKey {
  leadId: string
  noteId: string
}

/** Returns the id of the note. Throws 404 if there is no such lead. */
export async function insertNote(tx: Tx, leadId: string, body: string, author: Author): Promise<string> {
  const count = await lockLead(tx, leadId)
  if (count === null) throw await createLeadNotFound(tx, leadId)
  const noteId = createId(tx)
  const now = getNow(tx)
  await sql`
    insert into notes (tenant_id, id, lead_id, body, author_user_id, created_at, updated_at)
    values (${getTenantId(tx)}, ${noteId}, ${leadId}, ${body}, ${author.userId}, ${now}, ${now})`.execute(tx)
  await recordNoteChange(tx, { leadId, noteId }, 'note_added', [count, count + 1], author)
  return noteId
}

/** The JSON of `Note`; null if there is none. */
export async function findNote(tx: Tx, { leadId, noteId }: NoteKey): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${noteJson}::text as json from notes n
    where n.tenant_id = ${getTenantId(tx)} and n.id = ${noteId} and n.lead_id = ${leadId}`.execute(tx)
  return rows[0]?.json ?? null
}

/** Newest first. */
export function listNotes(tx: Tx, leadId: string, limit: number, after: Position | null): Promise<Page> {
  const rows = sql<ListRow>`
    select ${noteJson} as json, array[n.id::text] as position from notes n
    where n.tenant_id = ${getTenantId(tx)} and n.lead_id = ${leadId} and ${after ? sql`n.id < ${after[0]}` : sql`true`}
    order by n.tenant_id desc, n.lead_id desc, n.id desc limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}

/** Throws 404 if there is no such note. The same text does not count as a change. */
export async function updateNote(tx: Tx, key: NoteKey, body: string, author: Author): Promise<void> {
  const count = await lockLead(tx, key.leadId)
  const { rows } = await sql<{ isChanged: boolean }>`
    update notes n set body = ${body}, updated_at = case when o.body = ${body} then n.updated_at else ${getNow(tx)} end
    from notes o
    where n.tenant_id = ${getTenantId(tx)} and n.id = ${key.noteId} and n.lead_id = ${key.leadId} and o.tenant_id = n.tenant_id and o.id = n.id
    returning o.body <> n.body as "isChanged"`.execute(tx)
  if (count === null || !rows[0]) throw notFound('note')
  if (rows[0].isChanged) await recordNoteChange(tx, key, 'note_changed', [count, count], author)
}

/** Throws 404 if there is no such note. */
export async function deleteNote(tx: Tx, key: NoteKey, author: Author): Promise<void> {
  const count = await lockLead(tx, key.leadId)
  const { rows } = await sql`
    delete from notes
    where tenant_id = ${getTenantId(tx)} and id = ${key.noteId} and lead_id = ${key.leadId} returning id`.execute(
    tx,
  )
  if (count === null || rows.length === 0) throw notFound('note')
  await recordNoteChange(tx, key, 'note_deleted', [count, count - 1], author)
}

/**
 * Locks the lead and returns its number of notes; null: there is no such lead. All writers lock the lead before its
 * notes: otherwise a merge, which moves the notes, could deadlock with them.
 */
async function lockLead(tx: Tx, leadId: string): Promise<number | null> {
  const { rows } = await sql<{ count: number }>`
    select notes_count as count from leads where tenant_id = ${getTenantId(tx)} and id = ${leadId} for update`.execute(
    tx,
  )
  recordLockAcquired(tx)
  return rows[0]?.count ?? null
}

/** Events do not contain the text of a note: after a deletion, nothing of it is left. */
async function recordNoteChange(
  tx: Tx,
  { leadId, noteId }: NoteKey,
  cause: 'note_added' | 'note_changed' | 'note_deleted',
  [before, after]: [before: number, after: number],
  author: Author,
): Promise<void> {
  await adjustNotesCount(tx, [{ leadId, by: after - before, now: getNow(tx) }])
  const changes = before === after ? [] : [{ field: 'notesCount', before, after }]
  await emitLeadUpdates(tx, [{ leadId, cause, changes, noteId }], author)
}
