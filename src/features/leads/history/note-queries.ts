/** Every SQL statement of notes. A lead tells how many it has, and changes with them. */

import { sql } from 'kysely'
import { newIdIn, noteTurn, nowOf } from '../../../kit/clock/clock.ts'
import { tenantIdOf } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { fetchPage, jsonObject, type ListRow, type Page } from '../../../kit/db/json.ts'
import type { Position } from '../../../kit/page.ts'
import { notFound } from '../../../kit/problem.ts'
import type { Author } from '../../../kit/writer.ts'
import { tellUpdates } from '../record/lead-updates.ts'
import { countNotes } from '../record/write-leads.ts'
import { leadNotFound } from './family.ts'

/** SQL: a note `n` as its schema has it. */
export const noteJson = jsonObject(`n.id, n.body, n.author_user_id as "authorUserId",
  aldaba.iso_time(n.created_at) as "createdAt", aldaba.iso_time(n.updated_at) as "updatedAt"`)

/** Where a note is: a note of another lead is not found by its id. */
export interface NotePlace {
  leadId: string
  noteId: string
}

/** Returns the note's id. Throws 404 if there is no such lead. */
export async function insertNote(tx: Tx, leadId: string, body: string, author: Author): Promise<string> {
  const notes = await holdLead(tx, leadId)
  if (notes === null) throw await leadNotFound(tx, leadId)
  const noteId = newIdIn(tx)
  const now = nowOf(tx)
  await sql`
    insert into notes (tenant_id, id, lead_id, body, author_user_id, created_at, updated_at)
    values (${tenantIdOf(tx)}, ${noteId}, ${leadId}, ${body}, ${author.userId}, ${now}, ${now})`.execute(tx)
  await changeLead(tx, { leadId, noteId }, 'noted', [notes, notes + 1], author)
  return noteId
}

/** A note as the JSON of the contract; null if there is none. */
export async function findNote(tx: Tx, { leadId, noteId }: NotePlace): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${noteJson}::text as json from notes n
    where n.tenant_id = ${tenantIdOf(tx)} and n.id = ${noteId} and n.lead_id = ${leadId}`.execute(tx)
  return rows[0]?.json ?? null
}

/** Newest first. */
export function listNotes(tx: Tx, leadId: string, limit: number, after: Position | null): Promise<Page> {
  const rows = sql<ListRow>`
    select ${noteJson} as json, array[n.id::text] as position from notes n
    where n.tenant_id = ${tenantIdOf(tx)} and n.lead_id = ${leadId} and ${after ? sql`n.id < ${after[0]}` : sql`true`}
    order by n.tenant_id desc, n.lead_id desc, n.id desc limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}

/** Throws 404 if there is none. Words that are as they were are no change. */
export async function updateNote(tx: Tx, place: NotePlace, body: string, author: Author): Promise<void> {
  const notes = await holdLead(tx, place.leadId)
  const { rows } = await sql<{ isChanged: boolean }>`
    update notes n set body = ${body}, updated_at = case when o.body = ${body} then n.updated_at else ${nowOf(tx)} end
    from notes o
    where n.tenant_id = ${tenantIdOf(tx)} and n.id = ${place.noteId} and n.lead_id = ${place.leadId} and o.tenant_id = n.tenant_id and o.id = n.id
    returning o.body <> n.body as "isChanged"`.execute(tx)
  if (notes === null || !rows[0]) throw notFound('note')
  if (rows[0].isChanged) await changeLead(tx, place, 'note_changed', [notes, notes], author)
}

/** Throws 404 if there is none. */
export async function deleteNote(tx: Tx, place: NotePlace, author: Author): Promise<void> {
  const notes = await holdLead(tx, place.leadId)
  const { rows } = await sql`
    delete from notes
    where tenant_id = ${tenantIdOf(tx)} and id = ${place.noteId} and lead_id = ${place.leadId} returning id`.execute(
    tx,
  )
  if (notes === null || rows.length === 0) throw notFound('note')
  await changeLead(tx, place, 'note_deleted', [notes, notes - 1], author)
}

/**
 * How many notes it has; null: there is no such lead. The lead is locked before its notes, as all its writers do: a merge moves
 * them, and two that wait for each other would both fail.
 */
async function holdLead(tx: Tx, leadId: string): Promise<number | null> {
  const { rows } = await sql<{ notes: number }>`
    select notes_count as notes from leads where tenant_id = ${tenantIdOf(tx)} and id = ${leadId} for update`.execute(
    tx,
  )
  noteTurn(tx)
  return rows[0]?.notes ?? null
}

/** The words of a note stand in no event: who deletes it means them to be gone. */
async function changeLead(
  tx: Tx,
  { leadId, noteId }: NotePlace,
  cause: 'noted' | 'note_changed' | 'note_deleted',
  [before, after]: [before: number, after: number],
  author: Author,
): Promise<void> {
  await countNotes(tx, [{ leadId, by: after - before, now: nowOf(tx) }])
  const changes = before === after ? [] : [{ field: 'notesCount', before, after }]
  await tellUpdates(tx, [{ leadId, cause, changes, noteId }], author)
}
