/** Every SQL statement that reads leads. */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { fetchPage, jsonObject, jsonObjectText, type ListRow, type Page } from '../../kit/db/json.ts'
import type { Position } from '../../kit/page.ts'
import type { LeadFilter } from './schemas.ts'

const contact = jsonObjectText(`l.contact_name as name, l.phone, l.phone_raw as "phoneRaw", l.email,
  l.advertiser_type as "advertiserType"`)

const property = jsonObjectText(`l.operation, l.property_type as "propertyType", l.title, l.description,
  trim_scale(l.price) as price, l.currency, trim_scale(l.square_meters) as "squareMeters", l.rooms, l.bedrooms, l.bathrooms,
  l.floor, l.condition, l.features, l.address, l.municipality, l.province, l.postcode, l.latitude, l.longitude, l.images, l.url,
  aldaba.iso_time(l.published_at) as "publishedAt"`)

const sources = `(
  select coalesce(json_agg(source), '[]') from (
    select s.platform, s.listing_id as "listingId", s.url, s.extraction_id as "extractionId", s.campaign_id as "campaignId",
      aldaba.iso_time(s.first_seen_at) as "firstSeenAt", aldaba.iso_time(s.last_seen_at) as "lastSeenAt",
      aldaba.iso_time(s.withdrawn_at) as "withdrawnAt"
    from lead_sources s where s.tenant_id = l.tenant_id and s.lead_id = l.id
    order by s.first_seen_at, s.platform, s.listing_id) source)`

const contactability = jsonObjectText(`l.lawful_basis is not null as allowed,
  case when l.lawful_basis is null then 'NO_LAWFUL_BASIS' end as reason, l.lawful_basis as "lawfulBasis",
  aldaba.iso_time(l.consent_at) as "consentAt", aldaba.iso_time(l.notice_sent_at) as "noticeSentAt"`)

/** A lead `l` as the contract has it. */
const leadJson = jsonObject(`l.id, l.status, ${contact} as contact, ${property} as property,
  l.price_history as "priceHistory", ${sources} as sources, l.campaign_id as "campaignId", l.owner_user_id as "ownerUserId",
  l.tags, l.custom_fields as "customFields", ${contactability} as contactability, l.notes_count as "notesCount",
  aldaba.iso_time(l.created_at) as "createdAt", aldaba.iso_time(l.updated_at) as "updatedAt",
  aldaba.iso_time(l.last_contacted_at) as "lastContactedAt", aldaba.iso_time(l.last_reply_at) as "lastReplyAt"`)

interface Sort {
  /** What the rows are ordered by, before the id; null: by the id alone, whose order is that of creation. */
  key: RawBuilder<unknown> | null
  type: RawBuilder<unknown>
  direction: 'asc' | 'desc'
}

const sorts: Record<LeadFilter['sort'], Sort> = {
  '-createdAt': { key: null, type: sql``, direction: 'desc' },
  // As text, because a JavaScript date would lose the microseconds that tell rows apart.
  '-updatedAt': { key: sql`l.updated_at`, type: sql`timestamptz`, direction: 'desc' },
  price: { key: sql`coalesce(l.price::float8, 1e15)`, type: sql`float8`, direction: 'asc' },
  '-price': { key: sql`coalesce(l.price::float8, -1)`, type: sql`float8`, direction: 'desc' },
}

export function listLeads(tx: Tx, filter: LeadFilter, after: Position | null): Promise<Page> {
  return fetchPage(tx, leadRows(filter, after), filter.limit)
}

/** A lead as the JSON of the contract; null if there is none. */
export async function findLead(tx: Tx, leadId: string): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${leadJson}::text as json from leads l where l.id = ${leadId}`.execute(tx)
  return rows[0]?.json ?? null
}

/** The leads of a page, and one more if more follow. */
export function leadRows(filter: LeadFilter, after: Position | null): RawBuilder<ListRow> {
  const { key, direction } = sorts[filter.sort]
  const way = sql.raw(direction)
  const conditions = filterConditions(filter)
  if (after) conditions.push(startsAfter(sorts[filter.sort], after))
  return sql<ListRow>`
    select ${leadJson} as json, ${key ? sql`array[l.id::text, ${key}::text]` : sql`array[l.id::text]`} as position
    from leads l
    where ${sql.join(conditions, sql` and `)}
    order by l.tenant_id ${way}, ${key ? sql`${key} ${way},` : sql``} l.id ${way}
    limit ${filter.limit + 1}`
}

function startsAfter({ key, type, direction }: Sort, [lastId, lastKey]: Position): RawBuilder<unknown> {
  const compare = sql.raw(direction === 'desc' ? '<' : '>')
  return key
    ? sql`(${key}, l.id) ${compare} (${lastKey}::${type}, ${lastId}::uuid)`
    : sql`l.id ${compare} ${lastId}::uuid`
}

function filterConditions(filter: LeadFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  const given = <T>(value: T | undefined, condition: (value: T) => RawBuilder<unknown>) => {
    if (value !== undefined) conditions.push(condition(value))
  }
  given(
    filter.q,
    q =>
      sql`concat_ws(' ', l.contact_name, l.phone, l.phone_raw, l.address, l.title, l.description) ilike ${likePattern(q)}`,
  )
  given(filter.status, status => sql`l.status = ${status}`)
  given(
    filter.platform,
    platform =>
      sql`exists (select from lead_sources s where s.tenant_id = l.tenant_id and s.lead_id = l.id and s.platform = ${platform})`,
  )
  given(filter.campaignId, campaignId => sql`l.campaign_id = ${campaignId}`)
  given(
    filter.extractionId,
    extractionId =>
      sql`l.id in (select lead_id from extraction_listings where extraction_id = ${extractionId})`,
  )
  given(filter.tag, tag => sql`${tag} = any(l.tags)`)
  given(filter.ownerUserId, ownerUserId => sql`l.owner_user_id = ${ownerUserId}`)
  given(filter.advertiserType, type => sql`l.advertiser_type = ${type}`)
  given(filter.operation, operation => sql`l.operation = ${operation}`)
  given(filter.propertyType, type => sql`l.property_type = ${type}`)
  given(filter.minPrice, price => sql`l.price >= ${price}`)
  given(filter.maxPrice, price => sql`l.price <= ${price}`)
  given(filter.municipality, municipality => sql`lower(l.municipality) = lower(${municipality})`)
  given(filter.bbox, bbox => {
    const [west, south, east, north] = bbox.split(',').map(Number)
    return sql`l.longitude between ${west} and ${east} and l.latitude between ${south} and ${north}`
  })
  given(filter.hasPhone, hasPhone => (hasPhone ? sql`l.phone is not null` : sql`l.phone is null`))
  given(filter.createdAfter, createdAfter => sql`l.created_at > ${createdAfter}::timestamptz`)
  given(filter.updatedAfter, updatedAfter => sql`l.updated_at > ${updatedAfter}::timestamptz`)
  return conditions
}

function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
