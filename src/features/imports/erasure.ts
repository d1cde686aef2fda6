/** Erases a person from the records of imports. It searches the headings of every ended import of the tenant. */

import { type RawBuilder, sql } from 'kysely'
import { sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { type ErasedPeople, formerLeadsTable, personColumns, type Traces } from '../privacy/service.ts'

/** Handles `erasePersonData`. */
export async function eraseFromImports(tx: Tx, people: ErasedPeople): Promise<Traces> {
  const { rows } = await sql<{ id: string }>`
    select distinct import_id as id from lead_sources
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${people.leadIds}::uuid[]) and import_id is not null`.execute(
    tx,
  )
  await redactFormerChanges(tx, people)
  return { changed: await redactHeadings(tx, people.words), referenced: rows.map(({ id }) => id) }
}

/** Redacts what imports changed in the contact of leads while they had one of these identifiers. */
async function redactFormerChanges(tx: Tx, { mergeTree, identifiers }: ErasedPeople): Promise<void> {
  await sql`
    update import_changes c set changes = c.changes - ${personColumns}::text[]
    from ${formerLeadsTable(tx, identifiers, mergeTree)} f, imports i
    where c.tenant_id = ${getTenantId(tx)} and c.lead_id = f.lead_id and i.tenant_id = c.tenant_id and i.id = c.import_id
      and i.created_at <= f.until and coalesce(i.finished_at >= f.since, true)`.execute(tx)
}

/**
 * Removes headings and import names that equal one of these words. If a file has no headings, its first row was taken for
 * them and may hold personal data. Known headings such as "Propietario" stay: they do not identify a person. Active imports
 * and those that still have their file are left out, because they need their headings. Returns the ids of the changed imports.
 */
async function redactHeadings(tx: Tx, words: string[]): Promise<string[]> {
  const lowerWords = words.map(word => word.toLowerCase())
  const isPersonWord = (value: RawBuilder<unknown>) =>
    sql`coalesce(lower(${value}) = any(${lowerWords}::text[]), false)`
  const isPersonHeading = (heading: RawBuilder<unknown>) =>
    sql`(${isPersonWord(heading)} and i.guessed_mapping ->> ${heading} is null)`
  const withoutHeadings = (mapping: RawBuilder<unknown>) => sql`(
    select coalesce(json_object_agg(key, value order by at), '{}')
    from json_each(${mapping}) with ordinality as each (key, value, at) where not ${isPersonHeading(sql`key`)})`
  const { rows } = await sql<{ id: string }>`
    update imports i set mapping = ${withoutHeadings(sql`i.mapping`)}, guessed_mapping = ${withoutHeadings(sql`i.guessed_mapping`)},
      headings = array(
        select heading from unnest(i.headings) with ordinality as each (heading, at)
        where not ${isPersonHeading(sql`heading`)} order by at),
      name = case when ${isPersonWord(sql`i.name`)} then null else i.name end
    where i.tenant_id = ${getTenantId(tx)} and i.finished_at is not null and i.status <> 'UNDOING' and coalesce(i.file_kept_until < ${sqlNow(tx)}, true)
      and (${isPersonWord(sql`i.name`)} or exists (select from unnest(i.headings) heading where ${isPersonHeading(sql`heading`)}))
    returning i.id`.execute(tx)
  const ids = rows.map(({ id }) => id)
  // Problems of a removed column are kept, without the name of the column.
  const isPersonColumn = isPersonHeading(sql`(problem ->> 'column')`)
  if (ids.length > 0)
    await sql`
      update import_rows r set problems = (
        select jsonb_agg(case when ${isPersonColumn} then jsonb_set(problem, '{column}', 'null') else problem end order by at)
        from jsonb_array_elements(r.problems) with ordinality as each (problem, at))
      from imports i
      where i.tenant_id = ${getTenantId(tx)} and i.id = any(${ids}::uuid[]) and r.tenant_id = i.tenant_id and r.import_id = i.id and r.problems is not null
        and exists (select from jsonb_array_elements(r.problems) problem where ${isPersonColumn})`.execute(tx)
  return ids
}
