/** Every SQL statement that reads leads. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { jsonObjectText } from '../../kit/db/json.ts'
import { eTagOf } from '../../kit/etag.ts'
import { type JsonText, jsonText } from '../../kit/json-text.ts'
import { answerContactability, contactFacts } from './contact/contactability.ts'
import { leadNotFound } from './history/family.ts'
import { findVersion } from './record/lead-row.ts'

const contact =
  jsonObjectText(`l.contact_name as name, l.phone, l.phone_raw as "phoneRaw", l.email, l.identifiers,
  l.advertiser_type as "advertiserType"`)

const property = jsonObjectText(`l.operation, l.property_type as "propertyType", l.title, l.description,
  trim_scale(l.price) as price, l.currency, trim_scale(l.square_meters) as "squareMeters", l.rooms, l.bedrooms, l.bathrooms,
  l.floor, l.floor_text as "floorText", l.condition, l.features, l.address, l.municipality, l.province, l.postcode, l.latitude, l.longitude, l.images, l.url,
  aldaba.iso_time(l.published_at) as "publishedAt"`)

const source =
  jsonObjectText(`s.platform, s.listing_id as "listingId", s.url, s.extraction_id as "extractionId", s.import_id as "importId", s.campaign_id as "campaignId",
      aldaba.iso_time(s.first_seen_at) as "firstSeenAt", aldaba.iso_time(s.last_seen_at) as "lastSeenAt",
      aldaba.iso_time(s.withdrawn_at) as "withdrawnAt"`)

/** What the sources of a lead say together, and how long its workspace keeps leads: of its adverts those count that still stand, or all if none does. */
const adverts = `(
  select coalesce(json_agg(json order by first_seen_at, platform, listing_id), '[]') as sources,
    coalesce(bool_or(agencies_abstain) filter (where withdrawn_at is null), bool_or(agencies_abstain), false) as agencies_abstain,
    max(last_seen_at) as last_seen_at, (select retention_months from workspaces where id = aldaba.current_workspace()) as retention_months
  from (
    select s.first_seen_at, s.platform, s.listing_id, s.withdrawn_at, s.last_seen_at, s.agencies_abstain, ${source} as json
    from lead_sources s where s.tenant_id = l.tenant_id and s.lead_id = l.id) source) adverts`

/** A lead as the database has it: without `contactability`, which `createLeadWriter` answers from the facts. */
export interface ReadLead {
  /** The JSON object of the contract, as text, without `contactability`. */
  json: string
  /** What is known of the person, for `answerContactability`. */
  facts: string
}

/** To be joined to a lead `l`: selects a `ReadLead` as `lead`. */
export const leadRead = sql.raw(`cross join lateral (
  select ${jsonObjectText(`l.id, l.external_id as "externalId", l.status, ${contact} as contact, ${property} as property,
  l.price_history as "priceHistory", adverts.sources, l.campaign_id as "campaignId", l.owner_user_id as "ownerUserId",
  l.tags, l.custom_fields as "customFields", l.notes_count as "notesCount",
  aldaba.iso_time(l.created_at) as "createdAt", aldaba.iso_time(l.updated_at) as "updatedAt",
  aldaba.iso_time(l.last_contacted_at) as "lastContactedAt", aldaba.iso_time(l.last_reply_at) as "lastReplyAt"`)}::text as json, ${contactFacts}::text as facts
  from ${adverts}) lead`)

/** Writes leads as the JSON of the contract, all as of one moment. */
export function createLeadWriter(): (lead: ReadLead) => string {
  const answer = answerContactability()
  return ({ json, facts }) => `${json.slice(0, -1)},"contactability":${answer(facts)}}`
}

/** A lead as the JSON of the contract; null if there is none. */
export async function findLead(tx: Tx, leadId: string): Promise<string | null> {
  const { rows } = await sql<ReadLead>`
    select lead.json, lead.facts from leads l ${leadRead} where l.id = ${leadId}`.execute(tx)
  return rows[0] ? createLeadWriter()(rows[0]) : null
}

/** The JSON of each of these leads that is there, by its id. */
export async function findLeads(tx: Tx, leadIds: string[]): Promise<Map<string, string>> {
  if (leadIds.length === 0) return new Map()
  const { rows } = await sql<ReadLead & { id: string }>`
    select l.id, lead.json, lead.facts from leads l ${leadRead} where l.id = any(${leadIds}::uuid[])`.execute(
    tx,
  )
  const write = createLeadWriter()
  return new Map(rows.map(lead => [lead.id, write(lead)]))
}

/** A lead with its ETag. Throws 404. */
export async function showLead(tx: Tx, leadId: string): Promise<JsonText> {
  const version = await findVersion(tx, leadId)
  const json = version && (await findLead(tx, leadId))
  if (json) return jsonText(json, { ETag: eTagOf(version) })
  throw await leadNotFound(tx, leadId)
}

/** Leads for messages: see CarriedObject. */
export async function readLeads(
  tx: Tx,
  ids: string[],
  maxBytes: number,
): Promise<Map<string, string | null>> {
  // The offset has the JSON made once, for its length and for itself.
  const { rows } = await sql<{ id: string; json: string | null; facts: string }>`
    select id, case when octet_length(json) <= ${maxBytes} then json end as json, facts
    from (select l.id, lead.json, lead.facts from leads l ${leadRead} where l.id = any(${ids}::uuid[]) offset 0) l`.execute(
    tx,
  )
  const write = createLeadWriter()
  return new Map(rows.map(({ id, json, facts }) => [id, json === null ? null : write({ json, facts })]))
}

/** Throws 404 if there is no such lead. */
export async function assertLead(tx: Tx, leadId: string): Promise<void> {
  const { rows } = await sql`select from leads where id = ${leadId}`.execute(tx)
  if (rows.length === 0) throw await leadNotFound(tx, leadId)
}
