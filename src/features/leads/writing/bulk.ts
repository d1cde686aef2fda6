/**
 * Changes, deletes or erases many leads: few in the request itself, more by a job, batch by batch and each lead once.
 */

import { type RawBuilder, sql } from 'kysely'
import { createId, getNow, sqlMachineNow, sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { jsonObject, jsonObjectText } from '../../../kit/db/json.ts'
import { maxIdAt } from '../../../kit/id.ts'
import { notifyCancelled, notifyProgress } from '../../../kit/operations/operation.ts'
import { invalidInput } from '../../../kit/problem.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { type Author, lockLeadWrites, readAuthor } from '../../../kit/writer.ts'
import type { StoredBasis } from '../../privacy/service.ts'
import { erasePeople } from '../../privacy/service.ts'
import { withBasis } from '../contact/lawful-basis.ts'
import { planFilterCondition } from '../list/lead-list.ts'
import { deleteLeads } from '../person/delete-leads.ts'
import { emitLeadUpdates } from '../record/emit-updates.ts'
import { toFieldChanges } from '../record/lead-fields.ts'
import { applyInput } from '../record/lead-input.ts'
import { changesBetween, type LeadRow, lockRows } from '../record/lead-row.ts'
import { getWorkspaceLocale, type WorkspaceLocale } from '../record/workspace-locale.ts'
import { updateLeads } from '../record/write-leads.ts'
import type { BulkChange } from './bulk-schemas.ts'
import { tagsMax } from './input-schemas.ts'
import { leadOperationKind } from './operation.ts'

type Kind = 'update' | 'delete' | 'erase'

/**
 * The maximum that is processed in the request itself. Fewer for an erasure, which includes other leads of each
 * person.
 */
const inlineMax: Record<Kind, number> = { update: 1000, delete: 1000, erase: 100 }
const batchSize: Record<Kind, number> = { update: 500, delete: 500, erase: 100 }

/** The requested changes; the lawful basis in its stored form. */
export type Changes = Omit<BulkChange['changes'], 'lawfulBasis'> & { lawfulBasis?: StoredBasis }

export interface Selection {
  ids?: string[]
  filter?: Record<string, unknown>
}

interface Operation {
  id: string
  kind: Kind
  status: string
  selection: Selection
  changes: Changes | null
  keyId: string | null
  userId: string | null
  /** The highest id that it applies to: leads that are created later have higher ones. */
  lastLeadId: string
  /** The last lead that was processed; null: none was yet. */
  cursorLeadId: string | null
  /** For an erasure: identifiers that a professional had when the operation began. */
  sharedIdentifiers: string[]
}

/**
 * Stores an operation. It does not apply to leads that are created later. `isSmall`: it can be finished in the
 * request.
 */
export async function insertOperation(
  tx: Tx,
  requested: Pick<Operation, 'kind' | 'selection' | 'changes' | 'keyId' | 'userId'>,
): Promise<{ id: string; isSmall: boolean }> {
  const id = createId(tx)
  const now = getNow(tx)
  await sql`
    insert into lead_operations (tenant_id, id, kind, selection, changes, requested, key_id, user_id, last_lead_id, created_at)
    values (${getTenantId(tx)}, ${id}, ${requested.kind}, ${sanitizeJson(requested.selection)}::jsonb, ${sanitizeJson(requested.changes)}::jsonb,
      ${requested.selection.ids ? new Set(requested.selection.ids).size : null}, ${requested.userId ? null : requested.keyId}, ${requested.userId},
      ${maxIdAt(now)}, ${now})`.execute(tx)
  const conditions = await planSelection(tx, requested.selection)
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select from leads l where ${conditions} limit ${inlineMax[requested.kind] + 1}) selected`.execute(
    tx,
  )
  return { id, isSmall: rows[0]!.count <= inlineMax[requested.kind] }
}

/** Runs all remaining batches in the caller's transaction. */
export async function finishOperation(tx: Tx, id: string): Promise<void> {
  while (await runBatch(tx, id)) {
    // Each call runs one batch.
  }
}

/** Runs the next batch in the caller's transaction. Returns false after the last one, or if the operation has ended. */
export async function runBatch(tx: Tx, id: string): Promise<boolean> {
  await lockLeadWrites(tx)
  const operation = await lockOperation(tx, id)
  if (!operation || (operation.status !== 'QUEUED' && operation.status !== 'RUNNING')) return false
  if (operation.status === 'QUEUED') await countMatched(tx, operation)
  const leadIds = await findNextLeads(tx, operation)
  const changed = leadIds.length === 0 ? 0 : await applyBatch(tx, operation, leadIds)
  await sql`
    update lead_operations set processed = processed + ${leadIds.length}, changed = changed + ${changed},
      cursor_lead_id = coalesce(${leadIds.at(-1) ?? null}, cursor_lead_id), status = 'RUNNING', started_at = coalesce(started_at, ${sqlNow(tx)}),
      progressed_at = ${sqlMachineNow}
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
  notifyProgress(tx, leadOperationKind, id)
  if (leadIds.length === batchSize[operation.kind]) return true
  await endOperation(tx, id, { status: 'COMPLETED' })
  return false
}

async function lockOperation(tx: Tx, id: string): Promise<Operation | undefined> {
  const { rows } = await sql<Operation>`
    select id, kind, status, selection, changes, key_id as "keyId", user_id as "userId", last_lead_id as "lastLeadId", cursor_lead_id as "cursorLeadId",
      shared_identifiers as "sharedIdentifiers"
    from lead_operations where tenant_id = ${getTenantId(tx)} and id = ${id} for update`.execute(tx)
  return rows[0]
}

async function countMatched(tx: Tx, { id, selection, lastLeadId }: Operation): Promise<void> {
  const conditions = await planSelection(tx, selection)
  await sql`
    update lead_operations set matched = (select count(*) from leads l where ${conditions} and l.id <= ${lastLeadId}::uuid)
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
}

async function findNextLeads(
  tx: Tx,
  { kind, selection, lastLeadId, cursorLeadId }: Operation,
): Promise<string[]> {
  const conditions = await planSelection(tx, selection)
  const { rows } = await sql<{ id: string }>`
    select l.id from leads l
    where ${conditions} and l.id <= ${lastLeadId}::uuid ${cursorLeadId ? sql`and l.id > ${cursorLeadId}::uuid` : sql``}
    order by l.tenant_id, l.id limit ${batchSize[kind]}`.execute(tx)
  return rows.map(row => row.id)
}

async function planSelection(tx: Tx, { ids, filter }: Selection): Promise<RawBuilder<unknown>> {
  if (ids) return sql`l.tenant_id = ${getTenantId(tx)} and l.id = any(${ids}::uuid[])`
  return planFilterCondition(tx, { ...filter, sort: '-createdAt', limit: 1 })
}

async function applyBatch(tx: Tx, operation: Operation, leadIds: string[]): Promise<number> {
  if (operation.kind === 'erase') return erasePeopleOfBatch(tx, operation, leadIds)
  if (operation.kind === 'delete') return deleteLeads(tx, leadIds)
  const locale = await getWorkspaceLocale(tx)
  const now = getNow(tx)
  const author = await readAuthor(tx, operation)
  const rows = await lockRows(tx, leadIds)
  const changed = [...rows.values()].flatMap(({ row }) => {
    const after = applyChanges(row, operation.changes!, { locale, now, author })
    const changes = toFieldChanges(changesBetween(row, after))
    return changes.length === 0 ? [] : [{ before: row, after, changes }]
  })
  await updateLeads(tx, changed, now)
  const updates = changed.map(({ after, changes }) => ({
    leadId: after.id,
    cause: 'edited' as const,
    changes,
  }))
  await emitLeadUpdates(tx, updates, author)
  return changed.length
}

async function erasePeopleOfBatch(tx: Tx, operation: Operation, leadIds: string[]): Promise<number> {
  const { removed, professional } = await erasePeople(tx, leadIds, {
    keyId: operation.keyId,
    userId: operation.userId,
    professional: operation.sharedIdentifiers,
  })
  await sql`
    update lead_operations set shared_identifiers = array(
      select unnest(shared_identifiers) union select unnest(${professional}::text[]))
    where tenant_id = ${getTenantId(tx)} and id = ${operation.id}`.execute(tx)
  return removed
}

/** Throws 400 if the lead would have too many tags. */
function applyChanges(
  row: LeadRow,
  { addTags = [], removeTags = [], lawfulBasis, ...input }: Changes,
  { locale, now, author }: { locale: WorkspaceLocale; now: Date; author: Author },
): LeadRow {
  const result = applyInput(row, input, locale, now)
  const after = lawfulBasis ? withBasis(result, lawfulBasis, author.userId) : result
  const currentTags = row.tags as string[]
  const tags = [...new Set([...currentTags, ...addTags])].filter(tag => !removeTags.includes(tag))
  if (tags.length > Math.max(tagsMax, currentTags.length))
    throw invalidInput(
      '/changes/addTags',
      'TOO_LONG',
      `The lead ${row.id} would have ${tags.length} tags; the maximum is ${tagsMax}. Remove tags or leave the lead out.`,
    )
  return { ...after, tags }
}

const progressText = jsonObjectText(`o.matched, o.processed, o.changed,
  case when o.status = 'COMPLETED' then 100 else least(99, 100 * o.processed::bigint / greatest(1, o.matched))::int end as percent`)
const errorText = jsonObjectText('o.error_code as code, o.error_message as message')
const operationJson = jsonObject(`o.id, o.kind, o.status, o.requested, ${progressText} as progress,
  case when o.error_code is not null then ${errorText} end as error, aldaba.iso_time(o.created_at) as "createdAt",
  aldaba.iso_time(o.started_at) as "startedAt", aldaba.iso_time(o.finished_at) as "finishedAt"`)

/** The JSON of `LeadOperation`; null if there is none. */
export async function findOperation(tx: Tx, id: string): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${operationJson}::text as json from lead_operations o where o.tenant_id = ${getTenantId(tx)} and o.id = ${id}`.execute(
    tx,
  )
  return rows[0]?.json ?? null
}

/** Processed leads are not reverted. Returns false if the operation has ended or does not exist. */
export async function cancelOperation(tx: Tx, id: string): Promise<boolean> {
  if (!(await endOperation(tx, id, { status: 'CANCELLED' }))) return false
  await notifyCancelled(tx, leadOperationKind, id)
  return true
}

/**
 * Ends an operation. Returns false if it has ended or does not exist. Clears the selection and the changes, which may
 * contain names and phone numbers.
 */
export async function endOperation(
  tx: Tx,
  id: string,
  {
    status,
    error = null,
  }: { status: 'COMPLETED' | 'CANCELLED' | 'FAILED'; error?: { code: string; message: string } | null },
): Promise<boolean> {
  const { rows } = await sql`
    update lead_operations set status = ${status}, error_code = ${error?.code ?? null}, error_message = ${error?.message ?? null},
      finished_at = ${getNow(tx)}, selection = '{}', changes = null, shared_identifiers = '{}'
    where tenant_id = ${getTenantId(tx)} and id = ${id} and status in ('QUEUED', 'RUNNING') returning id`.execute(
    tx,
  )
  notifyProgress(tx, leadOperationKind, id)
  return rows.length > 0
}
