/** Two leads made one, and which leads have become one. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/event.ts'
import { newId } from '../../kit/id.ts'
import { invalidInput, notFound } from '../../kit/problem.ts'
import { leadDeleted } from './events.ts'
import { fieldChanges } from './lead-fields.ts'
import { changesBetween, lockRows, updateRows } from './lead-row.ts'
import { takeTurn } from './lead-sources.ts'
import { tellUpdates } from './lead-updates.ts'
import { attachedJson, moveTo, sourcesJson } from './merge-attached.ts'
import { unite } from './merge-unite.ts'
import { assertVersion, type Writer } from './writing.ts'

/**
 * Makes `otherId` one with `leadId`: what the lead does not say it takes from the other, lists are united, the other's
 * telephones and addresses become further identifiers; its sources, notes and extractions' results move. `ifMatch` is of the lead
 * that stays. Throws 404; 412 PRECONDITION_FAILED.
 */
export async function mergeLeads(
  tx: Tx,
  leadId: string,
  otherId: string,
  { author, ifMatch }: Writer,
): Promise<string> {
  if (leadId === otherId) throw invalidInput('/leadId', 'SAME_LEAD', 'A lead can not be merged with itself.')
  await takeTurn(tx)
  const rows = await lockRows(tx, [leadId, otherId])
  const known = rows.get(leadId)
  const other = rows.get(otherId)?.row
  if (!known) throw notFound('lead')
  assertVersion(known.version, ifMatch)
  if (!other) throw invalidInput('/leadId', 'UNKNOWN_LEAD', 'There is no lead with this id.')
  const { row } = known
  const merged = unite(row, other)
  const changes = changesBetween(row, merged)
  const now = new Date()
  const id = newId()
  await sql`
    insert into lead_merges (id, lead_id, absorbed_id, absorbed, changes, sources, note_ids, attached, created_at, created_by)
    select ${id}, ${leadId}, l.id, to_jsonb(l), ${JSON.stringify(changes)}::jsonb, ${sourcesJson(leadId)},
      array(select n.id from notes n where n.lead_id = l.id), ${attachedJson}, ${now}, ${author.userId}
    from leads l where l.id = ${otherId}`.execute(tx)
  await moveTo(tx, leadId, otherId)
  await sql`delete from leads where id = ${otherId}`.execute(tx)
  await updateRows(tx, [merged], now)
  const told = { leadId, cause: 'merged', changes: fieldChanges(changes) } as const
  await tellUpdates(tx, [{ ...told, otherLeadId: otherId, mergeId: id }], author)
  await emit(tx, leadDeleted, { leadId: otherId, mergedIntoLeadId: leadId })
  return id
}

/** The leads that a lead has absorbed, and those that these had, as a table `family (id)` with itself. */
export const familyOf = (leadIds: string[]) => sql`
  with recursive family (id) as (
    select unnest(${leadIds}::uuid[])
    union select m.absorbed_id from lead_merges m join family f on m.lead_id = f.id where m.undone_at is null)`

/** Of a lead that is there no more: the one that it was merged into, whatever became of that. */
export async function findMergedInto(tx: Tx, leadId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    with recursive path (id, step) as (
      select ${leadId}::uuid, 0
      union all select m.lead_id, p.step + 1 from lead_merges m join path p on m.absorbed_id = p.id
      where m.undone_at is null and p.step < 100)
    select id from path where step > 0 order by step desc limit 1`.execute(tx)
  return rows[0]?.id ?? null
}

/** Forgets what these leads have absorbed; for leads that are deleted. */
export async function forgetMerges(tx: Tx, leadIds: string[]): Promise<void> {
  await sql`${familyOf(leadIds)} delete from lead_merges where lead_id in (select id from family)`.execute(tx)
}
