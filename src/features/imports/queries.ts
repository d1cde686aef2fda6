/** The SQL statements of the API: find, list, insert, restart, cancel and delete imports. */

import { type RawBuilder, sql } from 'kysely'
import type { Mapping } from '../../domain/table/lead-fields.ts'
import { createId, getNow, sqlMachineNow, sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import {
  fetchPage,
  jsonObject,
  jsonObjectText,
  type ListRow,
  type Page,
  toJsonObject,
} from '../../kit/db/json.ts'
import type { Position } from '../../kit/page.ts'
import { type Requester, readAuthor } from '../../kit/writer.ts'
import type { CurrentMapping } from './mapping.ts'
import type { FileHead } from './read-head.ts'
import { messageSql } from './reasons.ts'
import type { ImportFilter, ImportStatus, RowFilter } from './schemas.ts'
import { formatWithWarnings, toMappingWarnings } from './warnings.ts'

const isEnded = `i.status not in ('QUEUED', 'RUNNING', 'UNDOING')`
const progressText = jsonObjectText(`i.rows_total as "rowsTotal",
  i.created + i.updated + i.unchanged + i.skipped + i.failed as "rowsRead",
  i.created, i.updated, i.unchanged, i.skipped, i.failed, i.undone, i.not_reverted as "notReverted",
  case when i.status = 'UNDOING' then 100 * (i.undone + i.not_reverted) / greatest(1, i.created + i.updated)
    when i.status in ('COMPLETED', 'UNDONE') then 100
    -- At most 99 while it runs: the last bytes are read before the last rows are stored.
    else least(99, 100 * i.bytes_read::bigint / greatest(1, i.bytes))::int end as percent`)
const errorText = jsonObjectText('i.error_code as code, i.error_message as message')

const columns = (
  tx: Tx,
  more: string,
) => sql`i.id, i.name, i.status, i.dry_run as "dryRun", i.on_match as "onMatch", i.keep_unknown as "keepUnknown",
  i.format - 'warnings' as format, coalesce(i.format -> 'warnings', '[]') as warnings,
  i.attestation, i.attested_by as "attestedBy", i.country, i.campaign_id as "campaignId",
  case when ${sql.raw(isEnded)} and i.file_kept_until > ${sqlNow(tx)} then aldaba.iso_time(i.file_kept_until) end as "fileKeptUntil",
  ${sql.raw(progressText)} as progress, case when i.error_code is not null then ${sql.raw(errorText)} end as error,
  aldaba.iso_time(i.created_at) as "createdAt", aldaba.iso_time(i.started_at) as "startedAt",
  aldaba.iso_time(i.finished_at) as "finishedAt", aldaba.iso_time(i.undone_at) as "undoneAt"${sql.raw(more)}`
const summaryJson = (tx: Tx) => toJsonObject(columns(tx, ''))
const importJson = (tx: Tx) =>
  toJsonObject(columns(tx, ', i.headings, i.mapping, i.guessed_mapping as "guessedMapping"'))

const rowJson = jsonObject(`r.number as "rowNumber", r.result, r.reason, ${messageSql} as message,
  coalesce(r.problems, '[]') || case when r.not_joined is null then '[]' else
    jsonb_build_array(jsonb_build_object('column', null) || r.not_joined) end as problems, r.lead_id as "leadId", r.undone`)

/** Finds an import as the JSON text of the API's `Import`; null: there is none. */
export async function findImport(tx: Tx, importId: string): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${importJson(tx)}::text as json from imports i
    where i.tenant_id = ${getTenantId(tx)} and i.id = ${importId}`.execute(tx)
  return rows[0]?.json ?? null
}

/** A page of imports without their columns, newest first. */
export function listImports(tx: Tx, filter: ImportFilter, after: Position | null): Promise<Page> {
  const conditions: RawBuilder<unknown>[] = [sql`i.tenant_id = ${getTenantId(tx)}`]
  if (filter.status) conditions.push(sql`i.status = ${filter.status}`)
  if (after) conditions.push(sql`i.id < ${after[0]}::uuid`)
  const rows = sql<ListRow>`
    select ${summaryJson(tx)} as json, array[i.id::text] as position from imports i
    where ${sql.join(conditions, sql` and `)} order by i.tenant_id desc, i.id desc limit ${filter.limit + 1}`
  return fetchPage(tx, rows, filter.limit)
}

/** A page of the rows of an import, in the order of the file. */
export function listRows(tx: Tx, importId: string, filter: RowFilter, after: Position | null): Promise<Page> {
  const conditions: RawBuilder<unknown>[] = [
    sql`r.tenant_id = ${getTenantId(tx)}`,
    sql`r.import_id = ${importId}`,
  ]
  if (filter.result) conditions.push(sql`r.result = ${filter.result}`)
  if (after) conditions.push(sql`r.number > ${after[0]}::int`)
  const rows = sql<ListRow>`
    select ${rowJson} as json, array[r.number::text] as position from import_rows r
    where ${sql.join(conditions, sql` and `)} order by r.number limit ${filter.limit + 1}`
  return fetchPage(tx, rows, filter.limit)
}

/** The total bytes of the tenant's files that are being imported, or kept after dry runs. */
export async function sumFileBytes(tx: Tx): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0) as bytes from imports
    where tenant_id = ${getTenantId(tx)} and (status in ('QUEUED', 'RUNNING') or file_kept_until > ${sqlNow(tx)})`.execute(
    tx,
  )
  return rows[0]!.bytes
}

export interface ImportState {
  status: ImportStatus
  dryRun: boolean
  kind: 'csv' | 'ndjson'
  mapping: Mapping
  /** The file is still stored. */
  hasFile: boolean
}

/** Reads an import and locks it until the transaction ends; null: there is none. */
export async function lockImport(tx: Tx, importId: string): Promise<ImportState | null> {
  const { rows } = await sql<ImportState>`
    select status, dry_run as "dryRun", format->>'kind' as kind, mapping, coalesce(file_kept_until > ${sqlNow(tx)}, false) as "hasFile"
    from imports where tenant_id = ${getTenantId(tx)} and id = ${importId} for update`.execute(tx)
  return rows[0] ?? null
}

/** Finds the mapping of an import that still has its file; null: there is none. */
export async function findMapping(tx: Tx, importId: string | undefined): Promise<CurrentMapping | null> {
  const { rows } = await sql<CurrentMapping>`
    select format->>'kind' as kind, mapping from imports
    where tenant_id = ${getTenantId(tx)} and id = ${importId ?? null} and file_kept_until > ${sqlNow(tx)}`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** `requester`: who makes the attestation. */
export interface Attested {
  attestation: string | null
  requester: Requester
}

export interface NewImportRow extends Omit<FileHead, 'isHeaderSure' | 'phoneCells'>, Attested {
  name: string | null
  dryRun: boolean
  onMatch: 'update' | 'skip'
  keepUnknown: boolean
  country: string | null
  mapping: Mapping
  bytes: number
  /** Null: the leads become no recipients. */
  campaignId: string | null
}

/** Finds the user who makes the attestation; null: there is no attestation, or the key belongs to no user. */
async function findAttester(tx: Tx, { attestation, requester }: Attested): Promise<string | null> {
  return attestation === null ? null : (await readAuthor(tx, requester)).userId
}

/** Returns the id. */
export async function insertImport(tx: Tx, row: NewImportRow): Promise<string> {
  const now = getNow(tx)
  const id = createId(tx)
  const attestedBy = await findAttester(tx, row)
  await sql`
    insert into imports (tenant_id, id, name, dry_run, on_match, keep_unknown, format, headings, mapping, guessed_mapping, bytes, country, attestation, attested_by, campaign_id, created_at, progressed_at)
    values (${getTenantId(tx)}, ${id}, ${row.name}, ${row.dryRun}, ${row.onMatch}, ${row.keepUnknown}, ${JSON.stringify({ ...row.format, warnings: [...row.warnings, ...toMappingWarnings(row.mapping)] })}::jsonb, ${row.headings}::text[],
      ${JSON.stringify(row.mapping)}::json, ${JSON.stringify(row.guessedMapping)}::json, ${row.bytes}, ${row.country}, ${row.attestation}, ${attestedBy}, ${row.campaignId}, ${now}, ${sqlMachineNow})`.execute(
    tx,
  )
  return id
}

/** Turns a dry run into a queued import of the same file, from its first row. */
export async function restartImport(
  tx: Tx,
  importId: string,
  changes: { mapping: Mapping; onMatch: 'update' | 'skip' | null } & Attested,
): Promise<void> {
  const attestedBy = await findAttester(tx, changes)
  await sql`delete from import_rows where tenant_id = ${getTenantId(tx)} and import_id = ${importId}`.execute(
    tx,
  )
  await sql`
    update imports i set status = 'QUEUED', dry_run = false, format = ${formatWithWarnings(changes.mapping)}, mapping = ${JSON.stringify(changes.mapping)}::json,
      on_match = coalesce(${changes.onMatch}, on_match), position = 0, bytes_read = 0, rows_total = null, created = 0, updated = 0,
      unchanged = 0, skipped = 0, failed = 0, requeues = 0, error_code = null, error_message = null, started_at = null, finished_at = null,
      attestation = coalesce(${changes.attestation}, attestation), attested_by = coalesce(${attestedBy}::uuid, attested_by),
      file_kept_until = null, progressed_at = ${sqlMachineNow}
    where tenant_id = ${getTenantId(tx)} and id = ${importId}`.execute(tx)
}

/** Marks an import as cancelled. The rows written until then are kept. */
export async function cancelImport(tx: Tx, importId: string): Promise<void> {
  await sql`
    update imports set status = 'CANCELLED', run_token = null, finished_at = ${sqlNow(tx)}, progressed_at = ${sqlMachineNow}
    where tenant_id = ${getTenantId(tx)} and id = ${importId}`.execute(tx)
}

export async function startUndo(tx: Tx, importId: string): Promise<void> {
  await sql`
    update imports set status = 'UNDOING', requeues = 0, progressed_at = ${sqlMachineNow}
    where tenant_id = ${getTenantId(tx)} and id = ${importId}`.execute(tx)
}

/** Deletes an import with its rows and its file. */
export async function deleteImport(tx: Tx, importId: string): Promise<void> {
  await sql`delete from imports where tenant_id = ${getTenantId(tx)} and id = ${importId}`.execute(tx)
}
