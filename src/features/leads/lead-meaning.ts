/** Which lead a written one is: by the writer's own id, or by whom and what it is of. */
import { sql } from 'kysely'
import { findSameLead, type LeadFacts } from '../../domain/dedupe/same-lead.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { LeadRow } from './lead-row.ts'

/** Of one identifier: an agency's telephone stands on hundreds of leads. */
const candidatesMax = 200

interface Written<D> {
  draft: D
  row: LeadRow
}

export type Meaning<D> = Written<D> & {
  /** Null: it is a new lead. */
  leadId: string | null
  /** It is one that was written earlier in this batch, whose lead this is; null if that is new too. */
  isRepeated: boolean
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Candidate = LeadFacts & { leadId: string | null; isWritten: boolean }

/** In the order of the batch: each draft may be one that came before it. */
export async function findMeanings<D extends { sourceId: string }>(
  tx: Tx,
  platform: string,
  written: Written<D>[],
): Promise<Meaning<D>[]> {
  const bySource = await findBySource(
    tx,
    platform,
    written.map(({ draft }) => draft.sourceId),
  )
  const known = await findCandidates(tx, [...new Set(written.flatMap(({ row }) => valuesOf(row)))])
  const taken = new Set<string>()
  return written.map(({ draft, row }): Meaning<D> => {
    const found = bySource.get(draft.sourceId) ?? findSameLead(factsOf(row), candidatesOf(row, known))
    const leadId = found?.leadId ?? null
    const isRepeated = found !== null && (found.isWritten || taken.has(found.leadId!))
    if (leadId !== null) taken.add(leadId)
    else if (found === null) {
      const candidate: Candidate = { ...factsOf(row), leadId: null, isWritten: true }
      bySource.set(draft.sourceId, candidate)
      for (const value of valuesOf(row)) known.set(value, [...(known.get(value) ?? []), candidate])
    }
    return { draft, row, leadId, isRepeated }
  })
}

function valuesOf({ phone, email, identifiers }: LeadRow): string[] {
  return [phone, email, ...(identifiers as string[])].filter(value => value !== null) as string[]
}

function candidatesOf(row: LeadRow, known: Map<string, Candidate[]>): Candidate[] {
  const all = valuesOf(row).flatMap(value => known.get(value) ?? [])
  const byLead = new Map(all.map(candidate => [candidate.leadId ?? candidate, candidate]))
  return [...byLead.values()]
}

function factsOf(row: LeadRow): LeadFacts {
  return {
    phone: row.phone,
    advertiserType: row.advertiser_type,
    operation: row.operation,
    propertyType: row.property_type,
    squareMeters: row.square_meters,
    price: row.price,
    bedrooms: row.bedrooms,
    bathrooms: row.bathrooms,
    floor: row.floor,
    latitude: row.latitude,
    longitude: row.longitude,
    address: row.address,
    municipality: row.municipality,
    postcode: row.postcode,
    condition: row.condition,
    features: row.features,
    title: row.title,
    description: row.description,
    images: row.images,
    url: row.url,
  } as LeadFacts
}

/** An export names each lead by its own id: what was edited elsewhere and comes back is that lead. */
async function findBySource(tx: Tx, platform: string, sourceIds: string[]): Promise<Map<string, Candidate>> {
  const ownIds = sourceIds.filter(id => uuid.test(id))
  const { rows } = await sql<{ sourceId: string; leadId: string }>`
    select id::text as "sourceId", id as "leadId" from leads where id = any(${ownIds}::uuid[])
    union all
    select listing_id, lead_id from lead_sources where platform = ${platform} and listing_id = any(${sourceIds})`.execute(
    tx,
  )
  return new Map(rows.map(({ sourceId, leadId }) => [sourceId, { leadId, isWritten: false } as Candidate]))
}

async function findCandidates(tx: Tx, values: string[]): Promise<Map<string, Candidate[]>> {
  if (values.length === 0) return new Map()
  const { rows } = await sql<Candidate & { value: string }>`
    select v.value, l.id as "leadId", false as "isWritten", l.phone, l.advertiser_type as "advertiserType", l.operation,
      l.property_type as "propertyType", l.square_meters::float8 as "squareMeters", l.price::float8 as price, l.bedrooms,
      l.bathrooms, l.floor, l.latitude, l.longitude, l.address, l.municipality, l.postcode, l.condition, l.features, l.title,
      l.description, l.images, l.url
    from unnest(${values}::text[]) v (value)
    cross join lateral (select lead_id from lead_identifiers i where i.value = v.value limit ${candidatesMax}) i
    join leads l on l.id = i.lead_id`.execute(tx)
  return Map.groupBy(rows, ({ value }) => value)
}
