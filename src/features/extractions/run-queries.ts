/** The SQL statements of a run: claim an extraction, record its progress, finish it. */

import { sql } from 'kysely'
import type { Cursor } from '../../crawl/crawl.ts'
import type { FailureCode } from '../../crawl/failure.ts'
import type { Validators } from '../../crawl/portal-client.ts'
import { getNow, sqlMachineNow, sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { newId } from '../../kit/id.ts'
import { progressText } from './progress-columns.ts'
import type { ExtractionOptions } from './schemas.ts'

const progressJson = sql.raw(progressText)

export interface ClaimedExtraction {
  id: string
  /** Identifies this run. Every write checks it; a later claim by another run replaces it. */
  runToken: string
  platform: string
  environment: 'live' | 'test'
  filters: Record<string, unknown>
  maxResults: number
  options: ExtractionOptions
  campaignId: string | null
  searchKey: string
  cursor: Cursor | null
  /** For an incremental run: when the last exhaustive run of this search started. */
  since: Date | null
  /** For an incremental run of a feed: the validators of the version that the last exhaustive run read. */
  lastFeedValidators: Validators | null
  leadsMatched: number
  /** The time since it was first claimed. */
  startedAgoMs: number
  isFirstRun: boolean
  /** Its own id, then those of the extractions that it resumes. */
  chain: string[]
}

/** Claims an extraction for a run, even if another run had claimed it; null: it has ended. */
export async function claimExtraction(tx: Tx, extractionId: string): Promise<ClaimedExtraction | null> {
  const { rows: locked } = await sql<{ searchKey: string; isFirstRun: boolean; isIncremental: boolean }>`
    select search_key as "searchKey", started_at is null as "isFirstRun", coalesce((options->>'incremental')::boolean, false) as "isIncremental"
    from extractions
    where tenant_id = ${getTenantId(tx)} and id = ${extractionId} and status in ('QUEUED', 'RUNNING') for update`.execute(
    tx,
  )
  const [before] = locked
  if (!before) return null
  const [chain, last] = await Promise.all([
    listChain(tx, extractionId),
    before.isIncremental ? findLastExhaustive(tx, before.searchKey) : undefined,
  ])
  const since = before.isFirstRun ? (last?.startedAt ?? null) : null
  const { rows } = await sql<Omit<ClaimedExtraction, 'lastFeedValidators' | 'isFirstRun' | 'chain'>>`
    update extractions e set status = 'RUNNING', progressed_at = ${sqlMachineNow}, run_token = ${newId()}, started_at = coalesce(e.started_at, ${sqlNow(tx)}),
      search_started_at = coalesce(e.search_started_at, ${sqlNow(tx)}), since = coalesce(e.since, ${since}::timestamptz)
    from tenants t
    where e.tenant_id = ${getTenantId(tx)} and e.id = ${extractionId} and t.id = e.tenant_id
    returning e.id, e.run_token as "runToken", e.platform, t.environment, e.filters, e.max_results as "maxResults", e.options,
      e.campaign_id as "campaignId", e.search_key as "searchKey", e.cursor, e.since,
      e.leads_matched as "leadsMatched", extract(epoch from ${sqlNow(tx)} - e.started_at)::float8 * 1000 as "startedAgoMs"`.execute(
    tx,
  )
  return { ...rows[0]!, isFirstRun: before.isFirstRun, lastFeedValidators: last?.feed ?? null, chain }
}

/** Lists its own id, then those of the extractions that it resumes. */
export async function listChain(tx: Tx, extractionId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive chain (id, resumed_from) as (
      select id, resumed_from from extractions where tenant_id = ${getTenantId(tx)} and id = ${extractionId}
      union all
      select e.id, e.resumed_from from extractions e join chain c on e.id = c.resumed_from where e.tenant_id = ${getTenantId(tx)})
    select id from chain order by id desc`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Finds the last exhaustive run of this search: when its search started, and the validators of the feed that it read. */
async function findLastExhaustive(
  tx: Tx,
  searchKey: string,
): Promise<{ startedAt: Date | null; feed: Validators | null } | undefined> {
  const { rows } = await sql<{ startedAt: Date | null; feed: Validators | null }>`
    select search_started_at as "startedAt", cursor->'feed' as feed from extractions
    where tenant_id = ${getTenantId(tx)} and search_key = ${searchKey} and exhaustive and status = 'COMPLETED'
    order by id desc limit 1`.execute(tx)
  return rows[0]
}

/** Lists which of these listings the chain has processed. Listings that earlier extractions failed to read do not count. */
export async function listProcessedIds(tx: Tx, chain: string[], listingIds: string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('extraction_listings')
    .select('listing_id')
    .where('tenant_id', '=', getTenantId(tx))
    .where(sql<boolean>`extraction_id = any(${chain}::uuid[])`)
    .where(sql<boolean>`(result <> 'failed' or extraction_id = ${chain[0]})`)
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
    insert into extraction_listings (tenant_id, extraction_id, listing_id, result, lead_id)
    select ${getTenantId(tx)}::uuid, ${extractionId}, "listingId", result, "leadId"
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as r ("listingId" text, result text, "leadId" uuid)
    on conflict do nothing`.execute(tx)
}

export interface ProgressDelta {
  /** Where the next run resumes; null: unchanged. */
  cursor: Cursor | null
  reportedTotal: number | null
  pagesFetched: number
  listingsFound: number
  listingsRead: number
  leadsCreated: number
  leadsUpdated: number
  leadsMatched: number
  duplicates: number
  failed: number
  skippedByReason: Record<string, number>
}

const progressEventSeconds = 10

/**
 * Adds to the counters and moves the cursor. Null: another run has claimed the extraction, or it was cancelled; nothing is
 * written. `progressToEmit`: the data of an `extraction.progress` event, at most every 10 s; null: none is due.
 */
export async function recordProgress(
  tx: Tx,
  { id, runToken }: ClaimedExtraction,
  delta: ProgressDelta,
): Promise<{ progressToEmit: Record<string, number> | null } | null> {
  const { rows } = await sql<{ isDue: boolean; skippedByReason: Record<string, number> }>`
    select coalesce(coalesce(progress_emitted_at, started_at) < ${sqlNow(tx)} - make_interval(secs => ${progressEventSeconds}), false) as "isDue",
      skipped_by_reason as "skippedByReason"
    from extractions
    where tenant_id = ${getTenantId(tx)} and id = ${id} and run_token = ${runToken} and status = 'RUNNING' for no key update`.execute(
    tx,
  )
  const [current] = rows
  if (!current) return null
  const skipped = Object.values(delta.skippedByReason).reduce((sum, count) => sum + count, 0)
  await sql`
    update extractions set cursor = coalesce(${delta.cursor && JSON.stringify(delta.cursor)}::jsonb, cursor),
      total_stable = total_stable and coalesce(${delta.reportedTotal}::int = reported_total, true),
      reported_total = coalesce(${delta.reportedTotal}::int, reported_total),
      pages_fetched = pages_fetched + ${delta.pagesFetched}, listings_found = listings_found + ${delta.listingsFound},
      listings_read = listings_read + ${delta.listingsRead}, leads_created = leads_created + ${delta.leadsCreated},
      leads_updated = leads_updated + ${delta.leadsUpdated}, leads_matched = leads_matched + ${delta.leadsMatched},
      duplicates = duplicates + ${delta.duplicates}, skipped = skipped + ${skipped}, failed = failed + ${delta.failed},
      skipped_by_reason = ${JSON.stringify(addCounts(current.skippedByReason, delta.skippedByReason))}::jsonb,
      progress_emitted_at = coalesce(${current.isDue ? getNow(tx) : null}::timestamptz, progress_emitted_at), progressed_at = ${sqlMachineNow}
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
  return { progressToEmit: current.isDue ? await readProgress(tx, id) : null }
}

function addCounts(current: Record<string, number>, added: Record<string, number>): Record<string, number> {
  const names = new Set([...Object.keys(current), ...Object.keys(added)])
  return Object.fromEntries([...names].map(name => [name, (current[name] ?? 0) + (added[name] ?? 0)]))
}

async function readProgress(tx: Tx, extractionId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ progress: Record<string, number> }>`
    select ${progressJson} as progress from extractions e
    where e.tenant_id = ${getTenantId(tx)} and e.id = ${extractionId}`.execute(tx)
  return rows[0]!.progress
}

export interface RunCompletion {
  status: 'COMPLETED' | 'FAILED'
  outcome: 'full' | 'partial' | null
  error: { code: FailureCode; message: string } | null
  exhaustive: boolean
  capped: boolean
  /** For a feed: a cursor with the validators of the version that was read; null: the stored cursor stays. */
  cursor: Cursor | null
}

/** Ends the extraction. False: another run has claimed it, or it was cancelled. */
export async function finishExtraction(
  tx: Tx,
  { id, runToken }: ClaimedExtraction,
  completion: RunCompletion,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update extractions set status = ${completion.status}, outcome = ${completion.outcome},
      error_code = ${completion.error?.code ?? null}, error_message = ${completion.error?.message ?? null},
      exhaustive = ${completion.exhaustive}, capped = ${completion.capped}, cursor = coalesce(${completion.cursor && JSON.stringify(completion.cursor)}::jsonb, cursor),
      finished_at = ${sqlNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${id} and run_token = ${runToken} and status = 'RUNNING'`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

/** How much of the search was read, derived from the counters. */
export interface Coverage {
  /** Every listing that the portal reported was read; none failed. */
  isFull: boolean
  /** It stopped at `maxResults`, and the portal has more. */
  isCapped: boolean
  /** Every listing of the search was seen, and the total that the portal reported stayed the same. */
  hasSeenAll: boolean
  /** The portal reported listings, but showed none. */
  isUnexpectedlyEmpty: boolean
  /** The listings found, without those that failed and those that robots.txt forbids. */
  parsedCount: number
  failed: number
  robotsDisallowed: number
}

/** `hasGaps`: the crawl knows that it did not see the whole search. If the portal reports no total, only this counts. */
export async function readCoverage(tx: Tx, extractionId: string, hasGaps: boolean): Promise<Coverage> {
  const { rows } = await sql<Coverage>`
    select failed = 0 and not skipped_by_reason ? 'quotaExceeded' and reaches_total as "isFull",
      leads_matched >= max_results and not reaches_total as "isCapped",
      total_stable and not skipped_by_reason ? 'quotaExceeded' and reaches_total as "hasSeenAll",
      reported_total > 0 and listings_found + processed_before + duplicates = 0 as "isUnexpectedlyEmpty",
      listings_found - failed - r.disallowed as "parsedCount", failed, r.disallowed as "robotsDisallowed"
    from extractions e,
      lateral (select coalesce((skipped_by_reason->>'robotsDisallowed')::int, 0) as disallowed) r,
      lateral (select not ${hasGaps}::boolean and listings_found + processed_before >= coalesce(reported_total, 0) as reaches_total) m
    where tenant_id = ${getTenantId(tx)} and id = ${extractionId}`.execute(tx)
  return rows[0]!
}

export interface Summary {
  createdAt: Date
  portalTotal: number | null
  progress: Record<string, number>
  skippedByReason: Record<string, number>
  leadsCreated: number
  leadsUpdated: number
  /** Ids of new and changed leads, oldest first. */
  leadIds: string[]
}

/** Reads the data of the final events. */
export async function readSummary(tx: Tx, extractionId: string): Promise<Summary> {
  const { rows } = await sql<Summary>`
    select e.created_at as "createdAt", e.reported_total as "portalTotal", ${progressJson} as progress, e.skipped_by_reason as "skippedByReason",
      e.leads_created as "leadsCreated", e.leads_updated as "leadsUpdated",
      coalesce((select array_agg(lead_id::text order by lead_id) from extraction_listings l
        where l.tenant_id = ${getTenantId(tx)} and l.extraction_id = e.id and l.result in ('created', 'updated') and l.lead_id is not null), '{}') as "leadIds"
    from extractions e where e.tenant_id = ${getTenantId(tx)} and e.id = ${extractionId}`.execute(tx)
  return rows[0]!
}

/** Locks the extraction until the transaction ends. False: another run has claimed it, or it has ended. */
export async function lockClaim(tx: Tx, { id, runToken }: ClaimedExtraction): Promise<boolean> {
  const { rows } = await sql`
    select from extractions
    where tenant_id = ${getTenantId(tx)} and id = ${id} and run_token = ${runToken} and status = 'RUNNING' for share`.execute(
    tx,
  )
  return rows.length === 1
}
