/** Every SQL statement of extractions. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { jsonObject, jsonObjectText } from '../../kit/db/json.ts'
import { newId } from '../../kit/id.ts'
import type { ExtractionOptions, FailureCode } from './schemas.ts'

const progressText = jsonObjectText(`e.pages_fetched as "pagesFetched", e.listings_found as "listingsFound",
  e.listings_read as "listingsRead", e.leads_created as "leadsCreated", e.leads_updated as "leadsUpdated",
  e.duplicates, e.skipped, e.failed,
  case when e.status = 'COMPLETED' then 100 when coalesce(e.promised, 0) = 0 then 0
    else least(99, 100 * greatest(e.leads_matched, e.listings_found) / least(e.max_results, e.promised)) end as percent`)

const progressJson = sql.raw(progressText)

const errorText = jsonObjectText(`e.error_code as code, e.error_message as message`)

const extractionJson =
  jsonObject(`e.id as "extractionId", e.status, e.platform, e.filters, e.max_results as "maxResults",
  e.options, e.campaign_id as "campaignId", t.environment, e.outcome, ${progressText} as progress,
  e.skipped_by_reason as "skippedByReason", case when e.error_code is not null then ${errorText} end as error,
  aldaba.iso_time(e.created_at) as "createdAt", aldaba.iso_time(e.started_at) as "startedAt", aldaba.iso_time(e.finished_at) as "finishedAt"`)

/** An extraction as the JSON of the contract; null if there is none. */
export async function findExtraction(tx: Tx, extractionId: string): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${extractionJson}::text as json from extractions e join tenants t on t.id = e.tenant_id where e.id = ${extractionId}`.execute(
    tx,
  )
  return rows[0]?.json ?? null
}

export interface NewExtractionRow {
  platform: string
  filters: object
  maxResults: number
  options: ExtractionOptions
}

/** Returns the id. */
export async function insertExtraction(tx: Tx, extraction: NewExtractionRow): Promise<string> {
  const id = newId()
  await tx
    .insertInto('extractions')
    .values({
      id,
      platform: extraction.platform,
      filters: storableJson(extraction.filters),
      max_results: extraction.maxResults,
      options: storableJson(extraction.options),
      created_at: new Date(),
    })
    .execute()
  return id
}

/** Half a surrogate pair is no JSON to PostgreSQL: it becomes what it becomes in a column of text. */
function storableJson(value: object): string {
  return JSON.stringify(value, (_name, part) => (typeof part === 'string' ? part.toWellFormed() : part))
}

export interface ClaimedExtraction {
  id: string
  /** Every write of this run carries it; another run's claim makes it void. */
  runToken: string
  platform: string
  environment: 'live' | 'test'
  filters: Record<string, unknown>
  maxResults: number
  options: ExtractionOptions
  campaignId: string | null
  nextPage: number
  leadsMatched: number
  isFirstRun: boolean
}

/** Takes an extraction that is not finished, whoever had it before; null if it is finished. */
export async function claimExtraction(tx: Tx, extractionId: string): Promise<ClaimedExtraction | null> {
  const runToken = newId()
  const { rows } = await sql<ClaimedExtraction>`
    with before as (
      select id, started_at is null as is_first from extractions
      where id = ${extractionId} and status in ('QUEUED', 'RUNNING') for update
    )
    update extractions e set status = 'RUNNING', run_token = ${runToken}, started_at = coalesce(e.started_at, now())
    from before b, tenants t
    where e.id = b.id and t.id = e.tenant_id
    returning e.id, e.run_token as "runToken", e.platform, t.environment, e.filters, e.max_results as "maxResults", e.options,
      e.campaign_id as "campaignId", e.next_page as "nextPage", e.leads_matched as "leadsMatched", b.is_first as "isFirstRun"`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** Which of these adverts this extraction has dealt with already. */
export async function listKnownListings(
  tx: Tx,
  extractionId: string,
  listingIds: string[],
): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('extraction_listings')
    .select('listing_id')
    .where('extraction_id', '=', extractionId)
    .where(sql<boolean>`listing_id = any(${listingIds})`)
    .execute()
  return new Set(rows.map(row => row.listing_id))
}

export interface ListingResult {
  listingId: string
  result: 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed'
  leadId: string | null
}

export async function insertListingResults(
  tx: Tx,
  extractionId: string,
  results: ListingResult[],
): Promise<void> {
  if (results.length === 0) return
  await sql`
    insert into extraction_listings (extraction_id, listing_id, result, lead_id)
    select ${extractionId}, "listingId", result, "leadId"
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as r ("listingId" text, result text, "leadId" uuid)
    on conflict do nothing`.execute(tx)
}

export interface PageProgress {
  nextPage: number
  promised: number | null
  listingsFound: number
  listingsRead: number
  leadsCreated: number
  leadsUpdated: number
  leadsMatched: number
  duplicates: number
  failed: number
  skippedByReason: Record<string, number>
}

/** Adds a page to the counters and moves on. False: another run has claimed the extraction, and nothing was written. */
export async function advance(
  tx: Tx,
  { id, runToken }: ClaimedExtraction,
  page: PageProgress,
): Promise<boolean> {
  const skipped = Object.values(page.skippedByReason).reduce((sum, count) => sum + count, 0)
  const { numAffectedRows } = await sql`
    update extractions set next_page = ${page.nextPage}, promised = coalesce(${page.promised}, promised),
      pages_fetched = pages_fetched + 1, listings_found = listings_found + ${page.listingsFound},
      listings_read = listings_read + ${page.listingsRead}, leads_created = leads_created + ${page.leadsCreated},
      leads_updated = leads_updated + ${page.leadsUpdated}, leads_matched = leads_matched + ${page.leadsMatched},
      duplicates = duplicates + ${page.duplicates}, skipped = skipped + ${skipped}, failed = failed + ${page.failed},
      skipped_by_reason = (
        select coalesce(jsonb_object_agg(key, total), '{}') from (
          select key, sum(value::int) as total
          from (select * from jsonb_each_text(skipped_by_reason) union all select * from jsonb_each_text(${JSON.stringify(page.skippedByReason)}::jsonb)) both_counts
          group by key) totals)
    where id = ${id} and run_token = ${runToken} and status = 'RUNNING'`.execute(tx)
  return numAffectedRows === 1n
}

export interface Ending {
  status: 'COMPLETED' | 'FAILED'
  outcome: 'full' | 'partial' | null
  error: { code: FailureCode; message: string } | null
}

/** Ends the extraction. False: another run has claimed it. */
export async function finish(tx: Tx, { id, runToken }: ClaimedExtraction, ending: Ending): Promise<boolean> {
  const result = await tx
    .updateTable('extractions')
    .set({
      status: ending.status,
      outcome: ending.outcome,
      error_code: ending.error?.code ?? null,
      error_message: ending.error?.message ?? null,
      finished_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('run_token', '=', runToken)
    .where('status', '=', 'RUNNING')
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export interface Summary {
  createdAt: Date
  progress: Record<string, number>
  skippedByReason: Record<string, number>
  leadsCreated: number
  leadsUpdated: number
  /** Ids of new and changed leads, oldest first. */
  leadIds: string[]
}

/** Whether all that was asked for was read: up to the cap, or every advert that the portal promised, none failing. */
export async function isWhole(tx: Tx, extractionId: string): Promise<boolean> {
  const { rows } = await sql<{ whole: boolean }>`
    select failed = 0 and not skipped_by_reason ? 'quotaExceeded'
      and (leads_matched >= max_results or listings_found >= coalesce(promised, 0)) as whole
    from extractions where id = ${extractionId}`.execute(tx)
  return rows[0]!.whole
}

/** What the events at the end tell. */
export async function summarize(tx: Tx, extractionId: string): Promise<Summary> {
  const { rows } = await sql<Summary>`
    select e.created_at as "createdAt", ${progressJson} as progress, e.skipped_by_reason as "skippedByReason",
      e.leads_created as "leadsCreated", e.leads_updated as "leadsUpdated",
      coalesce((select array_agg(lead_id::text order by lead_id) from extraction_listings l
        where l.extraction_id = e.id and l.result in ('created', 'updated') and l.lead_id is not null), '{}') as "leadIds"
    from extractions e where e.id = ${extractionId}`.execute(tx)
  return rows[0]!
}
