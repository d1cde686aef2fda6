/** Erases people from sheets. */
import { getTenantId } from '../../kit/db/context.ts'
import { sql, type Tx } from '../../kit/db/index.ts'
import { sanitizeJson } from '../../kit/sanitize-text.ts'
import { containsAny, type ErasedPeople, type Traces } from '../privacy/service.ts'
import { deleteFichas } from './queries.ts'
import { refundFichas } from './refund.ts'

/** The fields of a property in which a user may have written about people. */
const textFields = ['title', 'description', 'address', 'neighbourhood', 'reference'] as const

/**
 * Handles `erasePersonData`: deletes the sheets of the leads and of their listings, with photos and links, and empties
 * the texts of other sheets that contain an identifier of the people.
 */
export async function erasePeopleFromFichas(
  tx: Tx,
  { leadIds, words, identifiers }: ErasedPeople,
): Promise<Traces> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ id: string }>`
    select f.id from fichas f
    where f.tenant_id = ${tenantId} and (f.lead_id = any(${leadIds}::uuid[]) or (f.platform, f.listing_id) in (
      select s.platform, s.listing_id from lead_sources s
      where s.tenant_id = ${tenantId} and s.lead_id = any(${leadIds}::uuid[])))`.execute(tx)
  const deleted = rows.map(({ id }) => id)
  await refundFichas(tx, await deleteFichas(tx, deleted))
  return { deleted, changed: await eraseTexts(tx, words, identifiers) }
}

/** Empties texts in all versions. Returns the ids of the changed sheets. */
async function eraseTexts(tx: Tx, words: string[], identifiers: string[]): Promise<string[]> {
  const tenantId = getTenantId(tx)
  // A concurrent change has read the texts and would store them again in its new version.
  await sql`select from fichas where tenant_id = ${tenantId} order by id for no key update`.execute(tx)
  const matches = containsAny(words, identifiers)
  const matched = textFields.map(
    field =>
      sql`case when ${matches(sql`v.content -> 'property' ->> ${sql.lit(field)}`)} then ${sql.lit(field)} end`,
  )
  const { rows } = await sql<{ id: string; version: number; fields: string[] }>`
    select * from (
      select v.ficha_id as id, v.version, array_remove(array[${sql.join(matched)}], null) as fields
      from ficha_versions v where v.tenant_id = ${tenantId} offset 0) found
    where cardinality(fields) > 0`.execute(tx)
  if (rows.length === 0) return []
  await sql`
    update ficha_versions v set content = jsonb_set(v.content::jsonb, '{property}', v.content::jsonb -> 'property' || (
      select jsonb_object_agg(field, null) from jsonb_array_elements_text(i.fields) field))::json
    from jsonb_to_recordset(${sanitizeJson(rows)}::jsonb) as i (id uuid, version integer, fields jsonb)
    where v.tenant_id = ${tenantId} and v.ficha_id = i.id and v.version = i.version`.execute(tx)
  return [...new Set(rows.map(({ id }) => id))]
}
