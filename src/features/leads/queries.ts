/** Every SQL statement that reads leads. */

import { type RawBuilder, sql } from 'kysely'
import { instantOf } from '../../kit/clock/clock.ts'
import { tenantIdOf } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { jsonObjectText } from '../../kit/db/json.ts'
import { plannedAnew } from '../../kit/db/reader.ts'
import { eTagOf } from '../../kit/etag.ts'
import { type JsonText, jsonText } from '../../kit/json-text.ts'
import { answerContactability, contactFacts, retentionMonths } from '../privacy/service.ts'
import { type ChosenFields, readFields } from './chosen-fields.ts'
import { leadNotFound } from './history/family.ts'
import { findVersion } from './record/lead-row.ts'

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

/** The fields of a lead in the order of the contract, without `contactability`, as SQL of a lead `l` and its `adverts`. */
const leadColumns: Record<string, string | Columns> = {
  id: 'l.id',
  externalId: 'l.external_id',
  status: 'l.status',
  contact,
  property,
  priceHistory: 'l.price_history',
  sources: 'adverts.sources',
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

/** What the sources of a lead say together, and how long its workspace keeps leads: of its adverts those count that still stand, or all if none does. */
const adverts = (tx: Tx) => sql`(
  select coalesce(json_agg(json order by first_seen_at, platform, listing_id), '[]') as sources,
    coalesce(bool_or(agencies_abstain) filter (where withdrawn_at is null), bool_or(agencies_abstain), false) as agencies_abstain,
    max(last_seen_at) as last_seen_at, ${sql.raw(retentionMonths)} as retention_months
  from (
    select s.first_seen_at, s.platform, s.listing_id, s.withdrawn_at, s.last_seen_at, s.agencies_abstain, ${sql.raw(source)} as json
    from lead_sources s where s.tenant_id = ${tenantIdOf(tx)} and s.lead_id = l.id) source) adverts`

/** A lead as the database has it: without `contactability`, which `createLeadWriter` answers from the facts. */
export interface ReadLead {
  /** The JSON object of the contract, as text, without `contactability`. */
  json: string
  /** What is known of the person, for `answerContactability`; null if that was not chosen. */
  facts: string | null
}

interface LeadParts {
  json: RawBuilder<unknown>
  hasFacts: boolean
  needsAdverts: boolean
  planned: RawBuilder<unknown>
}

/**
 * SQL: to be joined to a lead `l`: selects a `ReadLead` as `lead`; with chosen fields these alone, and the others are not computed.
 */
export function leadRead(tx: Tx, chosen: ChosenFields | null = null): RawBuilder<unknown> {
  const { json, hasFacts, needsAdverts, planned } = chosen ? leadParts(chosen) : wholeLead
  return sql`cross join lateral (${planned}
  select ${json}::text as json, ${hasFacts ? contactFacts(tx) : sql`null`}::text as facts
  ${needsAdverts ? sql`from ${adverts(tx)}` : sql``}) lead`
}

const wholeLead = leadParts(null)

function leadParts(chosen: ChosenFields | null): LeadParts {
  const columns = Object.entries(leadColumns).flatMap(([name, column]) => {
    const below = chosen ? chosen.get(name) : 'all'
    if (below === undefined) return []
    const text = typeof column === 'string' ? column : jsonObjectText(columnsText(column, below))
    return [`${text} as "${name}"`]
  })
  const hasFacts = !chosen || chosen.has('contactability')
  return {
    json: sql.raw(jsonObjectText(columns.join(', '))),
    hasFacts,
    needsAdverts: hasFacts || chosen.has('sources'),
    // Callers choose as they like: what is prepared for each choice would fill the server's memory.
    planned: sql.raw(chosen ? plannedAnew : ''),
  }
}

function columnsText(columns: Columns, chosen: ReadonlySet<string> | 'all'): string {
  return Object.entries(columns)
    .filter(([name]) => chosen === 'all' || chosen.has(name))
    .map(([name, column]) => `${column} as "${name}"`)
    .join(', ')
}

/** Writes leads as the JSON of the contract, all as of one moment. */
export function createLeadWriter(tx: Tx, chosen: ChosenFields | null = null): (lead: ReadLead) => string {
  const answer = answerContactability(instantOf(tx), chosen?.get('contactability'))
  return ({ json, facts }) =>
    facts === null ? json : `${json.slice(0, -1)},"contactability":${answer(facts)}}`
}

/** A lead as the JSON of the contract; null if there is none. */
export async function findLead(
  tx: Tx,
  leadId: string,
  chosen: ChosenFields | null = null,
): Promise<string | null> {
  const { rows } = await sql<ReadLead>`
    select lead.json, lead.facts from leads l ${leadRead(tx, chosen)}
    where l.tenant_id = ${tenantIdOf(tx)} and l.id = ${leadId}`.execute(tx)
  return rows[0] ? createLeadWriter(tx, chosen)(rows[0]) : null
}

/** The JSON of each of these leads that is there, by its id. */
export async function findLeads(tx: Tx, leadIds: string[]): Promise<Map<string, string>> {
  if (leadIds.length === 0) return new Map()
  const { rows } = await sql<ReadLead & { id: string }>`
    select l.id, lead.json, lead.facts from leads l ${leadRead(tx)}
    where l.tenant_id = ${tenantIdOf(tx)} and l.id = any(${leadIds}::uuid[])`.execute(tx)
  const write = createLeadWriter(tx)
  return new Map(rows.map(lead => [lead.id, write(lead)]))
}

/** A lead with its ETag; of its fields those alone that `fields` of the query names. Throws 404. */
export async function showLead(tx: Tx, leadId: string, fields?: string): Promise<JsonText> {
  const [version, json] = await Promise.all([
    findVersion(tx, leadId),
    findLead(tx, leadId, readFields(fields)),
  ])
  if (version && json) return jsonText(json, { ETag: eTagOf(version) })
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
    from (
      select l.id, lead.json, lead.facts from leads l ${leadRead(tx)}
      where l.tenant_id = ${tenantIdOf(tx)} and l.id = any(${ids}::uuid[]) offset 0) l`.execute(tx)
  const write = createLeadWriter(tx)
  return new Map(rows.map(({ id, json, facts }) => [id, json === null ? null : write({ json, facts })]))
}

/** Throws 404 if there is no such lead. */
export async function assertLead(tx: Tx, leadId: string): Promise<void> {
  const { rows } =
    await sql`select from leads where tenant_id = ${tenantIdOf(tx)} and id = ${leadId}`.execute(tx)
  if (rows.length === 0) throw await leadNotFound(tx, leadId)
}
