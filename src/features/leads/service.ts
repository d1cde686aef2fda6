/** How adverts become leads: at most one per workspace, environment and advertised property, whoever brings it. */
import { sql } from 'kysely'
import type { Listing } from '../../domain/listing/listing.ts'
import type { Tx } from '../../kit/db/index.ts'
import { emitMany } from '../../kit/event.ts'
import { idTime, newId } from '../../kit/id.ts'
import { reserveUpTo } from '../../kit/quota.ts'
import { leadPriceChanged, leadWithdrawn } from './events.ts'
import { type Column, columns, storable, toRow } from './lead-columns.ts'
import { findSameProperties } from './same-property.ts'

export { listLeads } from './queries.ts'

/** What is kept of an advert beside what it says, so that it need not be read again while it stays as it is. */
export interface SourceTrace {
  /** Path on its portal. */
  path: string
  cardHash: string | null
  etag: string | null
  lastModified: string | null
  /** Whether its own page was read just now. */
  isRead: boolean
}

export interface IdentifiedListing {
  listingId: string
  listing: Listing
  trace: SourceTrace
}

export interface ListingBatch {
  platform: string
  extractionId: string
  campaignId: string | null
  tags: string[]
  /** Whether a known lead takes over what has changed in its advert. */
  updateExisting: boolean
  listings: IdentifiedListing[]
}

export type StoredListing =
  /** `updated` too if the property was known from another portal. */
  | { listingId: string; result: 'created' | 'updated' | 'unchanged'; leadId: string }
  /** The quota of leads was used up before this one. */
  | { listingId: string; result: 'overQuota'; leadId: null }

const names = Object.keys(columns) as Column[]
const lists = new Set<Column>(['features', 'images'])
const columnList = sql.raw(names.join(', '))
const recordColumns = sql.raw(names.map(name => `${name} ${columns[name]}`).join(', '))
/** What the advert no longer says is kept: a page that lost its phone does not lose the lead's. */
const kept = (name: Column) =>
  lists.has(name) ? `coalesce(nullif(i.${name}, '{}'), l.${name})` : `coalesce(i.${name}, l.${name})`
/** Another portal's advert of the property fills gaps alone, so that two portals never rewrite a lead in turns. */
const filled = (name: Column) =>
  lists.has(name) ? `coalesce(nullif(l.${name}, '{}'), i.${name})` : `coalesce(l.${name}, i.${name})`
const chosen = (name: Column) => `case when i.leads then ${kept(name)} else ${filled(name)} end`
const assignments = sql.raw(names.map(name => `${name} = ${chosen(name)}`).join(', '))
const isChanged = sql.raw(
  `(${names.map(name => `l.${name}`).join(', ')}) is distinct from (${names.map(chosen).join(', ')})`,
)

/** Writers take turns in a tenant, so that two of them never both find a property unknown. */
async function takeTurn(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(aldaba.current_tenant()::text, 2))`.execute(tx)
}

/**
 * Stores a batch in the caller's transaction and says what became of each advert. New leads are counted against
 * `maxLeadsPerMonth`; those beyond it are not stored.
 */
export async function storeListings(tx: Tx, batch: ListingBatch): Promise<StoredListing[]> {
  if (batch.listings.length === 0) return []
  await takeTurn(tx)
  const now = new Date()
  const sources = await findSources(tx, batch)
  const unknown = batch.listings.filter(found => !sources.has(found.listingId))
  const same = await findSameProperties(tx, batch.platform, unknown)
  const fresh = unknown.filter(found => !same.has(found.listingId))
  const granted = fresh.length === 0 ? 0 : await reserveUpTo(tx, 'maxLeadsPerMonth', fresh.length)
  const created = fresh.slice(0, granted).map(found => ({ ...found, leadId: newId() }))
  await insertLeads(tx, batch, created)

  const joined = withLead(unknown, id => same.get(id))
  const orphans = await releaseOrphans(tx, [...same.values()])
  const [heirs, others] = [true, false].map(isHeir =>
    joined.filter(found => orphans.has(found.leadId) === isHeir),
  )
  await insertSources(tx, batch, heirs!, now, true)
  await insertSources(tx, batch, others!, now, false)
  const known = withLead(batch.listings, id => sources.get(id)?.leadId)
  await updateSources(tx, batch.platform, known, now)
  const changed = await updateLeads(tx, batch, now, [
    ...known.map(found => ({ ...found, leads: sources.get(found.listingId)!.isPrimary })),
    ...joined.map(found => ({ ...found, leads: orphans.has(found.leadId) })),
  ])

  const createdIds = new Map(created.map(({ listingId, leadId }) => [listingId, leadId]))
  return batch.listings.map(({ listingId }): StoredListing => {
    const knownId = sources.get(listingId)?.leadId
    if (knownId) return { listingId, result: changed.has(knownId) ? 'updated' : 'unchanged', leadId: knownId }
    const joinedId = same.get(listingId)
    if (joinedId) return { listingId, result: 'updated', leadId: joinedId }
    const createdId = createdIds.get(listingId)
    return createdId
      ? { listingId, result: 'created', leadId: createdId }
      : { listingId, result: 'overQuota', leadId: null }
  })
}

export interface KnownSource {
  listingId: string
  cardHash: string | null
  etag: string | null
  lastModified: string | null
  /** When its own page was last read in whole. */
  readAt: Date | null
}

/** Which of these adverts are leads already, and what is kept of each. */
export async function lookUpSources(tx: Tx, platform: string, listingIds: string[]): Promise<KnownSource[]> {
  const { rows } = await sql<KnownSource>`
    select listing_id as "listingId", card_hash as "cardHash", etag, last_modified as "lastModified", read_at as "readAt"
    from lead_sources where platform = ${platform} and listing_id = any(${listingIds})`.execute(tx)
  return rows
}

export interface SourceSeen {
  listingId: string
  /** Null: its portal was not asked for its page. */
  trace: SourceTrace | null
}

/** Notes that adverts of known leads are still there, as they were. Returns the leads by advert; unknown ones are missing. */
export async function keepListings(
  tx: Tx,
  platform: string,
  seen: SourceSeen[],
): Promise<Map<string, string>> {
  if (seen.length === 0) return new Map()
  const rows = seen.map(({ listingId, trace }) => ({ listing_id: listingId, card_hash: trace?.cardHash }))
  const { rows: sources } = await sql<{ listingId: string; leadId: string }>`
    update lead_sources s set last_seen_at = now(), withdrawn_at = null, card_hash = coalesce(i.card_hash, s.card_hash)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i (listing_id text, card_hash text)
    where s.platform = ${platform} and s.listing_id = i.listing_id
    returning s.listing_id as "listingId", s.lead_id as "leadId"`.execute(tx)
  return new Map(sources.map(({ listingId, leadId }) => [listingId, leadId]))
}

/**
 * Notes that a portal no longer has these adverts. A lead without any other is withdrawn, and `lead.withdrawn` says so;
 * one with others follows the oldest of them.
 */
export async function withdrawListings(tx: Tx, platform: string, listingIds: string[]): Promise<void> {
  if (listingIds.length === 0) return
  await takeTurn(tx)
  const { rows } = await sql<{ leadId: string; listingId: string; isLast: boolean }>`
    with heirs as (
      select distinct on (s.lead_id) s.lead_id, s.platform, s.listing_id
      from lead_sources s
      join lead_sources g on g.tenant_id = s.tenant_id and g.lead_id = s.lead_id
      where g.platform = ${platform} and g.listing_id = any(${listingIds}) and g.withdrawn_at is null
        and s.withdrawn_at is null and not (s.platform = ${platform} and s.listing_id = any(${listingIds}))
      order by s.lead_id, s.is_primary desc, s.first_seen_at
    ), crowned as (
      update lead_sources s set is_primary = true from heirs h
      where s.platform = h.platform and s.listing_id = h.listing_id
    ), gone as (
      update lead_sources s set withdrawn_at = now(),
        is_primary = s.is_primary and not exists (select from heirs h where h.lead_id = s.lead_id)
      where s.platform = ${platform} and s.listing_id = any(${listingIds}) and s.withdrawn_at is null
      returning s.lead_id, s.listing_id
    )
    select g.lead_id as "leadId", g.listing_id as "listingId",
      not exists (select from heirs h where h.lead_id = g.lead_id) as "isLast"
    from gone g`.execute(tx)
  const withdrawn = rows.filter(row => row.isLast)
  await emitMany(
    tx,
    leadWithdrawn,
    withdrawn.map(({ leadId, listingId }) => ({ leadId, platform, listingId })),
  )
}

type LeadListing = IdentifiedListing & { leadId: string }

function withLead(
  listings: IdentifiedListing[],
  leadOf: (listingId: string) => string | undefined,
): LeadListing[] {
  return listings.flatMap(found => {
    const leadId = leadOf(found.listingId)
    return leadId ? [{ ...found, leadId }] : []
  })
}

async function findSources(tx: Tx, { platform, listings }: ListingBatch) {
  const sources = await tx
    .selectFrom('lead_sources')
    .select(['listing_id', 'lead_id', 'is_primary'])
    .where('platform', '=', platform)
    .where(sql<boolean>`listing_id = any(${listings.map(found => found.listingId)})`)
    .execute()
  return new Map(
    sources.map(source => [source.listing_id, { leadId: source.lead_id, isPrimary: source.is_primary }]),
  )
}

/** Of these leads those that are advertised nowhere any more: they are to follow the advert that joins them. */
async function releaseOrphans(tx: Tx, leadIds: string[]): Promise<Set<string>> {
  if (leadIds.length === 0) return new Set()
  const { rows } = await sql<{ leadId: string }>`
    update lead_sources s set is_primary = false
    where s.lead_id = any(${leadIds}::uuid[]) and not exists (
      select from lead_sources o where o.tenant_id = s.tenant_id and o.lead_id = s.lead_id and o.withdrawn_at is null)
    returning s.lead_id as "leadId"`.execute(tx)
  return new Set(rows.map(row => row.leadId))
}

async function insertLeads(tx: Tx, batch: ListingBatch, listings: LeadListing[]): Promise<void> {
  if (listings.length === 0) return
  await sql`
    insert into leads (id, created_at, updated_at, campaign_id, tags, price_history, ${columnList})
    select id, created_at, created_at, ${batch.campaignId}, ${batch.tags}::text[],
      case when price is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object('price', price, 'at', aldaba.iso_time(created_at))) end,
      ${columnList}
    from jsonb_to_recordset(${toJson(listings)}::jsonb) as i (id uuid, created_at timestamptz, ${recordColumns})`.execute(
    tx,
  )
  await insertSources(tx, batch, listings, null, true)
}

const traceColumns = sql.raw('path, card_hash, etag, last_modified, read_at')
const sourceRecord = sql.raw(
  `lead_id uuid, seen_at timestamptz, listing_id text, url text, path text, card_hash text, etag text, last_modified text, read_at timestamptz`,
)

/** `now` is null for new leads: their first source is as old as they are. */
async function insertSources(
  tx: Tx,
  batch: ListingBatch,
  listings: LeadListing[],
  now: Date | null,
  isPrimary: boolean,
): Promise<void> {
  if (listings.length === 0) return
  await sql`
    insert into lead_sources (platform, listing_id, lead_id, url, extraction_id, campaign_id, first_seen_at, last_seen_at, is_primary, ${traceColumns})
    select ${batch.platform}, listing_id, lead_id, url, ${batch.extractionId}::uuid, ${batch.campaignId}::uuid, seen_at, seen_at, ${isPrimary}, ${traceColumns}
    from jsonb_to_recordset(${sourcesToJson(listings, now)}::jsonb) as i (${sourceRecord})`.execute(tx)
}

async function updateSources(tx: Tx, platform: string, listings: LeadListing[], now: Date): Promise<void> {
  if (listings.length === 0) return
  await sql`
    update lead_sources s set last_seen_at = ${now}, withdrawn_at = null, url = i.url, path = i.path,
      card_hash = case when i.read_at is null then coalesce(i.card_hash, s.card_hash) else i.card_hash end,
      etag = case when i.read_at is null then s.etag else i.etag end,
      last_modified = case when i.read_at is null then s.last_modified else i.last_modified end,
      read_at = coalesce(i.read_at, s.read_at)
    from jsonb_to_recordset(${sourcesToJson(listings, now)}::jsonb) as i (${sourceRecord})
    where s.platform = ${platform} and s.listing_id = i.listing_id`.execute(tx)
}

/** Returns the ids of the leads that changed; `leads` are adverts that the lead follows, the others fill gaps. */
async function updateLeads(
  tx: Tx,
  batch: ListingBatch,
  now: Date,
  listings: (LeadListing & { leads: boolean })[],
): Promise<Set<string>> {
  if (listings.length === 0 || !batch.updateExisting) return new Set()
  const { rows } = await sql<Changed>`
    with i as materialized (
      select * from jsonb_to_recordset(${toJson(listings)}::jsonb) as i (id uuid, listing_id text, leads boolean, ${recordColumns})
    ), before as materialized (
      select l.id, l.price from leads l join i on i.id = l.id
    )
    update leads l set updated_at = ${now}, ${assignments},
      price_history = case when i.leads and i.price is distinct from l.price and i.price is not null
        then l.price_history || jsonb_build_object('price', i.price, 'at', aldaba.iso_time(${now}::timestamptz)) else l.price_history end
    from i, before b
    where l.id = i.id and b.id = l.id and ${isChanged}
    returning l.id, i.listing_id as "listingId", b.price::float8 as "previousPrice", l.price::float8 as price, l.currency`.execute(
    tx,
  )
  await emitMany(
    tx,
    leadPriceChanged,
    rows.flatMap(({ id, listingId, previousPrice, price, currency }) =>
      previousPrice === null || price === null || previousPrice === price
        ? []
        : [{ leadId: id, platform: batch.platform, listingId, previousPrice, price, currency }],
    ),
  )
  return new Set(rows.map(row => row.id))
}

interface Changed {
  id: string
  listingId: string
  previousPrice: number | null
  price: number | null
  currency: string | null
}

function toJson(listings: (LeadListing & { leads?: boolean })[]): string {
  return stringify(
    listings.map(({ leadId, listingId, listing, leads }) => ({
      id: leadId,
      // The order of ids is that of creation: both tell one moment.
      created_at: idTime(leadId),
      listing_id: listingId,
      leads,
      ...toRow(listing),
    })),
  )
}

function sourcesToJson(listings: LeadListing[], now: Date | null): string {
  return stringify(
    listings.map(({ leadId, listingId, listing, trace }) => ({
      lead_id: leadId,
      seen_at: now ?? idTime(leadId),
      listing_id: listingId,
      url: listing.url,
      path: trace.path,
      card_hash: trace.cardHash,
      etag: trace.etag,
      last_modified: trace.lastModified,
      read_at: trace.isRead ? (now ?? idTime(leadId)) : null,
    })),
  )
}

function stringify(rows: object[]): string {
  return JSON.stringify(rows, (_name, value) => (typeof value === 'string' ? storable(value) : value))
}
