/** The SQL statements of a run: taking an import, moving on, ending it, and undoing it. */

import { sql } from 'kysely'
import type { Mapping } from '../../domain/table/lead-fields.ts'
import { getNow, sqlMachineNow, sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { newId } from '../../kit/id.ts'
import { ClaimLost } from '../../kit/operations/run.ts'
import type { ExtendedMapping } from './columns.ts'
import type { FileKind } from './parse-head.ts'
import type { Reason } from './reasons.ts'
import type { RowResult } from './schemas.ts'
import { formatWithWarnings } from './warnings.ts'

export interface ClaimedImport {
  id: string
  /** Every write of this run carries it; another run's claim makes it void. */
  runToken: string
  dryRun: boolean
  onMatch: 'update' | 'skip'
  keepUnknown: boolean
  kind: FileKind
  /** Whether the table has headings; null: it is no table. */
  hasHeader: boolean | null
  headings: string[]
  mapping: Mapping
  guessedMapping: Mapping
  /** The last row that is dealt with. */
  position: number
  /** Rows that have become leads, or would. */
  created: number
  /** How telephone numbers and prices are read: as in the workspace, unless the import says otherwise. */
  country: string
  currency: string
  /** What shows the lawful bases that rows state without a proof of their own, and who says so; null: nobody does. */
  attestation: string | null
  attestedBy: string | null
  /** The environment's time when it was claimed. */
  now: Date
}

/** Takes an import that is to run, whoever had it before; null if it is not to run any more. */
export async function claimImport(tx: Tx, importId: string): Promise<ClaimedImport | null> {
  const { rows } = await sql<Omit<ClaimedImport, 'now'>>`
    update imports i set status = 'RUNNING', run_token = ${newId()}, started_at = coalesce(i.started_at, ${sqlNow(tx)}), progressed_at = ${sqlMachineNow}
    from workspaces w
    where i.tenant_id = ${getTenantId(tx)} and i.id = ${importId} and i.status in ('QUEUED', 'RUNNING')
    returning i.id, i.run_token as "runToken", i.dry_run as "dryRun", i.on_match as "onMatch", i.keep_unknown as "keepUnknown",
      i.format->>'kind' as kind, i.format->'hasHeader' as "hasHeader", i.attestation, i.attested_by as "attestedBy", i.headings, i.mapping, i.guessed_mapping as "guessedMapping", i.position, i.created, coalesce(i.country, w.country) as country, w.currency`.execute(
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
}

/** Writes what became of rows. */
export async function insertRows(tx: Tx, importId: string, rows: StoredRow[]): Promise<void> {
  const json = rows.map(({ leadId, problems, reason, repeats, number, result }) => ({
    number,
    result,
    // What is missing is null: most rows say nothing of these.
    ...(leadId !== null && { lead_id: leadId }),
    ...(reason !== null && { reason }),
    ...(repeats !== null && { repeats }),
    ...(problems.length > 0 && { problems }),
  }))
  await sql`
    insert into import_rows (tenant_id, import_id, number, result, reason, repeats, problems, lead_id)
    select ${getTenantId(tx)}::uuid, ${importId}::uuid, number, result, reason, repeats, problems, lead_id
    from json_to_recordset(${JSON.stringify(json)}::json)
      as r (number int, result text, reason text, repeats int, problems jsonb, lead_id uuid)
    returning true`.execute(tx)
}

export interface StoredChange {
  number: number
  leadId: string
  changes: object
  noteId: string | null
}

/** Writes what undoing will need. */
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

/** By lead, the first row of this import that is of it. */
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
}

/** Locks the import for a batch. Throws ClaimLost if it is no longer this run's. */
export async function lockClaim(tx: Tx, { id, runToken }: ClaimedImport): Promise<void> {
  const { rows } = await sql`
    select from imports where tenant_id = ${getTenantId(tx)} and id = ${id} and run_token = ${runToken} for update`.execute(
    tx,
  )
  if (rows.length === 0) throw new ClaimLost()
}

/** Moves on, in the transaction of what was written. */
export async function saveProgress(
  tx: Tx,
  importId: string,
  { position, bytesRead, counts }: ProgressUpdate,
): Promise<void> {
  await sql`
    update imports set position = ${position}, bytes_read = greatest(bytes_read, ${bytesRead}), progressed_at = ${sqlMachineNow},
      created = created + ${counts.created}, updated = updated + ${counts.updated}, unchanged = unchanged + ${counts.unchanged},
      skipped = skipped + ${counts.skipped}, failed = failed + ${counts.failed}
    where tenant_id = ${getTenantId(tx)} and id = ${importId}`.execute(tx)
}

/** Keeps what the names are that have come up. */
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
  /** Hours for which the file stays; 0: it goes. */
  fileHours: number
}

/** Ends a run. False: it is no longer this run's. */
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

/** What an import brought. */
export interface ImportTotals {
  created: number
  updated: number
  /** Rows with a new or changed lead that still is there. */
  leads: number
  dryRun: boolean
  hasFile: boolean
}

export async function getTotals(tx: Tx, importId: string): Promise<ImportTotals> {
  const { rows } = await sql<ImportTotals>`
    select created, updated, dry_run as "dryRun", coalesce(file_kept_until > ${sqlNow(tx)}, false) as "hasFile", (
      select count(*) from import_rows r
      where r.tenant_id = i.tenant_id and r.import_id = i.id and r.result in ('created', 'updated') and r.lead_id is not null) as leads
    from imports i where i.tenant_id = ${getTenantId(tx)} and i.id = ${importId}`.execute(tx)
  return rows[0]!
}

/** New and changed leads in the order of the file: at most `limit` after the row `after`. */
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
