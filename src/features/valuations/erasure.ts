/** What valuations say of whoever is erased in words, and how it goes. They belong to no lead, so all of a tenant are looked through. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { sanitizeJson } from '../../kit/sanitize-text.ts'
import type { ErasedPeople, Traces } from '../privacy/service.ts'

/** Handles `erasePersonData`. */
export async function erasePeopleFromValuations(
  tx: Tx,
  { words, identifiers }: ErasedPeople,
): Promise<Traces> {
  return { changed: await eraseWords(tx, words, identifiers) }
}

/** What of a valuation is to be emptied, and its subject without their words; null: it has none of them. */
interface ErasedFields {
  id: string
  name: boolean
  address: boolean
  location: boolean
  subject: string | null
}

/**
 * Empties names, addresses and ids of locations, and takes out amenities, that are one of `words` or hold one of `identifiers`.
 * A word by itself ("Mallorca") is a person's in the name alone: elsewhere it is a street, a town or a thing. Returns the valuations.
 */
export async function eraseWords(tx: Tx, words: string[], identifiers: string[]): Promise<string[]> {
  const inName = containsAny(words, identifiers)
  const elsewhere = containsAny(
    words.filter(word => /[\s\d]/.test(word)),
    identifiers,
  )
  const tags = (condition: RawBuilder<unknown>) => sql`
    (select v.subject -> 'amenities' as amenities offset 0) subject,
    json_array_elements_text(case when json_typeof(amenities) = 'array' then amenities end) with ordinality as each (tag, at)
    where ${condition}`
  const isTheirTag = elsewhere(sql`tag`)
  // Each text is looked at once, and what is found is looked at anew if somebody changed it meanwhile.
  const { rows } = await sql<ErasedFields>`
    select v.id, of_them.name, of_them.address, of_them.location, case when of_them.tags then jsonb_set(v.subject::jsonb, '{amenities}', (
      select coalesce(jsonb_agg(tag order by at), '[]') from ${tags(sql`not ${isTheirTag}`)}))::text end as subject
    from valuations v
    cross join lateral (
      select ${inName(sql`v.name`)} as name, ${elsewhere(sql`v.address`)} as address,
        ${elsewhere(sql`v.portal_location_id`)} as location, exists (select from ${tags(isTheirTag)}) as tags
      offset 0) of_them
    where v.tenant_id = ${getTenantId(tx)} and (of_them.name or of_them.address or of_them.location or of_them.tags)
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

/**
 * SQL: whether a text is one of `words`, or holds one of `identifiers` as a word. Most hold no sign of any, which is quick to see.
 * Telephones are written with and without the code of their country, and in groups: their last nine digits are enough.
 */
export function containsAny(words: string[], identifiers: string[]) {
  const lower = (values: string[]) => values.map(value => value.toLowerCase())
  const [phones, others] = [identifiers.filter(isPhone), identifiers.filter(value => !isPhone(value))]
  return (text: RawBuilder<unknown>) => sql`coalesce(
    lower(btrim(${text})) = any(${lower([...words, ...identifiers])}::text[])
    or case when ${text} ~ '[@:+]' then
      regexp_split_to_array(lower(${text}), '[.:!?]*([\\s,;<>()"]+|$)') && ${lower(others)}::text[] else false end
    or case when ${text} ~ '([0-9][^[:alnum:],;]*){9}' then exists (
      select from (select translate(${text}, translate(${text}, '0123456789', ''), '') as digits offset 0) of_it,
        generate_series(1, length(digits) - 8) at
      where substr(digits, at, 9) = any(${phones.map(value => value.slice(-9))}::text[])) else false end, false)`
}

function isPhone(identifier: string): boolean {
  return /^\+\d{9,}$/.test(identifier)
}
