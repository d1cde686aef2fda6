/** The SQL statements of saved searches: what a search shows, and what has changed. */
import { type RawBuilder, sql } from 'kysely'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { ChangeType } from '../campaigns/notification-schemas.ts'
import type { goneReasons } from './schemas.ts'

export interface SearchState {
  /** Completed runs of the present search before the baseline was complete. */
  baselineRuns: number
  /** Null: the runs still learn what the search shows. */
  baselineAt: Date | null
}

/** Locks the state of the search until the transaction ends; creates it first. */
export async function lockState(tx: Tx, campaignId: string): Promise<SearchState> {
  const tenantId = getTenantId(tx)
  await sql`
    insert into campaign_searches (tenant_id, campaign_id) values (${tenantId}, ${campaignId})
    on conflict do nothing`.execute(tx)
  const { rows } = await sql<SearchState>`
    select baseline_runs as "baselineRuns", baseline_at as "baselineAt" from campaign_searches
    where tenant_id = ${tenantId} and campaign_id = ${campaignId} for no key update`.execute(tx)
  return rows[0]!
}

export async function hasBaseline(tx: Tx, campaignId: string): Promise<boolean> {
  const { rows } = await sql`
    select from campaign_searches
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and baseline_at is not null`.execute(
    tx,
  )
  return rows.length > 0
}

/** Counts a run of the baseline. `isComplete`: it is the last one. */
export async function recordBaselineRun(tx: Tx, campaignId: string, isComplete: boolean): Promise<void> {
  await sql`
    update campaign_searches set baseline_runs = baseline_runs + 1, baseline_at = ${isComplete ? getNow(tx) : null}
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}`.execute(tx)
}

/** A run whose extraction has ended. */
export interface SearchRun {
  id: string
  campaignId: string
  platform: string
  extractionId: string
  /** Its extraction, and those that this one resumes, which have read the first listings. */
  chain: string[]
}

export interface ShownListing {
  listingId: string
  leadId: string | null
  price: number | null
  currency: string | null
  /** The search has not shown it before. */
  isNew: boolean
  /** It was gone. */
  isReturned: boolean
  previousPrice: number | null
  previousCurrency: string | null
}

/** Also what other extractions of the same search have read since `since`: a run that reads only changes does not see it again. */
const fromShown = (tx: Tx, { extractionId, chain }: SearchRun, since: Date | null) => sql`
  extractions e join extraction_listings l on l.tenant_id = e.tenant_id and l.extraction_id = e.id
  where e.tenant_id = ${getTenantId(tx)} and ${
    since === null
      ? sql`e.id = any(${chain}::uuid[])`
      : sql`e.search_key = (select search_key from extractions where tenant_id = ${getTenantId(tx)} and id = ${extractionId})
    and coalesce(e.finished_at, 'infinity') >= ${since}::timestamptz`
  }`

/**
 * Lists listings that the search shows and that are not stored as they are now, `limit` of them at most. One that is gone is shown
 * again if it was seen since. The price is that of the
 * primary listing of a lead; that of another one is not known. `isBaseline`: also those whose page could not be read.
 */
export async function listShown(
  tx: Tx,
  run: SearchRun,
  { since, isBaseline, limit }: { since: Date | null; isBaseline: boolean; limit: number },
): Promise<ShownListing[]> {
  const tenantId = getTenantId(tx)
  const shown = isBaseline ? sql`(l.lead_id is not null or l.result = 'failed')` : sql`l.lead_id is not null`
  const price = sql`case when s.is_primary then d.listing_price end`
  const { rows } = await sql<ShownListing>`
    select l.listing_id as "listingId", s.lead_id as "leadId", (${price})::float8 as price, d.currency,
      k.listing_id is null as "isNew", coalesce(k.gone_at < s.last_seen_at, false) as "isReturned", k.price::float8 as "previousPrice",
      k.currency as "previousCurrency"
    from (
      select l.listing_id, bool_or(l.lead_id is not null) as is_read from ${fromShown(tx, run, since)} and ${shown}
      group by l.listing_id) l
    left join lead_sources s on s.tenant_id = ${tenantId} and s.platform = ${run.platform} and s.listing_id = l.listing_id
      and s.withdrawn_at is null and l.is_read
    left join leads d on d.tenant_id = ${tenantId} and d.id = s.lead_id
    left join campaign_search_listings k on k.tenant_id = ${tenantId} and k.campaign_id = ${run.campaignId}
      and k.listing_id = l.listing_id
    where (s.lead_id is not null or k.listing_id is null and not l.is_read) and (
      k.listing_id is null or s.lead_id is not null and (
        k.gone_at < s.last_seen_at or k.lead_id is distinct from s.lead_id
        or ${price} is not null and (k.price is distinct from ${price} or k.currency is distinct from d.currency)))
    order by l.listing_id limit ${limit}`.execute(tx)
  return rows
}

/** Stores what the search shows now. A price that is not known any more keeps its value. */
export async function storeShown(tx: Tx, campaignId: string, listings: ShownListing[]): Promise<void> {
  const now = getNow(tx)
  await sql`
    insert into campaign_search_listings as k (tenant_id, campaign_id, listing_id, lead_id, price, currency, first_seen_at)
    select ${getTenantId(tx)}::uuid, ${campaignId}::uuid, r."listingId", r."leadId", r.price, r.currency, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(listings)}::jsonb)
      as r ("listingId" text, "leadId" uuid, price numeric, currency text)
    on conflict (tenant_id, campaign_id, listing_id) do update set lead_id = excluded.lead_id, gone_at = null,
      price = coalesce(excluded.price, k.price),
      currency = case when excluded.price is null then k.currency else excluded.currency end`.execute(tx)
}

export interface GoneListing {
  listingId: string
  /** Null: its lead was deleted, so that nobody is to be notified. */
  leadId: string | null
  price: number | null
  currency: string | null
  isWithdrawn: boolean
}

/** Lists listings that are gone and not stored as gone, `limit` of them at most. `isComplete`: the run has read the whole search. */
export async function listGone(
  tx: Tx,
  { campaignId, platform, chain }: SearchRun,
  { isComplete, limit }: { isComplete: boolean; limit: number },
): Promise<GoneListing[]> {
  const tenantId = getTenantId(tx)
  const isMissing = sql`not exists (select from extraction_listings l
    where l.tenant_id = ${tenantId} and l.extraction_id = any(${chain}::uuid[]) and l.listing_id = k.listing_id)`
  const { rows } = await sql<GoneListing>`
    select k.listing_id as "listingId", s.lead_id as "leadId", k.price::float8 as price, k.currency,
      s.withdrawn_at is not null as "isWithdrawn"
    from campaign_search_listings k
    left join lead_sources s on s.tenant_id = ${tenantId} and s.platform = ${platform} and s.listing_id = k.listing_id
    where k.tenant_id = ${tenantId} and k.campaign_id = ${campaignId} and k.gone_at is null
      and (s.withdrawn_at is not null ${isComplete ? sql`or ${isMissing}` : sql``})
    order by k.listing_id limit ${limit}`.execute(tx)
  return rows
}

export async function markGone(tx: Tx, campaignId: string, listingIds: string[]): Promise<void> {
  await sql`
    update campaign_search_listings set gone_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and listing_id = any(${listingIds})`.execute(
    tx,
  )
}

export interface NewChange {
  type: ChangeType
  listingId: string
  leadId: string
  price: number | null
  previousPrice: number | null
  currency: string | null
  isReturned: boolean
  reason: (typeof goneReasons)[number] | null
}

export async function insertChanges(tx: Tx, run: SearchRun, changes: readonly NewChange[]): Promise<void> {
  if (changes.length === 0) return
  const ids = changes.map(() => createId(tx)).sort()
  const rows = changes.map((change, index) => ({ ...change, id: ids[index] }))
  await sql`
    insert into campaign_search_changes (tenant_id, id, campaign_id, run_id, platform, type, listing_id, lead_id, price,
      previous_price, currency, is_returned, reason, created_at)
    select ${getTenantId(tx)}::uuid, r.id, ${run.campaignId}::uuid, ${run.id}::uuid, ${run.platform}, r.type, r."listingId",
      r."leadId", r.price, r."previousPrice", r.currency, r."isReturned", r.reason, ${getNow(tx)}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, type text, "listingId" text, "leadId" uuid,
      price numeric, "previousPrice" numeric, currency text, "isReturned" boolean, reason text)
    on conflict do nothing`.execute(tx)
}

/** Deletes what a run had found before it failed. */
export const deleteChangesOfRun = (tx: Tx, { id, campaignId }: Pick<SearchRun, 'id' | 'campaignId'>) =>
  deleteChanges(tx, sql`campaign_id = ${campaignId} and run_id = ${id}`)

/** Deletes all changes of a campaign but the newest. */
export const deleteOldChanges = (tx: Tx, campaignId: string, kept: number): Promise<void> =>
  deleteChanges(
    tx,
    sql`campaign_id = ${campaignId} and id < (
      select id from campaign_search_changes where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}
      order by id desc offset ${kept} limit 1)`,
  )

async function deleteChanges(tx: Tx, condition: RawBuilder<unknown>): Promise<void> {
  await sql`delete from campaign_search_changes where tenant_id = ${getTenantId(tx)} and ${condition}`.execute(
    tx,
  )
}

/** Forgets listings that have been gone since before `before`: one that comes back later is new. */
export async function forgetGone(tx: Tx, campaignId: string, before: Date): Promise<void> {
  await sql`
    delete from campaign_search_listings
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and gone_at < ${before}`.execute(tx)
}
