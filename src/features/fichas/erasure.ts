/** Erases people from sheets. */
import { releaseBlobs } from '../../kit/blobs/blobs.ts'
import { getTenantId } from '../../kit/db/context.ts'
import { sql, type Tx } from '../../kit/db/index.ts'
import { sanitizeJson } from '../../kit/sanitize-text.ts'
import { containsAny, type ErasedPeople, type Traces } from '../privacy/service.ts'
import { fichaObjectKind } from './operation.ts'
import { deleteFichas } from './queries.ts'
import { refundFichas } from './refund.ts'
import { storedTexts } from './stored-texts.ts'

const erasedReason = 'The reason was erased with the data of a person.'

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

interface StoredContent {
  id: string
  /** 0: the choices of the sheet. */
  version: number
  content: Record<string, unknown>
  /** Where the texts about the people are. */
  paths: string[][]
}

/** Empties texts in all versions. Returns the ids of the changed sheets. */
async function eraseTexts(tx: Tx, words: string[], identifiers: string[]): Promise<string[]> {
  const tenantId = getTenantId(tx)
  // A concurrent change has read the texts and would store them again in its new version.
  await sql`select from fichas where tenant_id = ${tenantId} order by id for no key update`.execute(tx)
  const matches = {
    prose: containsAny(words, identifiers),
    place: containsAny(
      words.filter(word => /[\s\d]/.test(word)),
      identifiers,
    ),
    agent: containsAny([], identifiers),
  }
  const text = sql`text`
  const { rows } = await sql<StoredContent>`
    with found as (
      select id, version, json_agg(path) as paths from (${storedTexts(tenantId)} offset 0) stored
      where case kind when 'prose' then ${matches.prose(text)} when 'place' then ${matches.place(text)} else ${matches.agent(text)} end
      group by id, version)
    select found.id, found.version, found.paths, coalesce(v.content, f.choices) as content
    from found
    join fichas f on f.tenant_id = ${tenantId} and f.id = found.id
    left join ficha_versions v on v.tenant_id = f.tenant_id and v.ficha_id = f.id and v.version = found.version`.execute(
    tx,
  )
  if (rows.length === 0) return []
  await storeEmptied(tx, rows)
  const ids = [...new Set(rows.map(({ id }) => id))]
  await releaseAgentPhotos(tx, ids)
  return ids
}

async function storeEmptied(tx: Tx, rows: StoredContent[]): Promise<void> {
  const emptied = rows.map(({ id, version, content, paths }) => ({
    id,
    version,
    content: JSON.stringify(paths.reduce(setNull, content)),
    hasError: paths.some(([first]) => first === 'error'),
  }))
  const tenantId = getTenantId(tx)
  const input = sql`
    jsonb_to_recordset(${sanitizeJson(emptied)}::jsonb) as i (id uuid, version integer, content text, "hasError" boolean)`
  await sql`
    update ficha_versions v set content = i.content::json from ${input}
    where v.tenant_id = ${tenantId} and v.ficha_id = i.id and v.version = i.version`.execute(tx)
  await sql`
    update fichas f set choices = i.content::json,
      error_message = case when i."hasError" then ${erasedReason} else f.error_message end
    from ${input} where f.tenant_id = ${tenantId} and f.id = i.id and i.version = 0`.execute(tx)
}

/** Paths that do not exist change nothing. */
function setNull(json: Record<string, unknown>, [first, ...rest]: string[]): Record<string, unknown> {
  const child = json[first!]
  if (child === undefined || child === null) return json
  const changed = rest.length === 0 ? null : setNull(child as Record<string, unknown>, rest)
  return Array.isArray(json)
    ? (json.with(Number(first), changed) as unknown as Record<string, unknown>)
    : { ...json, [first!]: changed }
}

/** Releases photos of agents that no version shows any more. */
async function releaseAgentPhotos(tx: Tx, ids: string[]): Promise<void> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ id: string; blobIds: string[] }>`
    select object_id as id, array_agg(blob_id) as "blobIds" from blob_references r
    where tenant_id = ${tenantId} and kind = ${fichaObjectKind} and object_id = any(${ids}::uuid[])
      and not exists (
        select from ficha_versions v where v.tenant_id = ${tenantId} and v.ficha_id = r.object_id
          and v.content -> 'agent' ->> 'photoBlobId' = r.blob_id::text)
      and not exists (
        select from fichas f where f.tenant_id = ${tenantId} and f.id = r.object_id
          and f.choices -> 'agent' ->> 'photoBlobId' = r.blob_id::text)
      and not exists (
        select from ficha_photos p, json_array_elements(p.sizes) size
        where p.tenant_id = ${tenantId} and p.ficha_id = r.object_id and size ->> 'blobId' = r.blob_id::text)
    group by object_id`.execute(tx)
  for (const { id, blobIds } of rows)
    await releaseBlobs(tx, { kind: fichaObjectKind, objectIds: [id] }, blobIds)
}
