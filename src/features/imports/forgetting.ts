/** What imports keep of whoever is erased, and how it goes. Headings of all imports of a tenant that have ended are read. */

import { type RawBuilder, sql } from 'kysely'
import { sqlNow } from '../../kit/clock/clock.ts'
import { tenantIdOf } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { columnsOfPeople, type ErasedPeople, formerLeads, type Traces } from '../privacy/service.ts'

/** Handles `forgetPeople`. */
export async function forgetPeopleOfImports(tx: Tx, people: ErasedPeople): Promise<Traces> {
  const { rows } = await sql<{ id: string }>`
    select distinct import_id as id from lead_sources
    where tenant_id = ${tenantIdOf(tx)} and lead_id = any(${people.leadIds}::uuid[]) and import_id is not null`.execute(
    tx,
  )
  await forgetFormerChanges(tx, people)
  return { changed: await forgetHeadings(tx, people.words), reported: rows.map(({ id }) => id) }
}

/** Of leads that had one of these identifiers once: what imports changed of their contact meanwhile. */
async function forgetFormerChanges(tx: Tx, { family, identifiers }: ErasedPeople): Promise<void> {
  await sql`
    update import_changes c set changes = c.changes - ${columnsOfPeople}::text[]
    from ${formerLeads(tx, identifiers, family)} f, imports i
    where c.tenant_id = ${tenantIdOf(tx)} and c.lead_id = f.lead_id and i.tenant_id = c.tenant_id and i.id = c.import_id
      and i.created_at <= f.until and coalesce(i.finished_at >= f.since, true)`.execute(tx)
}

/**
 * Of a file without headings the first row was taken for them, and may be a person's: so each that is one of these words goes,
 * unless it is a known heading, which tells nothing of somebody called so ("Propietario"). An import that is under way, or still
 * has its file, needs them. Its name goes as well if it is one of them. Returns the imports.
 */
async function forgetHeadings(tx: Tx, words: string[]): Promise<string[]> {
  const known = words.map(word => word.toLowerCase())
  const isOne = (value: RawBuilder<unknown>) => sql`coalesce(lower(${value}) = any(${known}::text[]), false)`
  const isWord = (heading: RawBuilder<unknown>) =>
    sql`(${isOne(heading)} and i.guessed_mapping ->> ${heading} is null)`
  const without = (mapping: RawBuilder<unknown>) => sql`(
    select coalesce(json_object_agg(key, value order by at), '{}')
    from json_each(${mapping}) with ordinality as each (key, value, at) where not ${isWord(sql`key`)})`
  const { rows } = await sql<{ id: string }>`
    update imports i set mapping = ${without(sql`i.mapping`)}, guessed_mapping = ${without(sql`i.guessed_mapping`)},
      headings = array(
        select heading from unnest(i.headings) with ordinality as each (heading, at)
        where not ${isWord(sql`heading`)} order by at),
      name = case when ${isOne(sql`i.name`)} then null else i.name end
    where i.tenant_id = ${tenantIdOf(tx)} and i.finished_at is not null and i.status <> 'UNDOING' and coalesce(i.file_kept_until < ${sqlNow(tx)}, true)
      and (${isOne(sql`i.name`)} or exists (select from unnest(i.headings) heading where ${isWord(sql`heading`)}))
    returning i.id`.execute(tx)
  const ids = rows.map(({ id }) => id)
  // What was wrong in a column stays told, without the column.
  const isOfWord = isWord(sql`(problem ->> 'column')`)
  if (ids.length > 0)
    await sql`
      update import_rows r set problems = (
        select jsonb_agg(case when ${isOfWord} then jsonb_set(problem, '{column}', 'null') else problem end order by at)
        from jsonb_array_elements(r.problems) with ordinality as each (problem, at))
      from imports i
      where i.tenant_id = ${tenantIdOf(tx)} and i.id = any(${ids}::uuid[]) and r.tenant_id = i.tenant_id and r.import_id = i.id and r.problems is not null
        and exists (select from jsonb_array_elements(r.problems) problem where ${isOfWord})`.execute(tx)
  return ids
}
