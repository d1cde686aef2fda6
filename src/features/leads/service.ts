/** How adverts become leads: at most one per workspace, environment and advert, whoever brings it. */
import { sql } from 'kysely'
import type { Listing } from '../../domain/listing/listing.ts'
import type { Tx } from '../../kit/db/index.ts'
import { idTime, newId } from '../../kit/id.ts'
import { reserveUpTo } from '../../kit/quota.ts'

export interface IdentifiedListing {
  listingId: string
  listing: Listing
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
  | { listingId: string; result: 'created' | 'updated' | 'unchanged'; leadId: string }
  /** The quota of leads was used up before this one. */
  | { listingId: string; result: 'overQuota'; leadId: null }

/** Columns of `leads` that an advert fills, and their types. */
const columns = {
  contact_name: 'text',
  phone: 'text',
  phone_raw: 'text',
  email: 'text',
  advertiser_type: 'text',
  operation: 'text',
  property_type: 'text',
  title: 'text',
  description: 'text',
  price: 'numeric',
  currency: 'text',
  square_meters: 'numeric',
  rooms: 'integer',
  bedrooms: 'integer',
  bathrooms: 'integer',
  floor: 'text',
  condition: 'text',
  features: 'text[]',
  address: 'text',
  municipality: 'text',
  province: 'text',
  postcode: 'text',
  latitude: 'float8',
  longitude: 'float8',
  images: 'text[]',
  url: 'text',
  published_at: 'timestamptz',
} as const

type Column = keyof typeof columns
const names = Object.keys(columns) as Column[]
const lists = new Set<Column>(['features', 'images'])
const columnList = sql.raw(names.join(', '))
const recordColumns = sql.raw(names.map(name => `${name} ${columns[name]}`).join(', '))
/** What the advert no longer says is kept: a page that lost its phone does not lose the lead's. */
const kept = (name: Column) =>
  lists.has(name) ? `coalesce(nullif(i.${name}, '{}'), l.${name})` : `coalesce(i.${name}, l.${name})`
const assignments = sql.raw(names.map(name => `${name} = ${kept(name)}`).join(', '))
const isChanged = sql.raw(
  `(${names.map(name => `l.${name}`).join(', ')}) is distinct from (${names.map(kept).join(', ')})`,
)

/**
 * Stores a batch in the caller's transaction and says what became of each advert. New leads are counted against
 * `maxLeadsPerMonth`; those beyond it are not stored.
 */
export async function storeListings(tx: Tx, batch: ListingBatch): Promise<StoredListing[]> {
  // Writers of one portal take turns in a tenant, so that two of them never both find an advert unknown.
  await sql`select pg_advisory_xact_lock(hashtextextended(aldaba.current_tenant()::text || ${batch.platform}, 2))`.execute(
    tx,
  )
  const now = new Date()
  const listingIds = batch.listings.map(found => found.listingId)
  const sources = await tx
    .selectFrom('lead_sources')
    .select(['listing_id', 'lead_id'])
    .where('platform', '=', batch.platform)
    .where(sql<boolean>`listing_id = any(${listingIds})`)
    .execute()
  const leadOf = new Map(sources.map(source => [source.listing_id, source.lead_id]))

  const unknown = batch.listings.filter(found => !leadOf.has(found.listingId))
  const granted = unknown.length === 0 ? 0 : await reserveUpTo(tx, 'maxLeadsPerMonth', unknown.length)
  const created = unknown.slice(0, granted).map(found => ({ ...found, leadId: newId() }))
  await insertLeads(tx, batch, created)

  const known = batch.listings.flatMap(found => {
    const leadId = leadOf.get(found.listingId)
    return leadId ? [{ ...found, leadId }] : []
  })
  const changed = await updateLeads(tx, batch, known, now)

  const createdIds = new Map(created.map(({ listingId, leadId }) => [listingId, leadId]))
  return batch.listings.map(({ listingId }): StoredListing => {
    const knownId = leadOf.get(listingId)
    if (knownId) return { listingId, result: changed.has(knownId) ? 'updated' : 'unchanged', leadId: knownId }
    const createdId = createdIds.get(listingId)
    return createdId
      ? { listingId, result: 'created', leadId: createdId }
      : { listingId, result: 'overQuota', leadId: null }
  })
}

type LeadListing = IdentifiedListing & { leadId: string }

async function insertLeads(tx: Tx, batch: ListingBatch, listings: LeadListing[]): Promise<void> {
  if (listings.length === 0) return
  const json = toJson(listings)
  await sql`
    insert into leads (id, created_at, updated_at, campaign_id, tags, price_history, ${columnList})
    select id, created_at, created_at, ${batch.campaignId}, ${batch.tags}::text[],
      case when price is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object('price', price, 'at', aldaba.iso_time(created_at))) end,
      ${columnList}
    from jsonb_to_recordset(${json}::jsonb) as i (id uuid, created_at timestamptz, ${recordColumns})`.execute(
    tx,
  )
  await tx
    .insertInto('lead_sources')
    .columns([
      'platform',
      'listing_id',
      'lead_id',
      'url',
      'extraction_id',
      'campaign_id',
      'first_seen_at',
      'last_seen_at',
    ])
    .expression(
      sql`select ${batch.platform}, listing_id, id, url, ${batch.extractionId}::uuid, ${batch.campaignId}::uuid, created_at, created_at
          from jsonb_to_recordset(${json}::jsonb) as i (id uuid, created_at timestamptz, listing_id text, url text)`,
    )
    .execute()
}

/** Returns the ids of the leads that changed. */
async function updateLeads(
  tx: Tx,
  batch: ListingBatch,
  listings: LeadListing[],
  now: Date,
): Promise<Set<string>> {
  if (listings.length === 0) return new Set()
  await sql`
    update lead_sources set last_seen_at = ${now}
    where platform = ${batch.platform} and listing_id = any(${listings.map(found => found.listingId)})`.execute(
    tx,
  )
  if (!batch.updateExisting) return new Set()
  const { rows } = await sql<{ id: string }>`
    update leads l set updated_at = ${now}, ${assignments},
      price_history = case when i.price is distinct from l.price and i.price is not null
        then l.price_history || jsonb_build_object('price', i.price, 'at', aldaba.iso_time(${now}::timestamptz)) else l.price_history end
    from jsonb_to_recordset(${toJson(listings)}::jsonb) as i (id uuid, ${recordColumns})
    where l.id = i.id and ${isChanged}
    returning l.id`.execute(tx)
  return new Set(rows.map(row => row.id))
}

function toJson(listings: LeadListing[]): string {
  const rows = listings.map(({ leadId, listingId, listing }) => ({
    id: leadId,
    // The order of ids is that of creation: both tell one moment.
    created_at: idTime(leadId),
    listing_id: listingId,
    ...toRow(listing),
  }))
  return JSON.stringify(rows, (_name, value) => (typeof value === 'string' ? storable(value) : value))
}

/** PostgreSQL stores neither U+0000 nor half a surrogate pair; portals send both. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Whole things are counted: two bathrooms and a half are two. What no column holds would fail the whole page. */
function whole(count: number | null): number | null {
  return count !== null && Math.abs(count) < 2 ** 31 ? Math.trunc(count) : null
}

/** As the column keeps it: what is rounded there and not here would look changed for ever. */
function hundredths(amount: number | null, lessThan: number): number | null {
  return amount !== null && Math.abs(amount) < lessThan ? Math.round(amount * 100) / 100 : null
}

function toRow({ contact, ...listing }: Listing): Record<Column, unknown> {
  return {
    contact_name: contact.name,
    phone: contact.phone,
    phone_raw: contact.phoneRaw,
    email: contact.email,
    advertiser_type: contact.advertiserType,
    operation: listing.operation,
    property_type: listing.propertyType,
    title: listing.title,
    description: listing.description,
    price: hundredths(listing.price, 1e12),
    currency: listing.currency,
    square_meters: hundredths(listing.squareMeters, 1e8),
    rooms: whole(listing.rooms),
    bedrooms: whole(listing.bedrooms),
    bathrooms: whole(listing.bathrooms),
    floor: listing.floor,
    condition: listing.condition,
    features: listing.features,
    address: listing.address,
    municipality: listing.municipality,
    province: listing.province,
    postcode: listing.postcode,
    latitude: listing.latitude,
    longitude: listing.longitude,
    images: listing.images,
    url: listing.url,
    published_at: listing.publishedAt,
  }
}
