/** The undo of a merge: restores the absorbed lead and reverts the surviving one. */

import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { assertVersion } from '../../../kit/etag.ts'
import { emit, emitMany } from '../../../kit/events/emit.ts'
import { notFound, Problem } from '../../../kit/problem.ts'
import { lockLeadWrites, type Writer } from '../../../kit/writer.ts'
import { leadCreated, leadWithdrawn } from '../events.ts'
import type { SeparatedReplies } from '../hooks.ts'
import { emitLeadUpdates } from '../record/emit-updates.ts'
import { assertNotErased } from '../record/erased-people.ts'
import { markIdentifiersReverted } from '../record/former-identifiers.ts'
import { toIdentifiers } from '../record/index-leads.ts'
import { columnNames } from '../record/lead-columns.ts'
import { toFieldChanges } from '../record/lead-fields.ts'
import {
  changesBetween,
  isEqual,
  type LeadRow,
  type LockedRow,
  lockRows,
  type RowChanges,
  type WritableColumn,
} from '../record/lead-row.ts'
import {
  clearExternalId,
  clearListingPrice,
  recordReplyTimes,
  restoreLead,
  updateLeads,
} from '../record/write-leads.ts'
import { type MergeAttachments, restoreAttachments } from './merge-attachments.ts'
import { basisColumns, isSamePerson, type Person } from './merge-rows.ts'
import { findMergedInto } from './merged-leads.ts'

interface Merge extends MergeAttachments {
  /** The row of the absorbed lead. */
  absorbed: Person & Record<string, unknown>
  /** The changes of the surviving lead by the merge. */
  changes: RowChanges
  createdAt: Date
  undoneAt: Date | null
}

/**
 * Undoes a merge. Throws 404; 409 INVALID_TRANSITION if it is undone already or the lead was merged again later; 409
 * PERSON_ERASED if the person of the absorbed lead was erased meanwhile; 412 PRECONDITION_FAILED.
 */
export async function undoMerge(
  tx: Tx,
  leadId: string,
  mergeId: string,
  { author, ifMatch }: Writer,
): Promise<void> {
  await lockLeadWrites(tx)
  const merge = await lockMerge(tx, leadId, mergeId)
  if (merge.undoneAt) throw new Problem('INVALID_TRANSITION', 'This merge was undone already.')
  const { row: locked, version } = await lockSurvivor(tx, merge)
  assertVersion('lead', version, ifMatch)
  const { absorbedId } = merge
  const absorbedIdentifiers = toIdentifiers(merge.absorbed)
  await assertNotErased(tx, absorbedIdentifiers)
  const replies = await restoreAbsorbed(tx, merge, locked)
  const row = await computeRevertedRow(tx, { merge, row: locked, replies })
  const changes = toFieldChanges(changesBetween(locked, row))
  const now = getNow(tx)
  const survivorIdentifiers = [
    ...toIdentifiers(toPersonBefore(merge, locked)),
    ...(await findIdentifiersLostBefore(tx, merge)),
  ]
  await updateLeads(tx, [{ before: locked, after: row }], now)
  await markIdentifiersReverted(tx, [
    { leadId, values: absorbedIdentifiers.filter(value => !survivorIdentifiers.includes(value)) },
  ])
  // The snapshot is not needed any more, and must not outlive the leads.
  await sql`
    update lead_merges set undone_at = ${now}, absorbed = '{}', changes = '{}', sources = '[]', note_ids = '{}', moved_references = '{}'
    where tenant_id = ${getTenantId(tx)} and id = ${mergeId}`.execute(tx)
  await emitLeadUpdates(
    tx,
    [{ leadId, cause: 'unmerged', changes, otherLeadId: absorbedId, mergeId }],
    author,
  )
  await emit(tx, leadCreated, { leadId: absorbedId, platform: 'merge', ...author })
  await emitWithdrawn(tx, merge)
}

async function lockMerge(tx: Tx, leadId: string, mergeId: string): Promise<Merge> {
  const { rows } = await sql<Merge>`
    select id, lead_id as "leadId", absorbed_id as "absorbedId", absorbed, changes, sources, note_ids as "noteIds", moved_references as "movedReferences",
      created_at as "createdAt", undone_at as "undoneAt"
    from lead_merges where tenant_id = ${getTenantId(tx)} and id = ${mergeId} and lead_id = ${leadId} for update`.execute(
    tx,
  )
  if (!rows[0]) throw notFound('merge')
  return rows[0]
}

/** The row of the surviving lead. Throws 409 if it was merged again since, or into another lead. */
async function lockSurvivor(tx: Tx, { id, leadId }: Merge): Promise<LockedRow> {
  const locked = (await lockRows(tx, [leadId])).get(leadId)
  if (!locked) {
    const into = await findMergedInto(tx, leadId)
    if (!into) throw notFound('lead')
    throw new Problem(
      'INVALID_TRANSITION',
      `The lead was itself merged into the lead ${into} since. Undo that merge first.`,
    )
  }
  const { rows: laterMerges } = await sql`
    select from lead_merges
    where tenant_id = ${getTenantId(tx)} and lead_id = ${leadId} and id > ${id} and undone_at is null`.execute(
    tx,
  )
  if (laterMerges.length > 0)
    throw new Problem('INVALID_TRANSITION', 'The lead was merged again since. Undo the later merges first.')
  return locked
}

/** The identifiers of the surviving lead before the merge. */
function toPersonBefore({ changes }: Merge, row: LeadRow): Person {
  const before = (name: keyof Person) => (changes[name] ? changes[name].before : row[name])
  return { phone: before('phone'), email: before('email'), identifiers: before('identifiers') }
}

/**
 * Identifiers that the surviving lead had lost before the merge. They belong to its person, even if the absorbed lead
 * had them too.
 */
async function findIdentifiersLostBefore(tx: Tx, { leadId, createdAt }: Merge): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select value from former_identifiers
    where tenant_id = ${getTenantId(tx)} and lead_id = ${leadId} and used_until < ${createdAt} and not reverted`.execute(
    tx,
  )
  return rows.map(({ value }) => value)
}

/**
 * Returns the columns that clear the basis of the absorbed lead; empty if it was not withdrawn while the leads were
 * merged. A withdrawal counts if both leads are about the same person or the basis came from the absorbed lead, and
 * if the basis is not newer.
 */
function toWithdrawnBasis(merge: Merge, row: LeadRow): object {
  const { absorbed, changes, createdAt } = merge
  const withdrawnAt = row.lawful_basis_withdrawn_at as string | null
  if (withdrawnAt === null || new Date(withdrawnAt) <= createdAt) return {}
  const isFromAbsorbed = changes.lawful_basis?.before === null
  if (!isFromAbsorbed && !isSamePerson(toPersonBefore(merge, row), absorbed)) return {}
  if (absorbed.lawful_basis_at && new Date(absorbed.lawful_basis_at as string) > new Date(withdrawnAt))
    return {}
  const empty = Object.fromEntries(basisColumns.map(name => [name, null]))
  return { ...empty, lawful_basis_withdrawn_at: withdrawnAt }
}

/**
 * Restores the absorbed lead with its attachments, and records what its person replied since. Returns the replies to both
 * leads. `row`: the current row of the surviving lead.
 */
async function restoreAbsorbed(tx: Tx, merge: Merge, row: LeadRow): Promise<SeparatedReplies> {
  const absorbed: Record<string, unknown> = {
    ...merge.absorbed,
    ...toWithdrawnBasis(merge, row),
    notes_count: 0,
  }
  absorbed.external_id = await reclaimExternalId(tx, merge, row)
  await restoreLead(tx, absorbed)
  const replies = await restoreAttachments(tx, merge)
  const { returnedAt } = replies
  if (returnedAt) await recordReplyTimes(tx, [{ leadId: merge.absorbedId, at: returnedAt }])
  return replies
}

/**
 * The external id of the absorbed lead, taken back from the surviving lead if necessary; null if a third lead has it
 * now.
 */
async function reclaimExternalId(
  tx: Tx,
  { leadId, absorbed: { external_id } }: Merge,
  row: LeadRow,
): Promise<string | null> {
  if (typeof external_id !== 'string') return null
  if (row.external_id === external_id) await clearExternalId(tx, leadId)
  const { rows } = await sql`
    select from leads where tenant_id = ${getTenantId(tx)} and external_id = ${external_id}`.execute(tx)
  return rows.length === 0 ? external_id : null
}

/** The columns that a listing changes. */
const listingColumns = new Set<WritableColumn>([...columnNames, 'price_history', 'identifiers'])

/**
 * The row of the surviving lead without the values that it took. Values that somebody changed since are kept; so are
 * added list items and custom fields. If all listings belong to the absorbed lead, changes by listings since the
 * merge are reverted too.
 */
async function computeRevertedRow(
  tx: Tx,
  { merge, row, replies }: { merge: Merge; row: LeadRow; replies: SeparatedReplies },
): Promise<LeadRow> {
  const { id, leadId, absorbed, changes } = merge
  const { rows } = await sql<{ hasListings: boolean; fields: string[] }>`
    select exists (
        select from lead_sources
        where tenant_id = ${getTenantId(tx)} and lead_id = ${leadId} and extraction_id is not null) as "hasListings",
      array(
        select distinct change ->> 'field' from events e, jsonb_array_elements(e.data -> 'changes') change
        where e.tenant_id = ${getTenantId(tx)} and e.lead_id = ${leadId} and e.id > ${id} and e.type = 'lead.updated'
          and e.data ->> 'cause' not in ('merged', 'unmerged', 'contacted')) as fields`.execute(tx)
  const { hasListings, fields } = rows[0]!
  if (!hasListings) await clearListingPrice(tx, leadId)
  const reverted = { ...row }
  // A basis is reverted as a whole or not at all: a part of it proves nothing.
  const hasOtherBasis = basisColumns.some(name => changes[name] && !isEqual(row[name], changes[name].after))
  for (const name of Object.keys(changes) as WritableColumn[]) {
    if (hasOtherBasis && basisColumns.includes(name)) continue
    const change = changes[name]!
    // The price history is reverted together with the price.
    const trackedColumn = name === 'price_history' ? 'price' : name
    const isEdited = toFieldChanges({ [trackedColumn]: change }).some(({ field }) => fields.includes(field))
    const isFromListing = listingColumns.has(name) && !hasListings && !isEdited
    reverted[name] =
      isFromListing || isEqual(row[name], change.after) ? change.before : removeMerged(row[name], change)
  }
  if (replies.returnedAt && !replies.keptAt)
    Object.assign(reverted, toRowWithoutReply(merge, row, { isStatusEdited: fields.includes('status') }))
  // Somebody may have assigned the external id of the absorbed lead since.
  if (reverted.external_id === absorbed.external_id) reverted.external_id = null
  return reverted
}

/** What the surviving lead has without the replies since the merge: all of them go back to the absorbed lead. */
function toRowWithoutReply(
  { createdAt, movedReferences: { status = 'new', lastReplyAt = null } }: Merge,
  row: LeadRow,
  { isStatusEdited }: { isStatusEdited: boolean },
): Partial<LeadRow> {
  const isByReply = row.status === 'replied' && !isStatusEdited
  if (!isByReply) return { last_reply_at: lastReplyAt }
  const wasContacted = row.last_contacted_at !== null && new Date(row.last_contacted_at as string) > createdAt
  return { last_reply_at: lastReplyAt, status: status === 'new' && wasContacted ? 'contacted' : status }
}

/** A value that was changed since, without the items and fields that the merge added. */
function removeMerged(value: unknown, { before, after }: { before: unknown; after: unknown }): unknown {
  if (Array.isArray(value) && Array.isArray(before) && Array.isArray(after)) {
    const added = after.filter(each => !before.some(other => isEqual(other, each)))
    return value.filter(each => !added.some(other => isEqual(other, each)))
  }
  if (!isRecord(value) || !isRecord(before) || !isRecord(after)) return value
  return Object.fromEntries(
    Object.entries(value).filter(([key, each]) => key in before || !isEqual(after[key], each)),
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Emits `lead.withdrawn` for each lead whose last listing was withdrawn while the leads were merged and the other
 * lead was still listed.
 */
async function emitWithdrawn(tx: Tx, { leadId, absorbedId, createdAt }: Merge): Promise<void> {
  const { rows } = await sql<{ leadId: string; platform: string; listingId: string }>`
    select distinct on (s.lead_id) s.lead_id as "leadId", s.platform, s.listing_id as "listingId" from lead_sources s
    where s.tenant_id = ${getTenantId(tx)} and s.lead_id in (${leadId}, ${absorbedId}) and s.withdrawn_at > ${createdAt}
      and not exists (
        select from lead_sources o
        where o.tenant_id = s.tenant_id and o.lead_id = s.lead_id and o.extraction_id is not null and o.withdrawn_at is null)
      and not exists (
        select from events e
        where e.tenant_id = s.tenant_id and e.lead_id = s.lead_id and e.type = 'lead.withdrawn' and e.created_at > ${createdAt})
    order by s.lead_id, s.withdrawn_at desc`.execute(tx)
  await emitMany(
    tx,
    leadWithdrawn,
    rows.map(row => ({ ...row, extractionId: null })),
  )
}
