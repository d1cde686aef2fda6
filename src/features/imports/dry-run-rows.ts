/** The rows of a dry run, stored until it ends: later rows that may repeat one of them are compared with it. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { sanitizeJson } from '../../kit/sanitize-text.ts'
import type { LeadInput, PreparedLead } from '../leads/service.ts'

/** A row as it would be imported. */
export interface DryRunRow {
  number: number
  input: LeadInput
  externalId: string | null
  prepared?: PreparedLead
}

/** The most rows read per fingerprint. One with more rows is too general; the other fingerprints of a row find its match. */
const rowsPerFingerprintMax = 100
/** The most rows read per batch. */
const dryRunRowsMax = 2000

/** Finds earlier rows with any of these fingerprints, in the order of the file. */
export async function findDryRunRows(tx: Tx, importId: string, fingerprints: string[]): Promise<DryRunRow[]> {
  if (fingerprints.length === 0) return []
  const { rows } = await sql<{ number: number; stored: Omit<DryRunRow, 'number'> }>`
    select t.number, t.input as stored from import_dry_run_rows t
    where t.tenant_id = ${getTenantId(tx)} and t.import_id = ${importId} and t.number = any(array(
      select distinct m.number from unnest(${fingerprints}::text[]) v (fingerprint)
      cross join lateral (
        select number from import_fingerprints i
        where i.tenant_id = ${getTenantId(tx)} and i.import_id = ${importId} and i.fingerprint = v.fingerprint order by number limit ${rowsPerFingerprintMax}) m
      order by 1 limit ${dryRunRowsMax}))
    order by t.number`.execute(tx)
  return rows.map(({ number, stored }) => ({ number, ...stored }))
}

/** Stores rows, so that later ones are compared with them. */
export async function insertDryRunRows(
  tx: Tx,
  importId: string,
  dryRunRows: (DryRunRow & { fingerprints: string[] })[],
): Promise<void> {
  if (dryRunRows.length === 0) return
  const stored = dryRunRows.map(({ number, input, externalId }) => ({ number, input: { input, externalId } }))
  await sql`
    insert into import_dry_run_rows (tenant_id, import_id, number, input)
    select ${getTenantId(tx)}::uuid, ${importId}::uuid, number, input
    from jsonb_to_recordset(${sanitizeJson(stored)}::jsonb) as t (number integer, input jsonb)
    returning true`.execute(tx)
  const fingerprints = dryRunRows.flatMap(({ number, fingerprints }) =>
    fingerprints.map(fingerprint => ({ fingerprint, number })),
  )
  await sql`
    insert into import_fingerprints (tenant_id, import_id, fingerprint, number)
    select ${getTenantId(tx)}::uuid, ${importId}::uuid, fingerprint, number
    from jsonb_to_recordset(${JSON.stringify(fingerprints)}::jsonb) as m (fingerprint text, number integer)
    on conflict do nothing`.execute(tx)
}

/** Deletes the rows and fingerprints of a dry run that has ended. */
export async function deleteDryRunRows(tx: Tx, importId: string): Promise<void> {
  await sql`delete from import_dry_run_rows where tenant_id = ${getTenantId(tx)} and import_id = ${importId}`.execute(
    tx,
  )
  await sql`delete from import_fingerprints where tenant_id = ${getTenantId(tx)} and import_id = ${importId}`.execute(
    tx,
  )
}
