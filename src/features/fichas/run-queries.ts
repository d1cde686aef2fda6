/** The SQL statements of a run: claim a sheet, store its first version, fail it. */
import { getNow, sqlMachineNow, sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import { sql, type Tx } from '../../kit/db/index.ts'
import { newId } from '../../kit/id.ts'
import { sanitizeJson } from '../../kit/sanitize-text.ts'
import type { FichaChoices, StoredPhoto } from './content.ts'

export interface ClaimedFicha {
  id: string
  /** Identifies this run. The final write checks it; a later claim by another run replaces it. */
  runToken: string
  environment: 'live' | 'test'
  platform: string
  listingId: string
  sourceUrl: string
  choices: FichaChoices
  createdAt: Date
  /** The time since it was first claimed. */
  startedAgoMs: number
}

/** Claims a sheet for a run, even if another run had claimed it; null: it has ended or was deleted. */
export async function claimFicha(tx: Tx, fichaId: string): Promise<ClaimedFicha | null> {
  const { rows } = await sql<ClaimedFicha>`
    update fichas f set run_token = ${newId()}, progressed_at = ${sqlMachineNow}, started_at = coalesce(f.started_at, ${sqlNow(tx)})
    from tenants t
    where f.tenant_id = ${getTenantId(tx)} and f.id = ${fichaId} and f.status = 'generating' and t.id = f.tenant_id
    returning f.id, f.run_token as "runToken", t.environment, f.platform, f.listing_id as "listingId",
      f.source_url as "sourceUrl", f.choices, f.created_at as "createdAt",
      extract(epoch from ${sqlNow(tx)} - f.started_at)::float8 * 1000 as "startedAgoMs"`.execute(tx)
  return rows[0] ?? null
}

/** Ends a run. Returns false if another run has claimed the sheet, or it was deleted. */
export async function finishFicha(
  tx: Tx,
  { id, runToken }: Pick<ClaimedFicha, 'id' | 'runToken'>,
  error: { code: string; message: string } | null,
): Promise<boolean> {
  const { rows } = await sql`
    update fichas set status = ${error ? 'failed' : 'ready'}, version = ${error ? 0 : 1}, error_code = ${error?.code ?? null},
      error_message = ${error?.message ?? null}, finished_at = ${sqlNow(tx)}, updated_at = ${sqlNow(tx)}, run_token = null,
      progressed_at = ${sqlMachineNow}
    where tenant_id = ${getTenantId(tx)} and id = ${id} and run_token = ${runToken} and status = 'generating'
    returning id`.execute(tx)
  return rows.length > 0
}

export async function insertPhotos(tx: Tx, fichaId: string, photos: StoredPhoto[]): Promise<void> {
  if (photos.length === 0) return
  const rows = photos.map(photo => ({ ...photo, sizes: JSON.stringify(photo.sizes) }))
  await sql`
    insert into ficha_photos (tenant_id, ficha_id, number, source_url, width_px, height_px, sizes)
    select ${getTenantId(tx)}::uuid, ${fichaId}, number, "sourceUrl", "widthPx", "heightPx", sizes::json
    from jsonb_to_recordset(${sanitizeJson(rows)}::jsonb)
      as p (number integer, "sourceUrl" text, "widthPx" integer, "heightPx" integer, sizes text)
    returning number`.execute(tx)
}

export async function insertVersion(
  tx: Tx,
  fichaId: string,
  version: number,
  content: object,
): Promise<void> {
  await tx
    .insertInto('ficha_versions')
    .values({
      tenant_id: getTenantId(tx),
      ficha_id: fichaId,
      version,
      content: sanitizeJson(content),
      created_at: getNow(tx),
    })
    .execute()
}
