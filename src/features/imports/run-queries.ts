/** The SQL statements of a run: claim an import, store the results of rows, record progress, finish it. */

import { sql } from 'kysely'
import type { Mapping } from '../../domain/table/lead-fields.ts'
import { getNow, sqlMachineNow, sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { newId } from '../../kit/id.ts'
import { ClaimLost } from '../../kit/operations/run.ts'
import type { ExtendedMapping } from './columns.ts'
import type { NotJoined } from './hooks.ts'
import type { FileKind } from './parse-head.ts'
import type { Reason } from './reasons.ts'
import type { RowResult } from './schemas.ts'
import { formatWithWarnings } from './warnings.ts'

export interface ClaimedImport {
  id: string
  /** Identifies this run. Every write checks it; a later claim by another run replaces it. */
  runToken: string
  dryRun: boolean
  onMatch: 'update' | 'skip'
  keepUnknown: boolean
  kind: FileKind
  /** The table has headings; null: the file is NDJSON. */
  hasHeader: boolean | null
  headings: string[]
  mapping: Mapping
  guessedMapping: Mapping
  /** The number of the last processed row. */
  position: number
  /** The rows that have become leads, or would in a dry run. */
  created: number
  /** The country of phone numbers and prices: the one of the import, else the one of the workspace. */
  country: string
  currency: string
  /** The proof of lawful bases that rows state without one, and the user who attests it; null: there is none. */
  attestation: string | null
  attestedBy: string | null
  /** The campaign whose recipients the leads become; null: none. */
  campaignId: string | null
  /** The environment's time when it was claimed. */
  now: Date
}

/** Claims an import for a run, even if another run had claimed it; null: it has ended. */
export async function claimImport(tx: Tx, importId: string): Promise<ClaimedImport | null> {
  const { rows } = await sql<Omit<ClaimedImport, 'now'>>`
    update imports i set status = 'RUNNING', run_token = ${newId()}, started_at = coalesce(i.started_at, ${sqlNow(tx)}), progressed_at = ${sqlMachineNow}
    from workspaces w
    where i.tenant_id = ${getTenantId(tx)} and i.id = ${importId} and i.status in ('QUEUED', 'RUNNING')
    returning i.id, i.run_token as "runToken", i.dry_run as "dryRun", i.on_match as "onMatch", i.keep_unknown as "keepUnknown",
      i.format->>'kind' as kind, i.format->'hasHeader' as "hasHeader", i.attestation, i.attested_by as "attestedBy", i.campaign_id as "campaignId", i.headings, i.mapping, i.guessed_mapping as "guessedMapping", i.position, i.created, coalesce(i.country, w.country) as country, w.currency`.execute(
    tx,
  )
  return rows[0] ? { ...rows[0], now: getNow(tx) } : null
}

export interface StoredRow {
  number: number
  result: RowResult
  reason: Reason | null
  repeats: number | null
  problems: { column: string | null; code: string; message: string }[]
  leadId: string | null
  /** Why the lead did not become a recipient of the campaign. */
  notJoined?: NotJoined
}

/** Stores the results of rows. */
export async function insertRows(tx: Tx, importId: string, rows: StoredRow[]): Promise<void> {
  const json = rows.map(({ leadId, problems, reason, repeats, number, result, notJoined }) => ({
    number,
    result,
    // Omitted keys become null; most rows have none of these.
    ...(leadId !== null && { lead_id: leadId }),
    ...(reason !== null && { reason }),
    ...(repeats !== null && { repeats }),
    ...(problems.length > 0 && { problems }),
    ...(notJoined && { not_joined: notJoined }),
  }))
  await sql`
    insert into import_rows (tenant_id, import_id, number, result, reason, repeats, problems, not_joined, lead_id)
    select ${getTenantId(tx)}::uuid, ${importId}::uuid, number, result, reason, repeats, problems, not_joined, lead_id
    from json_to_recordset(${JSON.stringify(json)}::json)
      as r (number int, result text, reason text, repeats int, problems jsonb, not_joined jsonb, lead_id uuid)
    returning true`.execute(tx)
}

export interface StoredChange {
  number: number
  leadId: string
  changes: object
  noteId: string | null
}

/** Stores the changes of leads, for a later undo. */
export async function insertChanges(tx: Tx, importId: string, changes: StoredChange[]): Promise<void> {
  if (changes.length === 0) return
  const json = changes.map(({ leadId, noteId, ...change }) => ({
    ...change,
    lead_id: leadId,
    note_id: noteId,
  }))
  await sql`
    insert into import_changes (tenant_id, import_id, number, lead_id, changes, note_id)
    select ${getTenantId(tx)}::uuid, ${importId}::uuid, number, lead_id, changes, note_id
    from jsonb_to_recordset(${JSON.stringify(json)}::jsonb)
      as c (number int, lead_id uuid, changes jsonb, note_id uuid)
    returning true`.execute(tx)
}

/** Finds the first row of this import for each lead. */
export async function findFirstRowByLead(
  tx: Tx,
  importId: string,
  leadIds: string[],
): Promise<Map<string, number>> {
  if (leadIds.length === 0) return new Map()
  const { rows } = await sql<{ leadId: string; number: number }>`
    select lead_id as "leadId", min(number) as number from import_rows
    where tenant_id = ${getTenantId(tx)} and import_id = ${importId} and lead_id = any(${leadIds}::uuid[]) group by lead_id`.execute(
    tx,
  )
  return new Map(rows.map(({ leadId, number }) => [leadId, number]))
}

export interface ProgressUpdate {
  position: number
  bytesRead: number
  counts: Record<RowResult, number>
  /** Leads that became recipients of the campaign. */
  joined: number
}

/** Locks the import for a batch. Throws ClaimLost if another run has claimed it, or it has ended. */
export async function lockClaim(tx: Tx, { id, runToken }: ClaimedImport): Promise<void> {
  const { rows } = await sql`
    select from imports where tenant_id = ${getTenantId(tx)} and id = ${id} and run_token = ${runToken} for update`.execute(
    tx,
  )
  if (rows.length === 0) throw new ClaimLost()
}

/** Adds to the counters and moves the position. Call it in the transaction that stores the rows. */
export async function saveProgress(
  tx: Tx,
  importId: string,
  { position, bytesRead, counts, joined }: ProgressUpdate,
): Promise<void> {
  await sql`
    update imports set position = ${position}, bytes_read = greatest(bytes_read, ${bytesRead}), progressed_at = ${sqlMachineNow},
      created = created + ${counts.created}, updated = updated + ${counts.updated}, unchanged = unchanged + ${counts.unchanged},
      skipped = skipped + ${counts.skipped}, failed = failed + ${counts.failed}, joined = joined + ${joined}
    where tenant_id = ${getTenantId(tx)} and id = ${importId}`.execute(tx)
}

/** Stores the mapping with its new columns. */
export async function updateMapping(
  tx: Tx,
  importId: string,
  { mapping, guessedMapping }: ExtendedMapping,
): Promise<void> {
  await sql`
    update imports i set mapping = ${JSON.stringify(mapping)}::json, guessed_mapping = ${JSON.stringify(guessedMapping)}::json,
      format = ${formatWithWarnings(mapping)}
    where i.tenant_id = ${getTenantId(tx)} and i.id = ${importId}`.execute(tx)
}

export interface Completion {
  status: 'COMPLETED' | 'FAILED'
  error: { code: string; message: string } | null
  /** The hours for which the file is kept; 0: it is deleted. */
  fileHours: number
}

/** Ends a run. False: another run has claimed the import, or it has ended. */
export async function finish(
  tx: Tx,
  { id, runToken }: ClaimedImport,
  { status, error, fileHours }: Completion,
): Promise<boolean> {
  const { rows } = await sql`
    update imports set status = ${status}, run_token = null, finished_at = ${sqlNow(tx)}, progressed_at = ${sqlMachineNow},
      error_code = ${error?.code ?? null}, error_message = ${error?.message ?? null},
      rows_total = case when ${status} = 'COMPLETED' then created + updated + unchanged + skipped + failed end,
      file_kept_until = ${fileHours > 0 ? new Date(getNow(tx).getTime() + fileHours * 3_600_000) : null}
    where tenant_id = ${getTenantId(tx)} and id = ${id} and run_token = ${runToken} returning id`.execute(tx)
  return rows.length === 1
}

/** The counts and flags of an import that has ended. */
export interface ImportTotals {
  created: number
  updated: number
  /** The rows with a new or changed lead that still exists. */
  leads: number
  dryRun: boolean
  hasFile: boolean
  campaignId: string | null
}

export async function getTotals(tx: Tx, importId: string): Promise<ImportTotals> {
  const { rows } = await sql<ImportTotals>`
    select created, updated, dry_run as "dryRun", campaign_id as "campaignId", coalesce(file_kept_until > ${sqlNow(tx)}, false) as "hasFile", (
      select count(*) from import_rows r
      where r.tenant_id = i.tenant_id and r.import_id = i.id and r.result in ('created', 'updated') and r.lead_id is not null) as leads
    from imports i where i.tenant_id = ${getTenantId(tx)} and i.id = ${importId}`.execute(tx)
  return rows[0]!
}

/** Lists new and changed leads in the order of the file: `limit` of them at most, after the row `after`. */
export async function listLeadIds(
  tx: Tx,
  importId: string,
  after: number,
  limit: number,
): Promise<{ number: number; leadId: string }[]> {
  const { rows } = await sql<{ number: number; leadId: string }>`
    select number, lead_id as "leadId" from import_rows
    where tenant_id = ${getTenantId(tx)} and import_id = ${importId} and number > ${after} and result in ('created', 'updated') and lead_id is not null
    order by number limit ${limit}`.execute(tx)
  return rows
}
