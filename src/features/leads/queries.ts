/** Every SQL statement that reads leads. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { jsonObject, jsonObjectText } from '../../kit/db/json.ts'

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
export const leadJson = jsonObject(`l.id, l.status, ${contact} as contact, ${property} as property,
  l.price_history as "priceHistory", ${sources} as sources, l.campaign_id as "campaignId", l.owner_user_id as "ownerUserId",
  l.tags, l.custom_fields as "customFields", ${contactability} as contactability, l.notes_count as "notesCount",
  aldaba.iso_time(l.created_at) as "createdAt", aldaba.iso_time(l.updated_at) as "updatedAt",
  aldaba.iso_time(l.last_contacted_at) as "lastContactedAt", aldaba.iso_time(l.last_reply_at) as "lastReplyAt"`)

/** A lead as the JSON of the contract; null if there is none. */
export async function findLead(tx: Tx, leadId: string): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${leadJson}::text as json from leads l where l.id = ${leadId}`.execute(tx)
  return rows[0]?.json ?? null
}
