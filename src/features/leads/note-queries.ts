/** Every SQL statement of notes. A lead tells how many it has, and changes with them. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { fetchPage, jsonObject, type ListRow, type Page } from '../../kit/db/json.ts'
import { newId } from '../../kit/id.ts'
import type { Position } from '../../kit/page.ts'

/** SQL: a note `n` as its schema has it. */
export const noteJson = jsonObject(`n.id, n.body, n.author_user_id as "authorUserId",
  aldaba.iso_time(n.created_at) as "createdAt", aldaba.iso_time(n.updated_at) as "updatedAt"`)

/** Where a note is: a note of another lead is not found by its id. */
export interface NotePlace {
  leadId: string
  noteId: string
}

/** Returns the note's id; null if there is no such lead. `keyId`: the key it is written with. */
export async function insertNote(
  tx: Tx,
  { leadId, body, keyId }: { leadId: string; body: string; keyId: string },
): Promise<string | null> {
  if (!(await changeLead(tx, leadId, 1))) return null
  const id = newId()
  const now = new Date()
  await sql`
    insert into notes (id, lead_id, body, author_user_id, created_at, updated_at)
    values (${id}, ${leadId}, ${body}, (select created_by from api_keys where id = ${keyId}), ${now}, ${now})`.execute(
    tx,
  )
  return id
}

/** A note as the JSON of the contract; null if there is none. */
export async function findNote(tx: Tx, { leadId, noteId }: NotePlace): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${noteJson}::text as json from notes n where n.id = ${noteId} and n.lead_id = ${leadId}`.execute(
    tx,
  )
  return rows[0]?.json ?? null
}

/** Newest first. */
export function listNotes(tx: Tx, leadId: string, limit: number, after: Position | null): Promise<Page> {
  const rows = sql<ListRow>`
    select ${noteJson} as json, array[n.id::text] as position from notes n
    where n.lead_id = ${leadId} and ${after ? sql`n.id < ${after[0]}` : sql`true`}
    order by n.tenant_id desc, n.lead_id desc, n.id desc limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}

/** False: there is none. */
export async function updateNote(tx: Tx, { leadId, noteId }: NotePlace, body: string): Promise<boolean> {
  const result = await tx
    .updateTable('notes')
    .set({ body, updated_at: new Date() })
    .where('id', '=', noteId)
    .where('lead_id', '=', leadId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n && (await changeLead(tx, leadId, 0))
}

/** False: there is none. */
export async function deleteNote(tx: Tx, { leadId, noteId }: NotePlace): Promise<boolean> {
  const result = await tx
    .deleteFrom('notes')
    .where('id', '=', noteId)
    .where('lead_id', '=', leadId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n && (await changeLead(tx, leadId, -1))
}

async function changeLead(tx: Tx, leadId: string, notes: number): Promise<boolean> {
  const result = await tx
    .updateTable('leads')
    .set(lead => ({ notes_count: lead('notes_count', '+', notes), updated_at: new Date() }))
    .where('id', '=', leadId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
