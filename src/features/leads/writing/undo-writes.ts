/** Undoes what an import wrote to leads. */

import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { findErased } from '../../privacy/service.ts'
import { deleteLeads } from '../person/delete-leads.ts'
import { emitImportedChanges, type ImportedChanges } from '../record/emit-updates.ts'
import { markIdentifiersReverted } from '../record/former-identifiers.ts'
import { toIdentifiers } from '../record/index-leads.ts'
import { leadChecksum } from '../record/lead-checksum.ts'
import { changesBetween, type LeadRow, lockRows, type RowChanges, revertChanges } from '../record/lead-row.ts'
import { updateLeads } from '../record/write-leads.ts'

export interface ImportWrite {
  leadId: string
  result: 'created' | 'updated'
  /** Null for a created lead. */
  changes: RowChanges | null
}

/**
 * `CHANGED_SINCE`: somebody, another import or an extraction has changed the lead since, so the lead or the
 * changed values are kept. `LEAD_DELETED`: the lead no longer exists.
 */
export type UndoResult = { undone: boolean; reason: 'CHANGED_SINCE' | 'LEAD_DELETED' | null }

/**
 * Deletes the leads that the import created, unless they were changed since, and restores the former values of those
 * that it updated, except values that were changed since. Returns one result for each write, in order.
 */
export async function undoWrites(tx: Tx, importId: string, writes: ImportWrite[]): Promise<UndoResult[]> {
  if (writes.length === 0) return []
  await lockLeadWrites(tx)
  const rows = await lockRows(
    tx,
    writes.map(({ leadId }) => leadId),
  )
  const untouched = await findUntouched(tx, importId, writes)
  const erased = await findErased(
    tx,
    writes.flatMap(({ changes }) => toFormerIdentifiers(changes ?? {})),
  )
  const deleted: string[] = []
  const reverted: Reverted[] = []
  const revertedChanges: ImportedChanges[] = []
  const results = writes.map(({ leadId, result, changes }): UndoResult => {
    const row = rows.get(leadId)?.row
    if (!row) return { undone: false, reason: 'LEAD_DELETED' }
    if (result === 'created') {
      if (!untouched.has(leadId)) return { undone: false, reason: 'CHANGED_SINCE' }
      deleted.push(leadId)
      return { undone: true, reason: null }
    }
    const revertible = selectRevertible(row, changes ?? {}, erased)
    const { row: before, isComplete } = revertChanges(row, revertible)
    const difference = changesBetween(row, before)
    if (Object.keys(difference).length > 0) reverted.push({ row, before })
    // A write without changes added a note, which is deleted.
    if (Object.keys(difference).length > 0 || Object.keys(changes ?? {}).length === 0)
      revertedChanges.push({ leadId, changes: difference })
    const isFullyReverted = isComplete && Object.keys(revertible).length === Object.keys(changes ?? {}).length
    return isFullyReverted ? { undone: true, reason: null } : { undone: false, reason: 'CHANGED_SINCE' }
  })
  await revertLeads(tx, reverted)
  await emitImportedChanges(tx, importId, revertedChanges, 'import_undone')
  // This also redacts their history, which later erasures can't find.
  if (deleted.length > 0) await deleteLeads(tx, deleted)
  const updatedIds = writes.filter(({ result }) => result === 'updated').map(({ leadId }) => leadId)
  // A source with a checksum belongs to a lead that the import created, even if that was merged into another lead.
  await sql`
    delete from lead_sources
    where tenant_id = ${getTenantId(tx)} and import_id = ${importId} and lead_id = any(${updatedIds}::uuid[]) and written_checksum is null`.execute(
    tx,
  )
  return results
}

interface LostIdentifiers {
  leadId: string
  values: string[]
}

interface Reverted {
  /** The current row. */
  row: LeadRow
  /** The row with the former values. */
  before: LeadRow
}

/**
 * Writes the former values. Identifiers that only the import had added are marked as reverted: opt-outs with them
 * came from somebody else.
 */
async function revertLeads(tx: Tx, reverted: Reverted[]): Promise<void> {
  const lost = reverted.flatMap(({ row, before }): LostIdentifiers[] => {
    const formerValues = toIdentifiers(before)
    const values = toIdentifiers(row).filter(value => !formerValues.includes(value))
    return values.length > 0 ? [{ leadId: row.id, values }] : []
  })
  const formerByLead = await findFormerIdentifiers(tx, lost)
  await updateLeads(
    tx,
    reverted.map(({ row, before }) => ({ before: row, after: before })),
    getNow(tx),
  )
  await markIdentifiersReverted(
    tx,
    lost.map(({ leadId, values }) => ({
      leadId,
      values: values.filter(value => !formerByLead.get(leadId)?.includes(value)),
    })),
  )
}

/**
 * By lead id, identifiers that it had lost before the import. Opt-outs with them apply to the lead, even if the
 * import added them again.
 */
async function findFormerIdentifiers(tx: Tx, lost: LostIdentifiers[]): Promise<Map<string, string[]>> {
  if (lost.length === 0) return new Map()
  const { rows } = await sql<{ leadId: string; values: string[] }>`
    select lead_id as "leadId", array_agg(value) as values from former_identifiers
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${lost.map(({ leadId }) => leadId)}::uuid[]) and not reverted
    group by lead_id`.execute(tx)
  return new Map(rows.map(({ leadId, values }) => [leadId, values]))
}

const isBasisColumn = (name: string) => name.startsWith('lawful_basis') || name === 'consent_at'
const isPersonColumn = (name: string) =>
  ['contact_name', 'phone', 'phone_raw', 'email', 'identifiers'].includes(name)

function toFormerIdentifiers({ phone, email, identifiers }: RowChanges): string[] {
  const values = [phone?.before, email?.before, identifiers?.before].flat()
  return values.filter(value => typeof value === 'string')
}

/**
 * The changes that may be reverted. A lawful basis is reverted as a whole or not at all, because a part of it proves
 * nothing. Data of a person who was erased since is not restored.
 */
function selectRevertible(row: LeadRow, changes: RowChanges, erased: Set<string>): RowChanges {
  const hasOtherBasis = !revertChanges(row, pick(changes, isBasisColumn)).isComplete
  const isErased = toFormerIdentifiers(changes).some(value => erased.has(value))
  return pick(changes, name => !(hasOtherBasis && isBasisColumn(name)) && !(isErased && isPersonColumn(name)))
}

function pick(changes: RowChanges, isSelected: (name: string) => boolean): RowChanges {
  return Object.fromEntries(Object.entries(changes).filter(([name]) => isSelected(name)))
}

/**
 * The leads that the import created, that still have the same values and that have no other source. A change that was
 * undone does not count.
 */
async function findUntouched(tx: Tx, importId: string, writes: ImportWrite[]): Promise<Set<string>> {
  const created = writes.filter(({ result }) => result === 'created').map(({ leadId }) => leadId)
  if (created.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select l.id from leads l
    where l.tenant_id = ${getTenantId(tx)} and l.id = any(${created}::uuid[])
      and (l.updated_at = l.created_at or (
        l.lawful_basis_withdrawn_at is null
        and (l.lawful_basis is null or strpos(l.lawful_basis_proof, ${`of the import ${importId}.)`}) > 0)
        and exists (
          select from lead_sources s
          where s.tenant_id = l.tenant_id and s.lead_id = l.id and s.import_id = ${importId} and s.written_checksum = ${leadChecksum})
        -- The note of the import itself is older than the id of its lead.
        and not exists (
          select from notes n
          where n.tenant_id = l.tenant_id and n.lead_id = l.id
            and (n.created_at > l.created_at or n.updated_at > n.created_at))))
      and not exists (
        select from lead_sources s
        where s.tenant_id = l.tenant_id and s.lead_id = l.id and s.import_id is distinct from ${importId})
      and not exists (
        select from import_rows r join imports i on i.tenant_id = r.tenant_id and i.id = r.import_id
        where r.tenant_id = l.tenant_id and r.lead_id = l.id and r.import_id <> ${importId}
          and not i.dry_run and i.status <> 'UNDONE')`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Deletes the sources that an import added to existing leads. */
export async function deleteImportSources(tx: Tx, importId: string): Promise<void> {
  await lockLeadWrites(tx)
  await sql`
    delete from lead_sources s using import_rows r
    where r.tenant_id = ${getTenantId(tx)} and r.import_id = ${importId} and r.result in ('updated', 'unchanged')
      and s.tenant_id = r.tenant_id and s.lead_id = r.lead_id and s.import_id = r.import_id and s.written_checksum is null`.execute(
    tx,
  )
}
