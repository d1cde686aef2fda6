/** Erases people from the texts of valuations. A valuation belongs to no lead, so all of the tenant's are searched. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { sanitizeJson } from '../../kit/sanitize-text.ts'
import { containsAny, type ErasedPeople, type Traces } from '../privacy/service.ts'

/** The handler of `erasePersonData`. */
export async function erasePeopleFromValuations(
  tx: Tx,
  { words, identifiers }: ErasedPeople,
): Promise<Traces> {
  return { changed: await eraseWords(tx, words, identifiers) }
}

/** The fields of a valuation to empty, and its `subject` (JSON) without the person's amenities; null: unchanged. */
interface ErasedFields {
  id: string
  name: boolean
  address: boolean
  location: boolean
  subject: string | null
}

/**
 * Empties names, addresses and location ids, and removes amenities, that equal one of `words` or contain one of
 * `identifiers`. A single word such as "Mallorca" is compared with the name only: in other fields it is a street, a
 * town or a thing. Returns the ids of the changed valuations.
 */
export async function eraseWords(tx: Tx, words: string[], identifiers: string[]): Promise<string[]> {
  const matchesInName = containsAny(words, identifiers)
  const matchesElsewhere = containsAny(
    words.filter(word => /[\s\d]/.test(word)),
    identifiers,
  )
  const amenitiesWhere = (condition: RawBuilder<unknown>) => sql`
    (select v.subject -> 'amenities' as amenities offset 0) subject,
    json_array_elements_text(case when json_typeof(amenities) = 'array' then amenities end) with ordinality as each (amenity, at)
    where ${condition}`
  const matchesAmenity = matchesElsewhere(sql`amenity`)
  // `offset 0` evaluates each text once. The row lock evaluates it again if the row was changed concurrently.
  const { rows } = await sql<ErasedFields>`
    select v.id, found.name, found.address, found.location, case when found.amenities then jsonb_set(v.subject::jsonb, '{amenities}', (
      select coalesce(jsonb_agg(amenity order by at), '[]') from ${amenitiesWhere(sql`not ${matchesAmenity}`)}))::text end as subject
    from valuations v
    cross join lateral (
      select ${matchesInName(sql`v.name`)} as name, ${matchesElsewhere(sql`v.address`)} as address,
        ${matchesElsewhere(sql`v.portal_location_id`)} as location, exists (select from ${amenitiesWhere(matchesAmenity)}) as amenities
      offset 0) found
    where v.tenant_id = ${getTenantId(tx)} and (found.name or found.address or found.location or found.amenities)
    for no key update of v`.execute(tx)
  if (rows.length === 0) return []
  await sql`
    update valuations v set
      name = case when i.name then null else v.name end,
      address = case when i.address then null else v.address end,
      portal_location_id = case when i.location then null else v.portal_location_id end,
      subject = coalesce(i.subject::json, v.subject),
      revision = v.revision + 1
    from jsonb_to_recordset(${sanitizeJson(rows)}::jsonb) as i (id uuid, name boolean, address boolean, location boolean, subject text)
    where v.tenant_id = ${getTenantId(tx)} and v.id = i.id`.execute(tx)
  return rows.map(({ id }) => id)
}
