/** The SQL statements of blobs. Times are the machine's: holds and uploads are leases of processes. */
import { machineNow } from '../clock/clock.ts'
import { getTenantId } from '../db/context.ts'
import { type Database, sql, type Tx } from '../db/index.ts'
import { enqueue } from '../jobs/enqueue.ts'

/** A stored file. */
export interface StoredBlob {
  id: string
  bytes: number
  /** As its bytes show it. */
  mediaType: string
}

/** Who refers to blobs: `ficha`, and ids of such. */
export interface Referrers {
  kind: string
  objectIds: string[]
}

/** The name of the job that removes from the store what the tenant has no blob for. */
export const removeJob = 'remove-blobs'

const fromNow = (ms: number) => new Date(machineNow() + ms)

/** Locks the tenant's blob of this content: it is not deleted before the transaction ends. */
export async function findAndLockByHash(tx: Tx, hash: Buffer): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from blobs where tenant_id = ${getTenantId(tx)} and hash = ${hash} for key share`.execute(tx)
  return rows[0]?.id
}

/** Takes bytes from what the tenant may store. Returns false, and takes none, if that is more than is left. */
export async function reserveBytes(tx: Tx, bytes: number, bytesMax: number): Promise<boolean> {
  const tenantId = getTenantId(tx)
  await sql`insert into blob_usage (tenant_id, bytes) values (${tenantId}, 0) on conflict do nothing`.execute(
    tx,
  )
  const { rows } = await sql`
    update blob_usage set bytes = bytes + ${bytes}
    where tenant_id = ${tenantId} and bytes + ${bytes} <= ${bytesMax} returning bytes`.execute(tx)
  return rows.length > 0
}

/** The bytes that the tenant's blobs and uploads take. */
export async function getUsage(tx: Tx): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select bytes::float8 as bytes from blob_usage where tenant_id = ${getTenantId(tx)}`.execute(tx)
  return rows[0]?.bytes ?? 0
}

async function releaseBytes(tx: Tx, bytes: number): Promise<void> {
  await sql`update blob_usage set bytes = bytes - ${bytes} where tenant_id = ${getTenantId(tx)}`.execute(tx)
}

/** From now on an object may be in the store under this id: it is removed unless a blob takes it within `leaseMs`. */
export async function insertUpload(tx: Tx, id: string, bytes: number, leaseMs: number): Promise<void> {
  await sql`
    insert into blob_removals (tenant_id, id, reserved_bytes, expires_at)
    values (${getTenantId(tx)}, ${id}, ${bytes}, ${fromNow(leaseMs)})`.execute(tx)
}

/** Ends the lease of an upload. Returns whether it still had it. */
export async function completeUpload(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from blob_removals where tenant_id = ${getTenantId(tx)} and id = ${id} and expires_at is not null
    returning id`.execute(tx)
  return rows.length > 0
}

/** Inserts the blob. Returns the id of the tenant's blob of this content, which may have come meanwhile; it is locked. */
export async function insertBlob(tx: Tx, blob: StoredBlob & { hash: Buffer }): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into blobs (tenant_id, id, hash, bytes, media_type)
    values (${getTenantId(tx)}, ${blob.id}, ${blob.hash}, ${blob.bytes}, ${blob.mediaType})
    on conflict (tenant_id, hash) do update set bytes = excluded.bytes returning id`.execute(tx)
  return rows[0]!.id
}

/** `holdMs`: it ends by itself then; without it, never. What is there already stays as it is. */
export async function insertReferences(
  tx: Tx,
  { kind, objectId, blobIds, holdMs }: { kind: string; objectId: string; blobIds: string[]; holdMs?: number },
): Promise<void> {
  const expiresAt = holdMs === undefined ? null : fromNow(holdMs)
  await sql`
    insert into blob_references (tenant_id, kind, object_id, blob_id, expires_at)
    select ${getTenantId(tx)}::uuid, ${kind}, ${objectId}::uuid, id, ${expiresAt}::timestamptz from unnest(${blobIds}::uuid[]) id
    on conflict do nothing returning blob_id`.execute(tx)
}

/** The blobs of these referrers, of each in no order. */
export async function findBlobs(
  tx: Tx,
  { kind, objectIds }: Referrers,
): Promise<(StoredBlob & { objectId: string })[]> {
  const { rows } = await sql<StoredBlob & { objectId: string }>`
    select r.object_id as "objectId", b.id, b.bytes::float8 as bytes, b.media_type as "mediaType"
    from blob_references r join blobs b on b.tenant_id = r.tenant_id and b.id = r.blob_id
    where r.tenant_id = ${getTenantId(tx)} and r.kind = ${kind} and r.object_id = any(${objectIds}::uuid[])`.execute(
    tx,
  )
  return rows
}

/** Deletes references. Returns which blobs they were to. `blobIds`: those to these blobs alone. */
export async function deleteReferences(
  tx: Tx,
  { kind, objectIds }: Referrers,
  blobIds?: string[],
): Promise<string[]> {
  const condition = blobIds ? sql`and blob_id = any(${blobIds}::uuid[])` : sql``
  const { rows } = await sql<{ id: string }>`
    delete from blob_references
    where tenant_id = ${getTenantId(tx)} and kind = ${kind} and object_id = any(${objectIds}::uuid[]) ${condition}
    returning blob_id as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Deletes holds that have expired. Returns which blobs they were on. */
export async function deleteExpiredHolds(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from blob_references where tenant_id = ${getTenantId(tx)} and expires_at <= ${fromNow(0)}
    returning blob_id as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Deletes those of these blobs that nobody refers to, gives their bytes back, and has their objects removed after the commit.
 * Whoever refers to one at this moment comes first or is refused: both lock the row.
 */
export async function deleteUnreferenced(tx: Tx, blobIds: string[]): Promise<void> {
  if (blobIds.length === 0) return
  const tenantId = getTenantId(tx)
  await sql`
    select id from blobs where tenant_id = ${tenantId} and id = any(${blobIds}::uuid[]) order by id for update`.execute(
    tx,
  )
  // Of a statement of its own, so that it sees what was committed while this waited for the rows.
  const { rows } = await sql<{ id: string; bytes: number }>`
    delete from blobs b where b.tenant_id = ${tenantId} and b.id = any(${blobIds}::uuid[]) and not exists (
      select 1 from blob_references r where r.tenant_id = b.tenant_id and r.blob_id = b.id)
    returning b.id, b.bytes::float8 as bytes`.execute(tx)
  if (rows.length === 0) return
  await releaseBytes(
    tx,
    rows.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  await insertRemovals(
    tx,
    rows.map(({ id }) => id),
  )
}

/** Has objects removed from the store after the commit, and `reservedBytes` of each given back. */
export async function insertRemovals(tx: Tx, ids: string[], reservedBytes = 0): Promise<void> {
  await sql`
    insert into blob_removals (tenant_id, id, reserved_bytes, expires_at)
    select ${getTenantId(tx)}::uuid, id, ${reservedBytes}::bigint, null from unnest(${ids}::uuid[]) id
    returning id`.execute(tx)
  await enqueueRemoval(tx)
}

/**
 * Gives up an upload: its object is removed and its bytes are given back a minute later. What a store was still at when the upload
 * failed has come by then.
 */
export async function abandonUpload(tx: Tx, id: string): Promise<void> {
  const index = fromNow(60_000)
  await sql`
    update blob_removals set expires_at = ${index}
    where tenant_id = ${getTenantId(tx)} and id = ${id} and expires_at is not null`.execute(tx)
  await enqueue(tx, removeJob, {}, { jobKey: `${removeJob}:${getTenantId(tx)}:${id}`, runAt: index })
}

export const enqueueRemoval = (tx: Tx): Promise<void> =>
  enqueue(tx, removeJob, {}, { jobKey: `${removeJob}:${getTenantId(tx)}` })

/** Objects to remove, those of expired uploads among them, which can't become blobs any more. */
export async function claimRemovals(tx: Tx, max: number): Promise<string[]> {
  const tenantId = getTenantId(tx)
  await sql`
    update blob_removals set expires_at = null where tenant_id = ${tenantId} and expires_at <= ${fromNow(0)}`.execute(
    tx,
  )
  const { rows } = await sql<{ id: string }>`
    select id from blob_removals where tenant_id = ${tenantId} and expires_at is null order by id limit ${max}`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** These objects are not in the store any more. */
export async function deleteRemovals(tx: Tx, ids: string[]): Promise<void> {
  const { rows } = await sql<{ bytes: number }>`
    delete from blob_removals where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])
    returning reserved_bytes::float8 as bytes`.execute(tx)
  const reserved = rows.reduce((sum, { bytes }) => sum + bytes, 0)
  if (reserved > 0) await releaseBytes(tx, reserved)
}

/** The tenants that have something to remove: an object, or a hold that has expired. */
export async function listTenantsToCleanUp({ owner }: Database): Promise<string[]> {
  const now = fromNow(0)
  const { rows } = await sql<{ tenantId: string }>`
    select tenant_id as "tenantId" from blob_removals where expires_at is null or expires_at <= ${now}
    union select tenant_id from blob_references where expires_at <= ${now}`.execute(owner)
  return rows.map(({ tenantId }) => tenantId)
}
