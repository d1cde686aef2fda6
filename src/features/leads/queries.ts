/** The SQL that reads leads as the JSON of the API. */

import { type RawBuilder, sql } from 'kysely'
import { getInstant } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { jsonObjectText } from '../../kit/db/json.ts'
import { customPlan } from '../../kit/db/plans.ts'
import { toETag } from '../../kit/etag.ts'
import { type JsonText, toJsonText } from '../../kit/json-text.ts'
import { contactFacts, createContactabilityFormatter, retentionMonths } from '../privacy/service.ts'
import { createLeadNotFound } from './history/merged-leads.ts'
import { parseFields, type SelectedFields } from './selected-fields.ts'

type Columns = Record<string, string>

const contact: Columns = {
  name: 'l.contact_name',
  phone: 'l.phone',
  phoneRaw: 'l.phone_raw',
  email: 'l.email',
  identifiers: 'l.identifiers',
  advertiserType: 'l.advertiser_type',
}

const property: Columns = {
  operation: 'l.operation',
  propertyType: 'l.property_type',
  title: 'l.title',
  description: 'l.description',
  price: 'trim_scale(l.price)',
  currency: 'l.currency',
  squareMeters: 'trim_scale(l.square_meters)',
  rooms: 'l.rooms',
  bedrooms: 'l.bedrooms',
  bathrooms: 'l.bathrooms',
  floor: 'l.floor',
  floorText: 'l.floor_text',
  condition: 'l.condition',
  features: 'l.features',
  address: 'l.address',
  municipality: 'l.municipality',
  province: 'l.province',
  postcode: 'l.postcode',
  latitude: 'l.latitude',
  longitude: 'l.longitude',
  images: 'l.images',
  url: 'l.url',
  publishedAt: 'aldaba.iso_time(l.published_at)',
}

/** The fields of `Lead` in order, without `contactability`, as SQL over a lead `l` and its `source_summary`. */
const leadColumns: Record<string, string | Columns> = {
  id: 'l.id',
  externalId: 'l.external_id',
  status: 'l.status',
  contact,
  property,
  priceHistory: 'l.price_history',
  sources: 'source_summary.sources',
  campaignId: 'l.campaign_id',
  ownerUserId: 'l.owner_user_id',
  tags: 'l.tags',
  customFields: 'l.custom_fields',
  notesCount: 'l.notes_count',
  createdAt: 'aldaba.iso_time(l.created_at)',
  updatedAt: 'aldaba.iso_time(l.updated_at)',
  lastContactedAt: 'aldaba.iso_time(l.last_contacted_at)',
  lastReplyAt: 'aldaba.iso_time(l.last_reply_at)',
}

const source =
  jsonObjectText(`s.platform, s.listing_id as "listingId", s.url, s.extraction_id as "extractionId", s.import_id as "importId", s.campaign_id as "campaignId",
      aldaba.iso_time(s.first_seen_at) as "firstSeenAt", aldaba.iso_time(s.last_seen_at) as "lastSeenAt",
      aldaba.iso_time(s.withdrawn_at) as "withdrawnAt"`)

/**
 * SQL: a lateral table over the sources of a lead `l`, with the retention of its workspace in months. `no_agencies`
 * counts the sources that are not withdrawn, or all if every source is withdrawn.
 */
const sourceSummary = (tx: Tx) => sql`(
  select coalesce(json_agg(json order by first_seen_at, platform, listing_id), '[]') as sources,
    coalesce(bool_or(no_agencies) filter (where withdrawn_at is null), bool_or(no_agencies), false) as no_agencies,
    max(last_seen_at) as last_seen_at, ${sql.raw(retentionMonths)} as retention_months
  from (
    select s.first_seen_at, s.platform, s.listing_id, s.withdrawn_at, s.last_seen_at, s.no_agencies, ${sql.raw(source)} as json
    from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id) source) source_summary`

/**
 * A lead as the database selects it. `createLeadSerializer` adds `contactability`, which it computes from the facts.
 */
export interface LeadJson {
  /** The JSON object of `Lead`, as text, without `contactability`. */
  json: string
  /** The facts about the person, for `createContactabilityFormatter`; null if `contactability` was not selected. */
  facts: string | null
}

interface LeadParts {
  json: RawBuilder<unknown>
  hasFacts: boolean
  needsSources: boolean
  planHint: RawBuilder<unknown>
}

/** SQL: joins a `LeadJson` as `lead` to a lead `l`. `selected`: computes only these fields; null: all. */
export function leadJsonJoin(tx: Tx, selected: SelectedFields | null = null): RawBuilder<unknown> {
  const { json, hasFacts, needsSources, planHint } = selected ? toLeadParts(selected) : fullLead
  return sql`cross join lateral (${planHint}
  select ${json}::text as json, ${hasFacts ? contactFacts(tx) : sql`null`}::text as facts
  ${needsSources ? sql`from ${sourceSummary(tx)}` : sql``}) lead`
}

const fullLead = toLeadParts(null)

function toLeadParts(selected: SelectedFields | null): LeadParts {
  const columns = Object.entries(leadColumns).flatMap(([name, column]) => {
    const subfields = selected ? selected.get(name) : 'all'
    if (subfields === undefined) return []
    const text = typeof column === 'string' ? column : jsonObjectText(toColumnsText(column, subfields))
    return [`${text} as "${name}"`]
  })
  const hasFacts = !selected || selected.has('contactability')
  return {
    json: sql.raw(jsonObjectText(columns.join(', '))),
    hasFacts,
    needsSources: hasFacts || selected.has('sources'),
    // Callers select any set of fields: a prepared statement for each set would fill the server's memory.
    planHint: sql.raw(selected ? customPlan : ''),
  }
}

function toColumnsText(columns: Columns, selected: ReadonlySet<string> | 'all'): string {
  return Object.entries(columns)
    .filter(([name]) => selected === 'all' || selected.has(name))
    .map(([name, column]) => `${column} as "${name}"`)
    .join(', ')
}

/** Returns a function that formats leads as the JSON of `Lead`; all use the time of this call. */
export function createLeadSerializer(
  tx: Tx,
  selected: SelectedFields | null = null,
): (lead: LeadJson) => string {
  const format = createContactabilityFormatter(getInstant(tx), selected?.get('contactability'))
  return ({ json, facts }) =>
    facts === null ? json : `${json.slice(0, -1)},"contactability":${format(facts)}}`
}

/** A lead as the JSON of `Lead`; null if there is none. */
export async function findLead(
  tx: Tx,
  leadId: string,
  selected: SelectedFields | null = null,
): Promise<string | null> {
  return (await findLeads(tx, [leadId], selected)).get(leadId.toLowerCase()) ?? null
}

/** By id, the JSON of `Lead`; leads that do not exist are missing. */
export async function findLeads(
  tx: Tx,
  leadIds: string[],
  selected: SelectedFields | null = null,
): Promise<Map<string, string>> {
  if (leadIds.length === 0) return new Map()
  const { rows } = await sql<LeadJson & { id: string }>`
    select l.id, lead.json, lead.facts from leads l ${leadJsonJoin(tx, selected)}
    where l.tenant_id = ${getTenantId(tx)} and l.id = any(${leadIds}::uuid[])`.execute(tx)
  const serialize = createLeadSerializer(tx, selected)
  return new Map(rows.map(lead => [lead.id, serialize(lead)]))
}

/** A lead with its ETag. `fields`: the query parameter; omitted: all fields. Throws 404. */
export async function getLeadReply(tx: Tx, leadId: string, fields?: string): Promise<JsonText> {
  const selected = parseFields(fields)
  // In one statement, so that the tag is that of these values: with that of later ones, a change would overwrite what nobody has seen.
  const { rows } = await sql<LeadJson & { version: string }>`
    select l.xmin::text as version, lead.json, lead.facts from leads l ${leadJsonJoin(tx, selected)}
    where l.tenant_id = ${getTenantId(tx)} and l.id = ${leadId}`.execute(tx)
  const [lead] = rows
  if (!lead) throw await createLeadNotFound(tx, leadId)
  return toJsonText(createLeadSerializer(tx, selected)(lead), { ETag: toETag(lead.version) })
}

/** By id, the JSON of leads to embed in messages; null: longer than `maxBytes`. See `EmbeddedObject`. */
export async function readEmbeddedLeads(
  tx: Tx,
  ids: string[],
  maxBytes: number,
): Promise<Map<string, string | null>> {
  // "offset 0" makes PostgreSQL compute the JSON once, not for its length and again for its text.
  const { rows } = await sql<{ id: string; json: string | null; facts: string }>`
    select id, case when octet_length(json) <= ${maxBytes} then json end as json, facts
    from (
      select l.id, lead.json, lead.facts from leads l ${leadJsonJoin(tx)}
      where l.tenant_id = ${getTenantId(tx)} and l.id = any(${ids}::uuid[]) offset 0) l`.execute(tx)
  const serialize = createLeadSerializer(tx)
  return new Map(rows.map(({ id, json, facts }) => [id, json === null ? null : serialize({ json, facts })]))
}

/** Throws 404 if there is no such lead. */
export async function assertLead(tx: Tx, leadId: string): Promise<void> {
  const { rows } =
    await sql`select from leads where tenant_id = ${getTenantId(tx)} and id = ${leadId}`.execute(tx)
  if (rows.length === 0) throw await createLeadNotFound(tx, leadId)
}
