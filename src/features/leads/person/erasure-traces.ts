/** Everything that is kept of people beside their leads, and how it goes: found by ids and identifiers alone, each by an index. */
import { sql } from 'kysely'
import type { Tx } from '../../../kit/db/index.ts'
import { forgetReplies } from '../../../kit/idempotency.ts'
import { forgetNotes } from '../../suppressions/service.ts'
import { emptyFormer, emptyShared, findAbsorbedWith, findFamily, findFormerLeads } from './erasure-history.ts'

/**
 * Removes what is kept of the people of these leads, which are still there. `identifiers`: what no other lead has. Whole
 * values are compared, never parts of them: there are others whose address ends as this one does.
 */
export async function removeTraces(tx: Tx, leadIds: string[], identifiers: string[]): Promise<void> {
  const former = await findFormerLeads(tx, identifiers, leadIds)
  const absorbed = await findAbsorbedWith(tx, identifiers, former)
  const ids = await findFamily(tx, [...leadIds, ...absorbed])
  const words = [...(await findWords(tx, leadIds, identifiers)), ...identifiers]
  const others = await emptyShared(tx, ids)
  await emptyFormer(tx, identifiers, ids)
  await sql`delete from events where lead_id = any(${ids}::uuid[])`.execute(tx)
  await sql`delete from former_identifiers where lead_id = any(${ids}::uuid[])`.execute(tx)
  await sql`delete from lead_merges where absorbed_id = any(${ids}::uuid[])`.execute(tx)
  // Which adverts it met; an extraction counts them without looking at these.
  await sql`delete from extraction_listings where lead_id = any(${leadIds}::uuid[])`.execute(tx)
  await forgetNotes(tx, identifiers)
  const imports = await forgetHeadings(tx, words)
  await forgetReplies(tx, [...ids, ...others, ...former, ...imports])
  await sql`select aldaba.forget_jobs(${[...ids, ...words]}::text[])`.execute(tx)
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
 * Of a file without headings the first row was taken for them, and may be a person's. One that is under way, or still has
 * its file, needs them. Returns the imports.
 */
async function forgetHeadings(tx: Tx, words: string[]): Promise<string[]> {
  const known = words.map(word => word.toLowerCase())
  const { rows } = await sql<{ id: string }>`
    update imports i set headings = '{}', mapping = '{}', guessed_mapping = '{}', name = null
    where i.finished_at is not null and i.status <> 'UNDOING' and coalesce(i.file_kept_until < now(), true)
      and exists (select from unnest(i.headings || i.name) heading where lower(heading) = any(${known}::text[]))
    returning i.id`.execute(tx)
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0)
    await sql`update import_rows set problems = null where import_id = any(${ids}::uuid[]) and problems is not null`.execute(
      tx,
    )
  return ids
}
