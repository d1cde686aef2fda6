/** Two leads made one, and which leads have become one. */

import { sql } from 'kysely'
import { newIdIn, nowOf } from '../../../kit/clock/clock.ts'
import { tenantIdOf } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { assertVersion } from '../../../kit/etag.ts'
import { emit } from '../../../kit/events/emit.ts'
import { callHook } from '../../../kit/hook.ts'
import { invalidInput } from '../../../kit/problem.ts'
import { takeTurn, type Writer } from '../../../kit/writer.ts'
import { leadDeleted } from '../events.ts'
import { leadsMerged } from '../hooks.ts'
import { fieldChanges } from '../record/lead-fields.ts'
import { changesBetween, lockRows } from '../record/lead-row.ts'
import { tellUpdates } from '../record/lead-updates.ts'
import { deleteRows, updateLeads } from '../record/write-leads.ts'
import { leadNotFound } from './family.ts'
import { attachedJson, moveTo, sourcesJson } from './merge-attached.ts'
import { unite } from './merge-unite.ts'

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
  if (!known) throw await leadNotFound(tx, leadId)
  assertVersion('lead', known.version, ifMatch)
  if (!other) throw invalidInput('/leadId', 'UNKNOWN_LEAD', 'There is no lead with this id.')
  const { row } = known
  const merged = unite(row, other)
  const changes = changesBetween(row, merged)
  const now = nowOf(tx)
  const id = newIdIn(tx)
  const kept = Object.assign({}, ...(await callHook(tx, leadsMerged, { leadId, absorbedId: otherId })))
  await sql`
    insert into lead_merges (tenant_id, id, lead_id, absorbed_id, absorbed, changes, sources, note_ids, attached, created_at, created_by)
    select ${tenantIdOf(tx)}::uuid, ${id}::uuid, ${leadId}::uuid, l.id, to_jsonb(l), ${JSON.stringify(changes)}::jsonb, ${sourcesJson(leadId)},
      array(select n.id from notes n where n.tenant_id = l.tenant_id and n.lead_id = l.id), ${attachedJson(leadId, kept)}, ${now}, ${author.userId}
    from leads l where l.tenant_id = ${tenantIdOf(tx)} and l.id = ${otherId} returning id`.execute(tx)
  await moveTo(tx, leadId, otherId)
  await deleteRows(tx, [otherId])
  await updateLeads(tx, [{ before: row, after: merged }], now)
  const told = { leadId, cause: 'merged', changes: fieldChanges(changes) } as const
  await tellUpdates(tx, [{ ...told, otherLeadId: otherId, mergeId: id }], author)
  // The lead that stays may have taken it over.
  const externalId = merged.external_id === other.external_id ? null : (other.external_id as string | null)
  await emit(tx, leadDeleted, { leadId: otherId, externalId, mergedIntoLeadId: leadId })
  return id
}
