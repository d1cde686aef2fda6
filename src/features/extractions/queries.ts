/** The SQL statements of the API: find, list, insert, resume and cancel extractions. */

import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { createId, getNow, sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { fetchPage, jsonObject, jsonObjectText, type ListRow, type Page } from '../../kit/db/json.ts'
import type { Position } from '../../kit/page.ts'
import { sanitizeJson } from '../../kit/sanitize-text.ts'
import { progressText } from './progress-columns.ts'
import type { ExtractionFilter, ExtractionOptions } from './schemas.ts'

const errorText = jsonObjectText(`e.error_code as code, e.error_message as message`)

const extractionJson =
  jsonObject(`e.id as "extractionId", e.status, e.platform, e.filters, e.max_results as "maxResults",
  jsonb_build_object('publishedWithinDays', null) || e.options as options, e.campaign_id as "campaignId", t.environment, e.outcome,
  e.capped, e.reported_total as "portalTotal", ${progressText} as progress,
  e.skipped_by_reason as "skippedByReason", case when e.error_code is not null then ${errorText} end as error,
  aldaba.iso_time(e.created_at) as "createdAt", aldaba.iso_time(e.started_at) as "startedAt", aldaba.iso_time(e.finished_at) as "finishedAt"`)

/** Finds an extraction as the JSON text of the API's `Extraction`; null: there is none. */
export async function findExtraction(tx: Tx, extractionId: string): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${extractionJson}::text as json from extractions e join tenants t on t.id = e.tenant_id
    where e.tenant_id = ${getTenantId(tx)} and e.id = ${extractionId}`.execute(tx)
  return rows[0]?.json ?? null
}

/** Reads extractions to embed in event messages: see EmbeddedObject. */
export async function readExtractions(
  tx: Tx,
  ids: string[],
  maxBytes: number,
): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ id: string; json: string | null }>`
    select id, case when octet_length(json) <= ${maxBytes} then json end as json from (
      select e.id, ${extractionJson}::text as json from extractions e join tenants t on t.id = e.tenant_id
      where e.tenant_id = ${getTenantId(tx)} and e.id = any(${ids}::uuid[]) offset 0) e`.execute(tx)
  return new Map(rows.map(({ id, json }) => [id, json]))
}

/** A page of extractions, the newest first. */
export function listExtractions(tx: Tx, filter: ExtractionFilter, after: Position | null): Promise<Page> {
  const conditions: RawBuilder<unknown>[] = [sql`e.tenant_id = ${getTenantId(tx)}`]
  if (filter.status) conditions.push(sql`e.status = ${filter.status}`)
  if (filter.platform) conditions.push(sql`e.platform = ${filter.platform}`)
  if (filter.campaignId) conditions.push(sql`e.campaign_id = ${filter.campaignId}`)
  if (after) conditions.push(sql`e.id < ${after[0]}::uuid`)
  return fetchPage(
    tx,
    sql<ListRow>`
      select ${extractionJson} as json, array[e.id::text] as position
      from extractions e join tenants t on t.id = e.tenant_id
      where ${sql.join(conditions, sql` and `)}
      order by e.id desc
      limit ${filter.limit + 1}`,
    filter.limit,
  )
}

export interface NewExtractionRow {
  platform: string
  filters: object
  maxResults: number
  options: ExtractionOptions
  /** Omitted: no campaign starts it. */
  campaignId?: string
}

/** Returns the id. */
export async function insertExtraction(tx: Tx, extraction: NewExtractionRow): Promise<string> {
  const id = createId(tx)
  await sql`
    insert into extractions (tenant_id, id, platform, filters, max_results, options, campaign_id, search_key, created_at)
    values (${getTenantId(tx)}, ${id}, ${extraction.platform}, ${sanitizeJson(extraction.filters)}::jsonb, ${extraction.maxResults},
      ${sanitizeJson(extraction.options)}::jsonb, ${extraction.campaignId ?? null}, ${toSearchKey(extraction)}, ${getNow(tx)})`.execute(
    tx,
  )
  return id
}

/** A hash that is the same for the same search: it ignores the order of filters and of list items, and the location's label. */
function toSearchKey({ platform, filters }: NewExtractionRow): string {
  const parts = Object.entries(filters)
    .map(([key, value]) => [
      key,
      key === 'location' ? (value as { id: string }).id : Array.isArray(value) ? value.toSorted() : value,
    ])
    .sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1))
  return hash('sha256', JSON.stringify([platform, parts]))
}

/**
 * Inserts an extraction that resumes one that failed or was cancelled. It starts at the cursor, or from the beginning if
 * some listings could not be read. Returns its id; null: the other extraction has reached `maxResults`.
 */
export async function resumeExtraction(tx: Tx, extractionId: string): Promise<string | null> {
  const id = createId(tx)
  const { rows } = await sql`
    insert into extractions (tenant_id, id, platform, filters, max_results, options, campaign_id, search_key, cursor, since,
      reported_total, total_stable, search_started_at, resumed_from, processed_before, created_at)
    select tenant_id, ${id}, platform, filters, max_results - leads_matched, options, campaign_id, search_key, case when failed = 0 then cursor end,
      since, reported_total, total_stable, search_started_at, id, processed_before + listings_found - failed, ${getNow(tx)}
    from extractions where tenant_id = ${getTenantId(tx)} and id = ${extractionId} and leads_matched < max_results
    returning id`.execute(tx)
  return rows.length === 1 ? id : null
}

interface CancelledExtraction {
  platform: string
  campaignId: string | null
  wasQueued: boolean
}

/** Marks an active extraction as cancelled. `wasQueued`: it had not started. Null: it has already ended, or there is none. */
export async function cancelExtraction(tx: Tx, extractionId: string): Promise<CancelledExtraction | null> {
  const { rows } = await sql<CancelledExtraction>`
    with before as (
      select id, status from extractions where tenant_id = ${getTenantId(tx)} and id = ${extractionId} for update)
    update extractions e set status = 'CANCELLED', outcome = case when e.leads_matched > 0 then 'partial' end,
      run_token = null, finished_at = ${sqlNow(tx)}
    from before b where e.tenant_id = ${getTenantId(tx)} and e.id = b.id and b.status in ('QUEUED', 'RUNNING')
    returning e.platform, e.campaign_id as "campaignId", b.status = 'QUEUED' as "wasQueued"`.execute(tx)
  return rows[0] ?? null
}
