/** What has become of the rows of a file that was uploaded to a campaign. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { messageSql } from './reasons.ts'
import type { ImportStatus } from './schemas.ts'

export interface RefusedRow {
  rowNumber: number
  leadId: string | null
  code: string
  message: string
}

export interface ImportReport {
  status: ImportStatus
  /** The rows read until now. */
  rows: number
  joined: number
  /** Why the file could not be read to its end; null: it could, or is being read. */
  error: { code: string; message: string } | null
  refusedByReason: Record<string, number>
  /** The first of them, in the order of the file. */
  refusedRows: RefusedRow[]
}

/** SQL: a row `r` from which no recipient came. A known lead that the file does not change joins all the same. */
const isRefused = sql.raw(
  `(r.not_joined is not null or r.result in ('skipped', 'failed') and r.reason is distinct from 'LEAD_EXISTS')`,
)

export async function readImportReport(tx: Tx, importId: string, refusedMax: number): Promise<ImportReport> {
  const tenantId = getTenantId(tx)
  const code = sql.raw(`coalesce(r.not_joined ->> 'code', r.reason)`)
  const { rows } = await sql<ImportReport>`
    select i.status, i.created + i.updated + i.unchanged + i.skipped + i.failed as rows, i.joined,
      case when i.error_code is not null then jsonb_build_object('code', i.error_code, 'message', i.error_message) end as error,
      (select coalesce(jsonb_object_agg(code, count), '{}') from (
        select ${code} as code, count(*) from import_rows r
        where r.tenant_id = ${tenantId} and r.import_id = ${importId} and ${isRefused} group by 1) counted) as "refusedByReason",
      (select coalesce(jsonb_agg(jsonb_build_object('rowNumber', number, 'leadId', lead_id, 'code', code, 'message', message) order by number), '[]') from (
        select r.number, r.lead_id, ${code} as code, coalesce(r.not_joined ->> 'message', ${sql.raw(messageSql)}) as message
        from import_rows r where r.tenant_id = ${tenantId} and r.import_id = ${importId} and ${isRefused}
        order by r.number limit ${refusedMax}) refused) as "refusedRows"
    from imports i where i.tenant_id = ${tenantId} and i.id = ${importId}`.execute(tx)
  return rows[0]!
}

/** The rows of the last file for a campaign that the quota of leads has refused. Null: it has refused none. */
export async function findRowsOverQuota(
  tx: Tx,
  campaignId: string,
): Promise<{ count: number; createdAt: Date } | null> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ count: number; createdAt: Date }>`
    select i.created_at as "createdAt", (
      select count(*) from import_rows r
      where r.tenant_id = ${tenantId} and r.import_id = i.id and r.result = 'skipped' and r.reason = 'QUOTA_EXCEEDED') as count
    from (
      select id, created_at from imports where tenant_id = ${tenantId} and campaign_id = ${campaignId}
      order by id desc limit 1) i`.execute(tx)
  const [last] = rows
  return last && last.count > 0 ? last : null
}
