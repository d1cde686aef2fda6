/** Two leads that were made one, parted again as they were. */

import { sql } from 'kysely'
import { nowOf } from '../../../kit/clock/clock.ts'
import { tenantIdOf } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { assertVersion } from '../../../kit/etag.ts'
import { emit, emitMany } from '../../../kit/events/emit.ts'
import { notFound, Problem } from '../../../kit/problem.ts'
import { takeTurn, type Writer } from '../../../kit/writer.ts'
import { leadCreated, leadWithdrawn } from '../events.ts'
import { refuseErased } from '../record/erased.ts'
import { identifiersOf } from '../record/file-leads.ts'
import { markGivenBack } from '../record/former-identifiers.ts'
import { columnNames } from '../record/lead-columns.ts'
import { fieldChanges } from '../record/lead-fields.ts'
import {
  changesBetween,
  isSame,
  type KnownRow,
  type LeadRow,
  lockRows,
  type RowChanges,
  type WritableColumn,
} from '../record/lead-row.ts'
import { tellUpdates } from '../record/lead-updates.ts'
import { forgetAskedPrice, freeExternalId, restoreLead, updateLeads } from '../record/write-leads.ts'
import { findMergedInto } from './family.ts'
import { type Attachments, bringBack } from './merge-attached.ts'
import { basisColumns, isOfOnePerson, type Person } from './merge-unite.ts'

interface Merge extends Attachments {
  /** Its row, as it is stored. */
  absorbed: Person & Record<string, unknown>
  changes: RowChanges
  createdAt: Date
  undoneAt: Date | null
}

/**
 * Parts them again. Throws 404; 409 INVALID_TRANSITION if it was undone, or another merge of the lead came after it; 409
 * PERSON_ERASED if the other's person was erased meanwhile; 412 PRECONDITION_FAILED.
 */
export async function undoMerge(
  tx: Tx,
  leadId: string,
  mergeId: string,
  { author, ifMatch }: Writer,
): Promise<void> {
  await takeTurn(tx)
  const merge = await lockMerge(tx, leadId, mergeId)
  if (merge.undoneAt) throw new Problem('INVALID_TRANSITION', 'This merge was undone already.')
  const { row: known, version } = await lockStaying(tx, merge)
  assertVersion('lead', version, ifMatch)
  const { absorbedId } = merge
  const brought = identifiersOf(merge.absorbed)
  await refuseErased(tx, brought)
  await restore(tx, merge, known)
  const row = await givenBack(tx, merge, known)
  const changes = fieldChanges(changesBetween(known, row))
  const now = nowOf(tx)
  const own = [...identifiersOf(personBefore(merge, known)), ...(await findLostBefore(tx, merge))]
  await updateLeads(tx, [{ before: known, after: row }], now)
  await markGivenBack(tx, [{ leadId, values: brought.filter(value => !own.includes(value)) }])
  // What it kept stands in the leads again, and would outlast them here.
  await sql`
    update lead_merges set undone_at = ${now}, absorbed = '{}', changes = '{}', sources = '[]', note_ids = '{}', attached = '{}'
    where tenant_id = ${tenantIdOf(tx)} and id = ${mergeId}`.execute(tx)
  await tellUpdates(tx, [{ leadId, cause: 'parted', changes, otherLeadId: absorbedId, mergeId }], author)
  await emit(tx, leadCreated, { leadId: absorbedId, platform: 'merge', ...author })
  await tellWithdrawn(tx, merge)
}

async function lockMerge(tx: Tx, leadId: string, mergeId: string): Promise<Merge> {
  const { rows } = await sql<Merge>`
    select id, lead_id as "leadId", absorbed_id as "absorbedId", absorbed, changes, sources, note_ids as "noteIds", attached,
      created_at as "createdAt", undone_at as "undoneAt"
    from lead_merges where tenant_id = ${tenantIdOf(tx)} and id = ${mergeId} and lead_id = ${leadId} for update`.execute(
    tx,
  )
  if (!rows[0]) throw notFound('merge')
  return rows[0]
}

/** The row of the lead that stays. Throws 409 if it is not as this merge left it: merged again, or gone into another. */
async function lockStaying(tx: Tx, { id, leadId }: Merge): Promise<KnownRow> {
  const known = (await lockRows(tx, [leadId])).get(leadId)
  if (!known) {
    const into = await findMergedInto(tx, leadId)
    if (!into) throw notFound('lead')
    throw new Problem(
      'INVALID_TRANSITION',
      `The lead was itself made one with the lead ${into} since. Undo that merge first.`,
    )
  }
  const { rows: later } = await sql`
    select from lead_merges
    where tenant_id = ${tenantIdOf(tx)} and lead_id = ${leadId} and id > ${id} and undone_at is null`.execute(
    tx,
  )
  if (later.length > 0)
    throw new Problem('INVALID_TRANSITION', 'The lead was merged again since. Undo the later merges first.')
  return known
}

/** Whom the lead that stays was of. */
function personBefore({ changes }: Merge, row: LeadRow): Person {
  const before = (name: keyof Person) => (changes[name] ? changes[name].before : row[name])
  return { phone: before('phone'), email: before('email'), identifiers: before('identifiers') }
}

/** What the lead that stays had and lost by itself: its person's, even where the other brought it again. */
async function findLostBefore(tx: Tx, { leadId, createdAt }: Merge): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select value from former_identifiers
    where tenant_id = ${tenantIdOf(tx)} and lead_id = ${leadId} and until < ${createdAt} and not given_back`.execute(
    tx,
  )
  return rows.map(({ value }) => value)
}

/**
 * What of the other's row is not as it was. A basis that was withdrawn while they were one was withdrawn by its person, if they
 * are one or the basis was the other's; not one that was given after that.
 */
function withdrawnSince(merge: Merge, row: LeadRow): object {
  const { absorbed, changes, createdAt } = merge
  const withdrawnAt = row.lawful_basis_withdrawn_at as string | null
  if (withdrawnAt === null || new Date(withdrawnAt) <= createdAt) return {}
  const isOfOther = changes.lawful_basis?.before === null
  if (!isOfOther && !isOfOnePerson(personBefore(merge, row), absorbed)) return {}
  if (absorbed.lawful_basis_at && new Date(absorbed.lawful_basis_at as string) > new Date(withdrawnAt))
    return {}
  const empty = Object.fromEntries(basisColumns.map(name => [name, null]))
  return { ...empty, lawful_basis_withdrawn_at: withdrawnAt }
}

/** The lead that went, with all that was its own. `row`: of the lead that stays, as it is now. */
async function restore(tx: Tx, merge: Merge, row: LeadRow): Promise<void> {
  const absorbed: Record<string, unknown> = {
    ...merge.absorbed,
    ...withdrawnSince(merge, row),
    notes_count: 0,
  }
  absorbed.external_id = await takeBackExternalId(tx, merge, row)
  await restoreLead(tx, absorbed)
  await bringBack(tx, merge)
}

/** The other's external id, which the lead that stays may have taken over; null if a third one has it by now. */
async function takeBackExternalId(
  tx: Tx,
  { leadId, absorbed: { external_id } }: Merge,
  row: LeadRow,
): Promise<string | null> {
  if (typeof external_id !== 'string') return null
  if (row.external_id === external_id) await freeExternalId(tx, leadId)
  const { rows } = await sql`
    select from leads where tenant_id = ${tenantIdOf(tx)} and external_id = ${external_id}`.execute(tx)
  return rows.length === 0 ? external_id : null
}

/** What an advert changes. */
const advertised = new Set<WritableColumn>([...columnNames, 'price_history', 'identifiers'])

/**
 * The row of the lead that stays, without what it took. What somebody has changed since stays; of lists and custom fields, what
 * was added. What an advert has changed since was the other's, if all adverts were.
 */
async function givenBack(tx: Tx, { id, leadId, absorbed, changes }: Merge, row: LeadRow): Promise<LeadRow> {
  const { rows } = await sql<{ hasAdverts: boolean; fields: string[] }>`
    select exists (
        select from lead_sources
        where tenant_id = ${tenantIdOf(tx)} and lead_id = ${leadId} and extraction_id is not null) as "hasAdverts",
      array(
        select distinct change ->> 'field' from events e, jsonb_array_elements(e.data -> 'changes') change
        where e.tenant_id = ${tenantIdOf(tx)} and e.lead_id = ${leadId} and e.id > ${id} and e.type = 'lead.updated'
          and e.data ->> 'cause' not in ('merged', 'parted')) as fields`.execute(tx)
  const { hasAdverts, fields } = rows[0]!
  if (!hasAdverts) await forgetAskedPrice(tx, leadId)
  const back = { ...row }
  // A basis is given back as a whole or not at all: half of one proves nothing.
  const hasOtherBasis = basisColumns.some(name => changes[name] && !isSame(row[name], changes[name].after))
  for (const name of Object.keys(changes) as WritableColumn[]) {
    if (hasOtherBasis && basisColumns.includes(name)) continue
    const change = changes[name]!
    // A history of prices is as long as it is because of the price.
    const told = name === 'price_history' ? 'price' : name
    const isEdited = fieldChanges({ [told]: change }).some(({ field }) => fields.includes(field))
    const isOfAdvert = advertised.has(name) && !hasAdverts && !isEdited
    back[name] = isOfAdvert || isSame(row[name], change.after) ? change.before : without(row[name], change)
  }
  // Somebody may have given it the other's since.
  if (back.external_id === absorbed.external_id) back.external_id = null
  return back
}

/** A value that was changed since, without what of it came with the merge. */
function without(value: unknown, { before, after }: { before: unknown; after: unknown }): unknown {
  if (Array.isArray(value) && Array.isArray(before) && Array.isArray(after)) {
    const taken = after.filter(each => !before.some(own => isSame(own, each)))
    return value.filter(each => !taken.some(other => isSame(other, each)))
  }
  if (!isFields(value) || !isFields(before) || !isFields(after)) return value
  return Object.fromEntries(
    Object.entries(value).filter(([key, each]) => key in before || !isSame(after[key], each)),
  )
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Of a lead whose last advert went while the other's still stood, nobody was told. */
async function tellWithdrawn(tx: Tx, { leadId, absorbedId, createdAt }: Merge): Promise<void> {
  const { rows } = await sql<{ leadId: string; platform: string; listingId: string }>`
    select distinct on (s.lead_id) s.lead_id as "leadId", s.platform, s.listing_id as "listingId" from lead_sources s
    where s.tenant_id = ${tenantIdOf(tx)} and s.lead_id in (${leadId}, ${absorbedId}) and s.withdrawn_at > ${createdAt}
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
