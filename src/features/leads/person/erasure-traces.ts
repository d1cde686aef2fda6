/**
 * Everything that is kept of people beside their leads, and how it goes: found by ids and identifiers alone, by an index each.
 * Three things are looked through: headings of all imports that have ended, all jobs that wait, texts of all valuations.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../kit/db/index.ts'
import { forgetReplies } from '../../../kit/idempotency.ts'
import { forgetNotes } from '../../suppressions/service.ts'
import { forgetValuationWords } from '../../valuations/service.ts'
import { forgetWebhookReplies } from '../../webhooks/service.ts'
import { emptyFormer, emptyShared, findAbsorbedWith, findFamily, findFormerLeads } from './erasure-history.ts'

/**
 * Removes what is kept of the people of these leads, which are still there. `identifiers`: what no other lead has. Whole
 * values are compared, and whole words in texts of valuations: there are others whose address ends as this one does.
 */
export async function removeTraces(tx: Tx, leadIds: string[], identifiers: string[]): Promise<void> {
  const former = await findFormerLeads(tx, identifiers, leadIds)
  const absorbed = await findAbsorbedWith(tx, identifiers, former)
  const ids = await findFamily(tx, [...leadIds, ...absorbed])
  const words = [...(await findWords(tx, leadIds, identifiers)), ...identifiers]
  const others = await emptyShared(tx, ids)
  await emptyFormer(tx, identifiers, ids)
  const bringers = await findBringers(tx, leadIds)
  await sql`delete from events where lead_id = any(${ids}::uuid[])`.execute(tx)
  await sql`delete from former_identifiers where lead_id = any(${ids}::uuid[])`.execute(tx)
  await sql`delete from lead_merges where absorbed_id = any(${ids}::uuid[])`.execute(tx)
  // Which adverts it met; an extraction counts them without looking at these.
  await sql`delete from extraction_listings where lead_id = any(${leadIds}::uuid[])`.execute(tx)
  await forgetNotes(tx, identifiers)
  const imports = await forgetHeadings(tx, words)
  const valuations = await forgetValuationWords(tx, words, identifiers)
  await forgetWebhookReplies(tx, [...bringers, ...others, ...former, ...valuations])
  await forgetReplies(tx, [...ids, ...others, ...former, ...imports, ...valuations])
  await sql`select aldaba.forget_jobs(${[...ids, ...words]}::text[])`.execute(tx)
}

/** Extractions and imports that brought these leads, or met them: receivers of their events may have answered with names. */
async function findBringers(tx: Tx, leadIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct id from (
      select unnest(array[extraction_id, import_id]) as id from lead_sources where lead_id = any(${leadIds}::uuid[])
      union all
      select extraction_id from extraction_listings where lead_id = any(${leadIds}::uuid[])) s
    where id is not null`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Names of these people, and their telephones as they are written in adverts. */
async function findWords(tx: Tx, leadIds: string[], identifiers: string[]): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select distinct word from leads l, unnest(array[
      case when l.phone is null or l.phone = any(${identifiers}::text[]) then l.phone_raw end,
      case when l.advertiser_type is distinct from 'agency' then l.contact_name end]) word
    where l.id = any(${leadIds}::uuid[]) and word is not null`.execute(tx)
  return rows.map(({ word }) => word)
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
    where i.finished_at is not null and i.status <> 'UNDOING' and coalesce(i.file_kept_until < now(), true)
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
      where i.id = any(${ids}::uuid[]) and r.import_id = i.id and r.problems is not null
        and exists (select from jsonb_array_elements(r.problems) problem where ${isOfWord})`.execute(tx)
  return ids
}
