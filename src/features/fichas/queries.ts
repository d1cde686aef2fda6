/** The SQL statements of property sheets. */
import { type RawBuilder, sql } from 'kysely'
import { releaseBlobs } from '../../kit/blobs/blobs.ts'
import { createId, getNow, sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { notifyCancelled } from '../../kit/operations/operation.ts'
import type { Position } from '../../kit/page.ts'
import { notFound } from '../../kit/problem.ts'
import { sanitizeJson } from '../../kit/sanitize-text.ts'
import { findShares, revokeShares, type ShareRow } from '../shares/service.ts'
import type { FichaChoices, FichaContent, StoredPhoto } from './content.ts'
import type { ListingAddress } from './listing-url.ts'
import { fichaKind, fichaObjectKind } from './operation.ts'
import type { FichaFilter } from './schemas.ts'

export type FichaStatus = 'generating' | 'ready' | 'failed'

export interface FichaRow {
  id: string
  status: FichaStatus
  platform: string
  listingId: string
  sourceUrl: string
  leadId: string | null
  choices: FichaChoices
  /** 0: none yet. */
  version: number
  error: { code: string; message: string } | null
  createdAt: Date
  updatedAt: Date
  /** The current version; null: none yet. */
  content: FichaContent | null
  photos: StoredPhoto[]
  /** The valid link to the sheet; undefined: there is none. */
  share: ShareRow | undefined
}

const columns = sql.raw(`
  f.id, f.status, f.platform, f.listing_id as "listingId", f.source_url as "sourceUrl", f.lead_id as "leadId", f.choices, f.version,
  case when f.error_code is not null then json_build_object('code', f.error_code, 'message', f.error_message) end as error,
  f.created_at as "createdAt", f.updated_at as "updatedAt", v.content`)

/** Returns the id of the new sheet. */
export async function insertFicha(
  tx: Tx,
  { platform, listingId, sourceUrl }: Omit<ListingAddress, 'path'> & { sourceUrl: string },
  { leadId, choices }: { leadId: string | null; choices: FichaChoices },
): Promise<string> {
  const id = createId(tx)
  const now = getNow(tx)
  await tx
    .insertInto('fichas')
    .values({
      tenant_id: getTenantId(tx),
      id,
      platform,
      listing_id: listingId,
      source_url: sourceUrl,
      lead_id: leadId,
      choices: sanitizeJson(choices),
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

export async function findFicha(tx: Tx, id: string): Promise<FichaRow | null> {
  const [row] = await findFichas(tx, [id])
  return row ?? null
}

/** Throws 404 if there is no such sheet. */
export async function getFicha(tx: Tx, id: string): Promise<FichaRow> {
  const row = await findFicha(tx, id)
  if (!row) throw notFound('ficha')
  return row
}

/** Like `getFicha`; until the transaction ends, no other transaction can change, share or finish the sheet. */
export async function lockFicha(tx: Tx, id: string): Promise<FichaRow> {
  // A separate statement: one that waits for the row lock would see joined rows as they were before the wait.
  await sql`select from fichas where tenant_id = ${getTenantId(tx)} and id = ${id} for no key update`.execute(
    tx,
  )
  return getFicha(tx, id)
}

/** The existing sheets with these ids, in any order. */
export function findFichas(tx: Tx, ids: string[]): Promise<FichaRow[]> {
  return select(tx, sql`f.id = any(${ids}::uuid[])`, sql``)
}

/** Newest first. Returns `limit + 1` rows if there are more. */
export function listFichas(
  tx: Tx,
  { status, leadId, limit }: FichaFilter,
  after: Position | null,
): Promise<FichaRow[]> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (after) conditions.push(sql`f.id < ${after[0]}`)
  if (status) conditions.push(sql`f.status = ${status}`)
  if (leadId) conditions.push(sql`f.lead_id = ${leadId}`)
  return select(tx, sql.join(conditions, sql` and `), sql`limit ${limit + 1}`)
}

async function select(
  tx: Tx,
  condition: RawBuilder<unknown>,
  limit: RawBuilder<unknown>,
): Promise<FichaRow[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<Omit<FichaRow, 'photos' | 'share'>>`
    select ${columns} from fichas f
    left join ficha_versions v on v.tenant_id = f.tenant_id and v.ficha_id = f.id and v.version = f.version
    where f.tenant_id = ${tenantId} and ${condition} order by f.id desc ${limit}`.execute(tx)
  const ids = rows.map(({ id }) => id)
  const [shares, photos] = await Promise.all([findShares(tx, fichaObjectKind, ids), findPhotos(tx, ids)])
  return rows.map(row => ({ ...row, share: shares.get(row.id), photos: photos.get(row.id) ?? [] }))
}

/** The copied photos of sheets, by the sheet, in the order of the listing. */
async function findPhotos(tx: Tx, fichaIds: string[]): Promise<Map<string, StoredPhoto[]>> {
  const { rows } = await sql<StoredPhoto & { fichaId: string }>`
    select ficha_id as "fichaId", number, source_url as "sourceUrl", width_px as "widthPx", height_px as "heightPx", sizes
    from ficha_photos where tenant_id = ${getTenantId(tx)} and ficha_id = any(${fichaIds}::uuid[])
    order by ficha_id, number`.execute(tx)
  const photos = rows.map(({ fichaId, ...photo }) => [fichaId, photo] as const)
  return new Map(
    [...Map.groupBy(photos, ([fichaId]) => fichaId)].map(([fichaId, group]) => [
      fichaId,
      group.map(([, photo]) => photo),
    ]),
  )
}

/** Requires the lock of `lockFicha`, and a version that `insertVersion` has inserted. */
export async function setVersion(tx: Tx, id: string, version: number): Promise<void> {
  await sql`
    update fichas set version = ${version}, updated_at = ${sqlNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
}

export interface VersionRow {
  version: number
  content: FichaContent
  createdAt: Date
}

/** Newest first. Returns `limit + 1` rows if there are more. */
export async function listVersions(
  tx: Tx,
  fichaId: string,
  limit: number,
  after: Position | null,
): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select version, content, created_at as "createdAt" from ficha_versions
    where tenant_id = ${getTenantId(tx)} and ficha_id = ${fichaId} and version < ${after?.[0] ?? 2_147_483_647}::int
    order by version desc limit ${limit + 1}`.execute(tx)
  return rows
}

/** Deletes sheets with their versions, photos and links. Stops and returns those that were still being made. */
export async function deleteFichas(tx: Tx, ids: string[]): Promise<{ id: string; createdAt: Date }[]> {
  if (ids.length === 0) return []
  // The sheets first: a concurrent request to share one holds the row lock, and its link exists when the delete
  // continues.
  const { rows } = await sql<{ id: string; createdAt: Date; status: FichaStatus }>`
    delete from fichas where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])
    returning id, created_at as "createdAt", status`.execute(tx)
  await revokeShares(tx, fichaObjectKind, ids)
  await releaseBlobs(tx, { kind: fichaObjectKind, objectIds: ids })
  const generating = rows.filter(({ status }) => status === 'generating')
  for (const { id } of generating) await notifyCancelled(tx, fichaKind, id)
  return generating
}

/** The lead that an extraction has made of a listing; null: there is none. */
export async function findLeadOfListing(
  tx: Tx,
  { platform, listingId }: Pick<ListingAddress, 'platform' | 'listingId'>,
): Promise<string | null> {
  const { rows } = await sql<{ leadId: string }>`
    select lead_id as "leadId" from lead_sources
    where tenant_id = ${getTenantId(tx)} and platform = ${platform} and listing_id = ${listingId}`.execute(tx)
  return rows[0]?.leadId ?? null
}
