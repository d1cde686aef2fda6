/** Every SQL statement that reads leads. */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import type { Position } from '../../kit/page.ts'
import type { LeadFilter } from './schemas.ts'

/** A lead `l` as the JSON of the contract, written by PostgreSQL: rows to objects to text takes several times as long. */
const leadJson = sql`json_build_object(
  'id', l.id, 'status', l.status,
  'contact', json_build_object('name', l.contact_name, 'phone', l.phone, 'phoneRaw', l.phone_raw, 'email', l.email,
    'advertiserType', l.advertiser_type),
  'property', json_build_object('operation', l.operation, 'propertyType', l.property_type, 'title', l.title,
    'description', l.description, 'price', l.price, 'currency', l.currency, 'squareMeters', l.square_meters,
    'rooms', l.rooms, 'bedrooms', l.bedrooms, 'bathrooms', l.bathrooms, 'floor', l.floor, 'condition', l.condition,
    'features', l.features, 'address', l.address, 'municipality', l.municipality, 'province', l.province,
    'postcode', l.postcode, 'latitude', l.latitude, 'longitude', l.longitude, 'images', l.images, 'url', l.url,
    'publishedAt', aldaba.iso_time(l.published_at)),
  'priceHistory', l.price_history,
  'sources', (
    select coalesce(json_agg(json_build_object('platform', s.platform, 'listingId', s.listing_id, 'url', s.url,
      'extractionId', s.extraction_id, 'campaignId', s.campaign_id, 'firstSeenAt', aldaba.iso_time(s.first_seen_at),
      'lastSeenAt', aldaba.iso_time(s.last_seen_at)) order by s.first_seen_at), '[]')
    from lead_sources s where s.tenant_id = l.tenant_id and s.lead_id = l.id),
  'campaignId', l.campaign_id, 'ownerUserId', l.owner_user_id, 'tags', l.tags, 'customFields', l.custom_fields,
  'contactability', json_build_object('allowed', l.lawful_basis is not null,
    'reason', case when l.lawful_basis is null then 'NO_LAWFUL_BASIS' end, 'lawfulBasis', l.lawful_basis,
    'consentAt', aldaba.iso_time(l.consent_at), 'noticeSentAt', aldaba.iso_time(l.notice_sent_at)),
  'notesCount', l.notes_count, 'createdAt', aldaba.iso_time(l.created_at), 'updatedAt', aldaba.iso_time(l.updated_at),
  'lastContactedAt', aldaba.iso_time(l.last_contacted_at), 'lastReplyAt', aldaba.iso_time(l.last_reply_at))`

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

/** A page of leads as JSON text, whether more follow, and where the next page would start. */
export async function listLeads(
  tx: Tx,
  filter: LeadFilter,
  after: Position | null,
): Promise<{ json: string; next: Position | null }> {
  const { key, direction } = sorts[filter.sort]
  const way = sql.raw(direction)
  const conditions = filterConditions(filter)
  if (after) conditions.push(startsAfter(sorts[filter.sort], after))
  const { rows } = await sql<{
    json: string
    count: number
    last_id: string | null
    last_key: string | null
  }>`
    with page as (
      select l.id, ${key ?? sql`null`} as key, ${leadJson} as json
      from leads l
      where ${sql.join(conditions, sql` and `)}
      order by l.tenant_id ${way}, ${key ? sql`${key} ${way},` : sql``} l.id ${way}
      limit ${filter.limit + 1}
    ), shown as (
      select *, row_number() over () as n, count(*) over () as total from page
    )
    select coalesce(json_agg(json order by n) filter (where n <= ${filter.limit}), '[]')::text as json, coalesce(max(total), 0)::int as count,
      (array_agg(id order by n desc) filter (where n <= ${filter.limit}))[1] as last_id,
      (array_agg(key::text order by n desc) filter (where n <= ${filter.limit}))[1] as last_key
    from shown`.execute(tx)
  const { json, count, last_id, last_key } = rows[0]!
  const more = count > filter.limit && last_id !== null
  return { json, next: more ? (key ? [last_id, last_key] : [last_id]) : null }
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
