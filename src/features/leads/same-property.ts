/** Adverts of a property that is a lead already, from another portal or from an advert since withdrawn. */
import { sql } from 'kysely'
import {
  AREA_TOLERANCE,
  AREA_TOLERANCE_SQUARE_METERS,
  type PropertyFacts,
  sameProperty,
} from '../../domain/dedupe/same-property.ts'
import type { Listing } from '../../domain/listing/listing.ts'
import type { Tx } from '../../kit/db/index.ts'

interface Advert {
  listingId: string
  listing: Listing
}

/** Of one advert: many flats of one building, size and agency are told apart by nothing that an advert says. */
const candidatesMax = 50

type Candidate = PropertyFacts & { listingId: string; leadId: string }

/** The lead of each advert whose property is one already; of several alike, none: better two leads than a wrong one. */
export async function findSameProperties(
  tx: Tx,
  platform: string,
  adverts: Advert[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const taken = new Set<string>()
  const byListing = Map.groupBy(await findCandidates(tx, platform, adverts), ({ listingId }) => listingId)
  for (const { listingId, listing } of adverts) {
    const facts = { ...listing, phone: listing.contact.phone }
    const [best, second] = (byListing.get(listingId) ?? [])
      .flatMap(candidate => {
        const same = taken.has(candidate.leadId) ? null : sameProperty(facts, candidate)
        return same ? [{ leadId: candidate.leadId, unlikeness: same.unlikeness }] : []
      })
      .sort((a, b) => a.unlikeness - b.unlikeness)
    if (!best || second?.unlikeness === best.unlikeness) continue
    found.set(listingId, best.leadId)
    taken.add(best.leadId)
  }
  return found
}

/**
 * Leads of the same telephone and about the same size that this portal has no advert of: a property that it withdrew may
 * be advertised there anew.
 */
async function findCandidates(tx: Tx, platform: string, adverts: Advert[]): Promise<Candidate[]> {
  const wanted = adverts.flatMap(({ listingId, listing: { contact, squareMeters } }) => {
    if (contact.phone === null || squareMeters === null) return []
    const tolerance = Math.max(squareMeters * AREA_TOLERANCE * 1.05, AREA_TOLERANCE_SQUARE_METERS)
    const [low, high] = [Math.floor(squareMeters - tolerance), Math.ceil(squareMeters + tolerance)]
    return [{ listing_id: listingId, phone: contact.phone, low, high }]
  })
  if (wanted.length === 0) return []
  const { rows } = await sql<Candidate>`
    select i.listing_id as "listingId", l.id as "leadId", l.phone, l.operation, l.property_type as "propertyType",
      l.square_meters::float8 as "squareMeters", l.price::float8 as price, l.bedrooms, l.bathrooms, l.floor,
      l.latitude, l.longitude, l.address, l.municipality, l.postcode
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as i (listing_id text, phone text, low integer, high integer)
    cross join lateral (
      select * from leads l
      where l.phone = i.phone and l.whole_square_meters between i.low and i.high
        -- A count, because the planner would join what "not exists" asks for, over all sources of the portal.
        and (
          select count(*) from lead_sources s
          where s.tenant_id = l.tenant_id and s.lead_id = l.id and s.platform = ${platform} and s.withdrawn_at is null) = 0
      limit ${candidatesMax}) l`.execute(tx)
  return rows
}
