/** The sources of leads: their listings on portals, and whether these are still listed. */

import { sql } from 'kysely'
import { statesNoAgencies } from '../../../domain/contactability/no-agencies.ts'
import type { Listing } from '../../../domain/listing/listing.ts'
import { getNow, sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import { getIdTime } from '../../../kit/id.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { leadWithdrawn } from '../events.ts'
import type { LeadRow } from '../record/lead-row.ts'
import { touchLeads } from '../record/write-leads.ts'

/** The state of a listing when it was read: while it does not change, its page need not be fetched again. */
export interface SourceState {
  /** The path on its portal. */
  path: string
  /** The hash of its card in the results of a search. */
  cardHash: string | null
  /** Headers of its page. */
  etag: string | null
  lastModified: string | null
  /** Its page was fetched now, not only its card. */
  isRead: boolean
}

export interface PortalListing {
  listingId: string
  listing: Listing
  sourceState: SourceState
}

/** A listing and its lead. */
export type LeadListing = PortalListing & { leadId: string }

/** The extraction that found a listing. */
export interface Origin {
  platform: string
  extractionId: string
  campaignId: string | null
}

const toLeadIds = (sources: { leadId: string }[]) => sources.map(({ leadId }) => leadId)

export interface KnownSource {
  listingId: string
  cardHash: string | null
  etag: string | null
  lastModified: string | null
  /** When its page was last fetched; null: only its card was read. */
  readAt: Date | null
}

/** The stored state of the listings among these that belong to a lead. */
export async function findKnownSources(
  tx: Tx,
  platform: string,
  listingIds: string[],
): Promise<KnownSource[]> {
  const { rows } = await sql<KnownSource>`
    select listing_id as "listingId", card_hash as "cardHash", etag, last_modified as "lastModified", page_fetched_at as "readAt"
    from lead_sources
    where tenant_id = ${getTenantId(tx)} and platform = ${platform} and listing_id = any(${listingIds})`.execute(
    tx,
  )
  return rows
}

export interface SourceSeen {
  listingId: string
  /** Null: neither its card nor its page was read. */
  sourceState: SourceState | null
}

/**
 * Records that listings are still there, unchanged. Returns lead ids by listing id; listings without a lead are
 * missing.
 */
export async function markListingsSeen(
  tx: Tx,
  platform: string,
  seen: SourceSeen[],
): Promise<Map<string, string>> {
  if (seen.length === 0) return new Map()
  await lockLeadWrites(tx)
  const rows = seen.map(({ listingId, sourceState }) => ({
    listing_id: listingId,
    card_hash: sourceState?.cardHash,
  }))
  const { rows: sources } = await sql<{ listingId: string; leadId: string; wasWithdrawn: boolean }>`
    update lead_sources s set last_seen_at = ${sqlNow(tx)}, withdrawn_at = null, card_hash = coalesce(i.card_hash, s.card_hash)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i (listing_id text, card_hash text)
    -- The row before the update: a statement does not see its own changes.
    join lead_sources o on o.tenant_id = ${getTenantId(tx)} and o.platform = ${platform} and o.listing_id = i.listing_id
    where s.tenant_id = o.tenant_id and s.platform = o.platform and s.listing_id = o.listing_id
    returning s.listing_id as "listingId", s.lead_id as "leadId", o.withdrawn_at is not null as "wasWithdrawn"`.execute(
    tx,
  )
  const relisted = sources.filter(source => source.wasWithdrawn)
  await electPrimarySources(
    tx,
    relisted.map(({ leadId }) => leadId),
  )
  await touchLeads(tx, toLeadIds(relisted), getNow(tx))
  return new Map(sources.map(({ listingId, leadId }) => [listingId, leadId]))
}

/**
 * Marks listings as withdrawn from their portal. A lead with another listing gets that as its primary source, the
 * oldest first. `lead.withdrawn` is emitted for a lead without any; sources of the API and of imports do not count as
 * listings.
 */
export async function withdrawListings(
  tx: Tx,
  platform: string,
  listingIds: string[],
  extractionId: string | null = null,
): Promise<void> {
  if (listingIds.length === 0) return
  await lockLeadWrites(tx)
  const { rows } = await sql<{ leadId: string; listingId: string }>`
    update lead_sources set withdrawn_at = ${sqlNow(tx)}
    where tenant_id = ${getTenantId(tx)} and platform = ${platform} and listing_id = any(${listingIds}) and withdrawn_at is null
    returning lead_id as "leadId", listing_id as "listingId"`.execute(tx)
  const primary = await electPrimarySources(
    tx,
    rows.map(({ leadId }) => leadId),
  )
  await touchLeads(tx, toLeadIds(rows), getNow(tx))
  const withdrawn = rows.filter(({ leadId }) => !primary.get(leadId)?.isListed)
  await emitMany(
    tx,
    leadWithdrawn,
    withdrawn.map(({ leadId, listingId }) => ({ leadId, platform, listingId, extractionId })),
  )
}

export interface PrimarySource {
  leadId: string
  platform: string
  listingId: string
  /** It is a listing that is not withdrawn. */
  isListed: boolean
}

/**
 * Elects the primary source of each of these leads and returns it by lead id: a listing that is not withdrawn,
 * preferably the former primary source, then the oldest; if there is none, the former primary source. Call this after
 * sources of a lead were added, withdrawn or listed again.
 */
export async function electPrimarySources(tx: Tx, leadIds: string[]): Promise<Map<string, PrimarySource>> {
  if (leadIds.length === 0) return new Map()
  const { rows } = await sql<PrimarySource>`
    with ranked as materialized (
      select s.lead_id, s.platform, s.listing_id, s.is_primary, a.is_listed, row_number() over (
        partition by s.lead_id order by a.is_listed desc, s.is_primary desc, s.first_seen_at, s.platform, s.listing_id) = 1 as is_first
      from lead_sources s
      cross join lateral (select s.extraction_id is not null and s.withdrawn_at is null as is_listed) a
      where s.tenant_id = ${getTenantId(tx)} and s.lead_id = any(${leadIds}::uuid[])
    ), updated as (
      -- A new primary source was read while it only filled gaps: it must be read again, even if it has not changed.
      update lead_sources s set is_primary = r.is_first,
        card_hash = case when not r.is_first then s.card_hash end,
        etag = case when not r.is_first then s.etag end,
        last_modified = case when not r.is_first then s.last_modified end
      from ranked r
      where s.tenant_id = ${getTenantId(tx)} and s.platform = r.platform and s.listing_id = r.listing_id and r.is_primary <> r.is_first
    )
    select lead_id as "leadId", platform, listing_id as "listingId", is_listed as "isListed" from ranked where is_first`.execute(
    tx,
  )
  return new Map(rows.map(source => [source.leadId, source]))
}

/** By listing id, the stored sources of these listings. */
export async function findSources(tx: Tx, platform: string, listings: PortalListing[]) {
  const sources = await tx
    .selectFrom('lead_sources')
    .select(['listing_id', 'lead_id', 'is_primary', 'withdrawn_at', 'page_fetched_at'])
    .where('tenant_id', '=', getTenantId(tx))
    .where('platform', '=', platform)
    .where(sql<boolean>`listing_id = any(${listings.map(found => found.listingId)})`)
    .execute()
  return new Map(
    sources.map(({ listing_id, lead_id, is_primary, withdrawn_at, page_fetched_at }) => [
      listing_id,
      {
        leadId: lead_id,
        isPrimary: is_primary,
        wasWithdrawn: withdrawn_at !== null,
        wasRead: page_fetched_at !== null,
      },
    ]),
  )
}

/** The leads among these that were ever found on a portal: their price history contains the prices in listings. */
export async function findListedLeads(tx: Tx, leadIds: string[]): Promise<Set<string>> {
  if (leadIds.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select distinct lead_id as id from lead_sources
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[]) and extraction_id is not null`.execute(
    tx,
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Updates `no_agencies` of sources that are no listings, from the texts of the leads. Listings set it from their own
 * texts.
 */
export async function updateNoAgencies(tx: Tx, leads: LeadRow[]): Promise<void> {
  if (leads.length === 0) return
  const updates = leads.map(({ id, title, description }) => ({
    lead_id: id,
    no_agencies: statesNoAgencies(`${title ?? ''}\n${description ?? ''}`),
  }))
  await sql`
    update lead_sources s set no_agencies = i.no_agencies
    from jsonb_to_recordset(${JSON.stringify(updates)}::jsonb) as i (lead_id uuid, no_agencies boolean)
    where s.tenant_id = ${getTenantId(tx)} and s.lead_id = i.lead_id and s.extraction_id is null`.execute(tx)
}

const stateColumns = sql.raw('path, card_hash, etag, last_modified, page_fetched_at, no_agencies')
const sourceRecord = sql.raw(
  `lead_id uuid, seen_at timestamptz, listing_id text, url text, path text, card_hash text, etag text, last_modified text, page_fetched_at timestamptz, no_agencies boolean`,
)

/** `now`: null for new leads, whose first source has the time of the lead. */
export async function insertSources(
  tx: Tx,
  batch: Origin,
  listings: LeadListing[],
  now: Date | null,
  isPrimary: boolean,
): Promise<void> {
  if (listings.length === 0) return
  await sql`
    insert into lead_sources (tenant_id, platform, listing_id, lead_id, url, extraction_id, campaign_id, first_seen_at, last_seen_at, is_primary, ${stateColumns})
    select ${getTenantId(tx)}::uuid, ${batch.platform}, listing_id, lead_id, url, ${batch.extractionId}::uuid, ${batch.campaignId}::uuid, seen_at, seen_at, ${isPrimary}, ${stateColumns}
    from jsonb_to_recordset(${sourcesToJson(listings, now)}::jsonb) as i (${sourceRecord})
    returning true`.execute(tx)
}

export async function updateSources(
  tx: Tx,
  platform: string,
  listings: LeadListing[],
  now: Date,
): Promise<void> {
  if (listings.length === 0) return
  await sql`
    update lead_sources s set last_seen_at = ${now}, withdrawn_at = null, url = i.url, path = i.path,
      card_hash = case
        when i.page_fetched_at is not null then i.card_hash
        when s.page_fetched_at is null then coalesce(i.card_hash, s.card_hash)
        -- If the card has changed, the stored state of the page is outdated.
        when i.card_hash = s.card_hash then s.card_hash end,
      etag = case when i.page_fetched_at is null then s.etag else i.etag end,
      last_modified = case when i.page_fetched_at is null then s.last_modified else i.last_modified end,
      page_fetched_at = coalesce(i.page_fetched_at, s.page_fetched_at),
      -- A card may lack the words that its page has.
      no_agencies = i.no_agencies or (i.page_fetched_at is null and s.no_agencies)
    from jsonb_to_recordset(${sourcesToJson(listings, now)}::jsonb) as i (${sourceRecord})
    where s.tenant_id = ${getTenantId(tx)} and s.platform = ${platform} and s.listing_id = i.listing_id`.execute(
    tx,
  )
}

function sourcesToJson(listings: LeadListing[], now: Date | null): string {
  return sanitizeJson(
    listings.map(({ leadId, listingId, listing, sourceState }) => ({
      lead_id: leadId,
      seen_at: now ?? getIdTime(leadId),
      listing_id: listingId,
      url: listing.url,
      path: sourceState.path,
      card_hash: sourceState.cardHash,
      etag: sourceState.etag,
      last_modified: sourceState.lastModified,
      page_fetched_at: sourceState.isRead ? (now ?? getIdTime(leadId)) : null,
      no_agencies: statesNoAgencies(`${listing.title ?? ''}\n${listing.description ?? ''}`),
    })),
  )
}
