/** Merges two leads. */

import { sql } from 'kysely'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { assertVersion } from '../../../kit/etag.ts'
import { emit } from '../../../kit/events/emit.ts'
import { callHook } from '../../../kit/hook.ts'
import { invalidInput } from '../../../kit/problem.ts'
import { lockLeadWrites, type Writer } from '../../../kit/writer.ts'
import { leadDeleted } from '../events.ts'
import { leadsMerged } from '../hooks.ts'
import { emitLeadUpdates } from '../record/emit-updates.ts'
import { toFieldChanges } from '../record/lead-fields.ts'
import { changesBetween, lockRows } from '../record/lead-row.ts'
import { deleteRows, updateLeads } from '../record/write-leads.ts'
import { moveAttachments, movedReferencesJson, sourcesJson } from './merge-attachments.ts'
import { mergeRows } from './merge-rows.ts'
import { createLeadNotFound } from './merged-leads.ts'

/**
 * Merges `otherId` into `leadId` and returns the id of the merge. The lead takes missing values from the other one;
 * lists are united; phone numbers and e-mail addresses of the other become further identifiers; its sources, notes and extraction
 * results move. `ifMatch`: the version of `leadId`. Throws 404; 400 if `otherId` is the same lead or does not exist;
 * 412 PRECONDITION_FAILED.
 */
export async function mergeLeads(
  tx: Tx,
  leadId: string,
  otherId: string,
  { author, ifMatch }: Writer,
): Promise<string> {
  if (leadId === otherId)
    throw invalidInput(
      '/leadId',
      'SAME_LEAD',
      'A lead can not be merged into itself. Send the id of another lead.',
    )
  await lockLeadWrites(tx)
  const rows = await lockRows(tx, [leadId, otherId])
  const locked = rows.get(leadId)
  const other = rows.get(otherId)?.row
  if (!locked) throw await createLeadNotFound(tx, leadId)
  assertVersion('lead', locked.version, ifMatch)
  if (!other) throw invalidInput('/leadId', 'UNKNOWN_LEAD', 'There is no lead with this id.')
  const { row } = locked
  const merged = mergeRows(row, other)
  const changes = changesBetween(row, merged)
  const now = getNow(tx)
  const id = createId(tx)
  const saved = Object.assign({}, ...(await callHook(tx, leadsMerged, { leadId, absorbedId: otherId })))
  await sql`
    insert into lead_merges (tenant_id, id, lead_id, absorbed_id, absorbed, changes, sources, note_ids, moved_references, created_at, created_by)
    select ${getTenantId(tx)}::uuid, ${id}::uuid, ${leadId}::uuid, l.id, to_jsonb(l), ${JSON.stringify(changes)}::jsonb, ${sourcesJson(leadId)},
      array(select n.id from notes n where n.tenant_id = l.tenant_id and n.lead_id = l.id), ${movedReferencesJson(leadId, saved)}, ${now}, ${author.userId}
    from leads l where l.tenant_id = ${getTenantId(tx)} and l.id = ${otherId} returning id`.execute(tx)
  await moveAttachments(tx, leadId, otherId)
  await deleteRows(tx, [otherId])
  await updateLeads(tx, [{ before: row, after: merged }], now)
  const update = { leadId, cause: 'merged', changes: toFieldChanges(changes) } as const
  await emitLeadUpdates(tx, [{ ...update, otherLeadId: otherId, mergeId: id }], author)
  // Null if the surviving lead has taken it over.
  const externalId = merged.external_id === other.external_id ? null : (other.external_id as string | null)
  await emit(tx, leadDeleted, { leadId: otherId, externalId, mergedIntoLeadId: leadId })
  return id
}
