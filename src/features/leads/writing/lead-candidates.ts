/** The SQL statements that find the candidates for an input: leads with its id, and leads of its person. */
import { sql } from 'kysely'
import { toPlaceKeys } from '../../../domain/dedupe/place-keys.ts'
import type { IdentifiedFacts } from '../../../domain/dedupe/same-id.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { findSimilarIds } from './similar-candidates.ts'

export type CandidateLead = IdentifiedFacts & { leadId: string; currentExternalId: string | null }

/** An identifier on more leads, such as the phone of an agency, is common: only similar leads are candidates. */
const sharedByMax = 100
/** A value that more leads have is no id, but a word such as `WEB` or the name of a campaign. */
export const idHoldersMax = 20

const facts =
  sql.raw(`l.id as "leadId", l.external_id as "currentExternalId", l.contact_name as name, array_remove(array[l.phone, l.email] || l.identifiers, null) as identifiers,
  l.phone, l.advertiser_type as "advertiserType", l.operation, l.property_type as "propertyType",
  l.square_meters::float8 as "squareMeters", l.price::float8 as price, l.bedrooms, l.bathrooms, l.floor, l.latitude, l.longitude,
  l.address, l.municipality, l.postcode, l.condition, l.features, l.title, l.description, l.images, l.url`)

/** Leads by their own ids: an edited export that is imported again names each lead by its id. */
export async function findCandidatesById(tx: Tx, leadIds: string[]): Promise<CandidateLead[]> {
  if (leadIds.length === 0) return []
  const { rows } = await sql<CandidateLead>`
    select ${facts} from leads l where l.tenant_id = ${getTenantId(tx)} and l.id = any(${leadIds}::uuid[])`.execute(
    tx,
  )
  return rows
}

/** By external id, the id of the lead that has it. */
export async function findLeadsByExternalId(tx: Tx, externalIds: string[]): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map()
  const { rows } = await sql<{ externalId: string; id: string }>`
    select external_id as "externalId", id from leads
    where tenant_id = ${getTenantId(tx)} and external_id = any(${externalIds}::text[])`.execute(tx)
  return new Map(rows.map(({ externalId, id }) => [externalId, id]))
}

/** Those of the leads that are won, lost or discarded, or whose listings exclude contact by agencies. */
export async function findClosedLeads(tx: Tx, leadIds: string[]): Promise<Set<string>> {
  if (leadIds.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from leads l
    where l.tenant_id = ${getTenantId(tx)} and l.id = any(${leadIds}::uuid[])
      and (status in ('won', 'lost', 'discarded') or (
        select coalesce(bool_or(no_agencies) filter (where withdrawn_at is null), bool_or(no_agencies), false)
        from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id))`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** A lead with this id from a file; other leads may have the same one. `listingId`: of the source with the id. */
export type IdHolder = CandidateLead & { externalId: string; listingId: string }

/** The leads with these ids; at most `idHoldersMax` + 1 for each id. */
export async function findIdHolders(tx: Tx, platform: string, externalIds: string[]): Promise<IdHolder[]> {
  if (externalIds.length === 0) return []
  const { rows } = await sql<IdHolder>`
    with s as materialized (
      select v.id, s.* from unnest(${externalIds}::text[]) v (id)
      cross join lateral (
        select listing_id, lead_id from lead_sources
        where tenant_id = ${getTenantId(tx)} and platform = ${platform} and listing_id = v.id
        union all
        select listing_id, lead_id from lead_sources
        where tenant_id = ${getTenantId(tx)} and platform = ${platform} and external_id = v.id
        limit ${idHoldersMax + 1}) s
    )
    select s.id as "externalId", s.listing_id as "listingId", ${facts}
    from s join leads l on l.tenant_id = ${getTenantId(tx)} and l.id = s.lead_id`.execute(tx)
  return rows
}

export interface MatchQuery {
  /** The normalised identifiers of the person. */
  values: string[]
  /** The result of `toExactKey`, for a row without identifiers; else null. */
  exact: string | null
  facts: IdentifiedFacts
}

/**
 * For each query, in order, the leads that share an identifier with it; for a row without identifiers, identical
 * leads.
 */
export async function findLeadsSharingIdentifiers(tx: Tx, queries: MatchQuery[]): Promise<CandidateLead[][]> {
  const values = [...new Set(queries.flatMap(({ values }) => values))]
  const [exact, byValue] = await Promise.all([findExactMatches(tx, queries), findByValues(tx, values)])
  const common = new Set(values.filter(value => (byValue.get(value)?.length ?? 0) > sharedByMax))
  const similar = await findSimilarLeads(tx, queries, common)
  return queries.map((each, index) => [
    ...each.values.flatMap(value => (common.has(value) ? [] : (byValue.get(value) ?? []))),
    ...(similar.get(index) ?? []),
    ...(exact.get(index) ?? []),
  ])
}

/** By identifier, the leads that have it; at most `sharedByMax` + 1. */
async function findByValues(tx: Tx, values: string[]): Promise<Map<string, CandidateLead[]>> {
  if (values.length === 0) return new Map()
  const { rows } = await sql<CandidateLead & { value: string }>`
    with i as materialized (
      select v.value, i.lead_id from unnest(${values}::text[]) v (value)
      cross join lateral (
        select lead_id from lead_identifiers i where i.tenant_id = ${getTenantId(tx)} and i.value = v.value limit ${sharedByMax + 1}) i
    )
    select i.value, ${facts} from i join leads l on l.tenant_id = ${getTenantId(tx)} and l.id = i.lead_id`.execute(
    tx,
  )
  return Map.groupBy(rows, ({ value }) => value)
}

/** By index of the query, leads without identifiers in the same street with the same values. */
async function findExactMatches(tx: Tx, queries: MatchQuery[]): Promise<Map<number, CandidateLead[]>> {
  const wanted = queries.flatMap(({ exact, facts }, index) => {
    const { street } = toPlaceKeys({ ...facts, latitude: null, longitude: null })
    const { name, title, address, price, squareMeters } = facts
    return exact === null || street === null
      ? []
      : [{ index, street, name, title, address, price, size: squareMeters }]
  })
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<CandidateLead & { index: number }>`
    with r as materialized (
      select * from jsonb_to_recordset(${sanitizeJson(wanted)}::jsonb) as r (index integer, street bigint, name text, title text,
        address text, price float8, size float8)
    ), same as materialized (
      select r.index, s.id from r cross join lateral (
        select id from leads where tenant_id = ${getTenantId(tx)} and street_key = r.street and address = r.address and title = r.title
          and price::float8 = r.price and square_meters::float8 = r.size and contact_name is not distinct from r.name
          and phone is null and email is null and identifiers = '{}'
        limit 2) s
    )
    select same.index, ${facts} from same join leads l on l.tenant_id = ${getTenantId(tx)} and l.id = same.id`.execute(
    tx,
  )
  return Map.groupBy(rows, ({ index }) => index)
}

/** By index of the query, similar leads that share a common identifier with it. */
async function findSimilarLeads(
  tx: Tx,
  queries: MatchQuery[],
  common: Set<string>,
): Promise<Map<number, CandidateLead[]>> {
  const wanted = queries.flatMap(({ values, facts }, index) =>
    values.filter(value => common.has(value)).map(value => ({ index, value, facts })),
  )
  const ids = await findSimilarIds(tx, wanted)
  const leads = new Map(
    (await findCandidatesById(tx, [...new Set(ids.flat())])).map(lead => [lead.leadId, lead]),
  )
  const similar = new Map<number, CandidateLead[]>()
  for (const [position, { index }] of wanted.entries())
    similar.set(index, [...(similar.get(index) ?? []), ...ids[position]!.map(id => leads.get(id)!)])
  return similar
}
