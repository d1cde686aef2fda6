/** The SQL statements that find which leads a written one may be: those that bear its id, and those of its person. */
import { sql } from 'kysely'
import { toPlaceKeys } from '../../../domain/dedupe/place-keys.ts'
import type { IdentifiedFacts } from '../../../domain/dedupe/same-id.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { findSimilarIds } from './similar-candidates.ts'

export type CandidateLead = IdentifiedFacts & { leadId: string; currentExternalId: string | null }

/** Of one identifier; of an agency's telephone, which stands on hundreds of leads, those alone that are like the row. */
const sharedByMax = 100
/** An id that more leads bear is none: `WEB`, the name of a campaign. */
export const idHoldersMax = 20

const facts =
  sql.raw(`l.id as "leadId", l.external_id as "currentExternalId", l.contact_name as name, array_remove(array[l.phone, l.email] || l.identifiers, null) as identifiers,
  l.phone, l.advertiser_type as "advertiserType", l.operation, l.property_type as "propertyType",
  l.square_meters::float8 as "squareMeters", l.price::float8 as price, l.bedrooms, l.bathrooms, l.floor, l.latitude, l.longitude,
  l.address, l.municipality, l.postcode, l.condition, l.features, l.title, l.description, l.images, l.url`)

/** An export of ours names each lead by its own id: what was edited elsewhere and comes back is that lead. */
export async function findCandidatesById(tx: Tx, leadIds: string[]): Promise<CandidateLead[]> {
  if (leadIds.length === 0) return []
  const { rows } = await sql<CandidateLead>`
    select ${facts} from leads l where l.tenant_id = ${getTenantId(tx)} and l.id = any(${leadIds}::uuid[])`.execute(
    tx,
  )
  return rows
}

/** By external id, the lead that has it. */
export async function findLeadsByExternalId(tx: Tx, externalIds: string[]): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map()
  const { rows } = await sql<{ externalId: string; id: string }>`
    select external_id as "externalId", id from leads
    where tenant_id = ${getTenantId(tx)} and external_id = any(${externalIds}::text[])`.execute(tx)
  return new Map(rows.map(({ externalId, id }) => [externalId, id]))
}

/** A lead with an id that a file gave it, which others may bear as well; `listingId`: of the source that says so. */
export type IdHolder = CandidateLead & { externalId: string; listingId: string }

/** At most one more than `idHoldersMax` of each id. */
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

/** What a row tells of itself, and by which identifiers; `exact`: as `exactKey` has it, where there are none. */
export interface MatchQuery {
  values: string[]
  exact: string | null
  facts: IdentifiedFacts
}

/** For each of these, in order, the leads that share an identifier with it, or are just the same. */
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

/** By identifier, the leads that have it: at most one more than `sharedByMax`. */
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

/** By the place of a row, the leads of its street that say just the same, and by which nobody can be reached either. */
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

/** By the place of a row, those of an identifier on many leads that are like it. */
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
  for (const [at, { index }] of wanted.entries())
    similar.set(index, [...(similar.get(index) ?? []), ...ids[at]!.map(id => leads.get(id)!)])
  return similar
}
